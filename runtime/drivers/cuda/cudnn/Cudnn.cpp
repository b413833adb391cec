//===- Cudnn.cpp - The library functions made of cuDNN --------------------===//

#include "drivers/cuda/cudnn/Cudnn.h"

#include <optional>

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::cudnn;

namespace {
class Cudnn final : public Library {
public:
  Cudnn(std::shared_ptr<const cudnn::Api> api,
        std::shared_ptr<DeviceContext> context)
      : api(std::move(api)), context(std::move(context)) {}
  ~Cudnn() override {
    if (!handle)
      return;
    // After an error of the device all fail. The stream of the last call is
    // that of a program, which is gone.
    ContextScope scope(*context);
    (void)api->setStream(handle, nullptr);
    (void)api->destroy(handle);
  }

  Status createHandle() {
    Status status = api->check(api->create(&handle), "cudnnCreate",
                               "a handle of '" + api->path + "'");
    if (status.ok())
      plans.emplace(*api, handle);
    return status;
  }

  Expected<std::unique_ptr<Call>> prepare(const Command &command) override {
    return prepareCall(*plans, *context, command);
  }

private:
  std::shared_ptr<const cudnn::Api> api;
  /// Keeps the context of the handle.
  std::shared_ptr<DeviceContext> context;
  Handle handle = nullptr;
  std::optional<ExecutionPlans> plans;
};
} // namespace

Expected<std::unique_ptr<Call>> cudnn::prepareCall(ExecutionPlans &plans,
                                                   const DeviceContext &device,
                                                   const Command &command) {
  if (command.callee == calls::CudnnConv2dForward::kCallee ||
      command.callee == calls::CudnnConv2dDataGrad::kCallee ||
      command.callee == calls::CudnnConv2dFilterGrad::kCallee)
    return prepareConv2d(plans, command);
  if (command.callee == calls::CudnnAvgPool2d::kCallee ||
      command.callee == calls::CudnnAvgPool2dGrad::kCallee)
    return prepareAvgPool2d(plans, command);
  if (command.callee == calls::CudnnAttention::kCallee ||
      command.callee == calls::CudnnAttentionGrad::kCallee)
    return prepareAttention(plans, device, command);
  return Status(StatusCode::kUnimplemented, "has no such function");
}

Expected<std::unique_ptr<Library>>
cudnn::openLibrary(std::shared_ptr<DeviceContext> context) {
  Expected<std::shared_ptr<const cudnn::Api>> api =
      cudnn::Api::open(context->api());
  if (!api.ok())
    return api.status();
  auto library = std::make_unique<Cudnn>(std::move(*api), std::move(context));
  if (Status status = library->createHandle(); !status.ok())
    return status;
  return std::unique_ptr<Library>(std::move(library));
}

//===- CublasLt.cpp - The library functions made of cuBLASLt --------------===//

#include "drivers/cuda/cublaslt/CublasLt.h"

#include "jobrt/calls.h"

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::cublaslt;

namespace {
class CublasLt final : public Library {
public:
  CublasLt(std::shared_ptr<const cublaslt::Api> api,
           std::shared_ptr<DeviceContext> context)
      : api(std::move(api)), context(std::move(context)) {}
  ~CublasLt() override {
    if (!handle)
      return;
    // After an error of the device both fail.
    ContextScope scope(*context);
    (void)api->destroy(handle);
  }

  Status createHandle() {
    return api->check(api->create(&handle), "cublasLtCreate",
                      "a handle of '" + api->path + "'");
  }

  Expected<std::unique_ptr<Call>> prepare(const Command &command) override {
    if (command.callee == calls::CublasLtMatMul::kCallee)
      return prepareMatMul(*api, handle, command);
    return Status(StatusCode::kUnimplemented, "has no such function");
  }

private:
  std::shared_ptr<const cublaslt::Api> api;
  /// Keeps the context of the handle.
  std::shared_ptr<DeviceContext> context;
  Handle handle = nullptr;
};
} // namespace

Expected<std::unique_ptr<Library>>
cublaslt::openLibrary(std::shared_ptr<DeviceContext> context) {
  Expected<std::shared_ptr<const cublaslt::Api>> api =
      cublaslt::Api::open(context->api());
  if (!api.ok())
    return api.status();
  auto library =
      std::make_unique<CublasLt>(std::move(*api), std::move(context));
  if (Status status = library->createHandle(); !status.ok())
    return status;
  return std::unique_ptr<Library>(std::move(library));
}

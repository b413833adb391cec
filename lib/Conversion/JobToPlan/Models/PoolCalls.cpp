//===- PoolCalls.cpp - Calls of poolings ----------------------------------===//
//
// Means on a GPU. Why maxima and images with the channels last are kernels of
// the compiler: docs/rationale.md.
//
//===----------------------------------------------------------------------===//

#include "CallConfig.h"
#include "Models.h"
#include "PoolShape.h"

#include "JobDialect/Support/OperationCount.h"

using namespace mlir;
using namespace mlir::job;

namespace {
/// The function that computes an op: its attribute and its configuration.
template <typename Op> struct Function;
template <> struct Function<AvgPool2DOp> {
  using Attr = plan::CudnnAvgPool2dAttr;
  using Config = jobrt::calls::CudnnAvgPool2d;
};
template <> struct Function<AvgPool2DGradOp> {
  using Attr = plan::CudnnAvgPool2dGradAttr;
  using Config = jobrt::calls::CudnnAvgPool2dGrad;
};
} // namespace

template <typename Op> static typename Function<Op>::Config getConfig(Op op) {
  PoolShape shape(op);
  typename Function<Op>::Config config;
  config.n = shape.input.n;
  config.c = shape.input.c;
  config.h = shape.input.h;
  config.w = shape.input.w;
  config.kh = shape.rows.size;
  config.kw = shape.columns.size;
  config.oh = shape.output.h;
  config.ow = shape.output.w;
  config.stride_h = shape.rows.stride;
  config.stride_w = shape.columns.stride;
  config.pad_top = op.getPadding()[0];
  config.pad_left = op.getPadding()[1];
  config.pad_bottom = op.getPadding()[2];
  config.pad_right = op.getPadding()[3];
  return config;
}

namespace {
template <typename Op>
struct PoolCallModel
    : LibraryCallOpInterface::ExternalModel<PoolCallModel<Op>, Op> {
  int64_t getCallFlops(Operation *op) const {
    auto config = getConfig(cast<Op>(op));
    return getOperationCount(
        {config.n, config.c, config.oh, config.ow, config.kh, config.kw});
  }
  Attribute getCallConfig(Operation *op, StringRef target, int64_t) const {
    auto pool = cast<Op>(op);
    std::optional<jobrt::calls::Element> element =
        getCallElement(pool.getType().getElementType());
    // The engines for images with the channels last are compiled when a session
    // starts.
    if (target != kCUDATarget || !element ||
        pool.getLayout() == ImageLayout::NHWC)
      return {};
    auto config = getConfig(pool);
    // Of longer sums the error would grow with the length (docs/numerics.md).
    if (config.kh * config.kw > plan::kDefaultAccumulate)
      return {};
    config.type = static_cast<int64_t>(*element);
    if (!jobrt::calls::check(config).empty())
      return {};
    return Function<Op>::Attr::get(op->getContext(), config);
  }
};
} // namespace

template <typename... Ops> static void attach(MLIRContext *context) {
  (Ops::template attachInterface<PoolCallModel<Ops>>(*context), ...);
}

void job::attachPoolCallModels(MLIRContext *context) {
  attach<AvgPool2DOp, AvgPool2DGradOp>(context);
}

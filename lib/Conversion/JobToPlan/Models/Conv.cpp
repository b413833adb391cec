//===- Conv.cpp - Kernels of convolutions ---------------------------------===//
//
// A call of a library, or a loop over the cells of one plane of the result.
//
//===----------------------------------------------------------------------===//

#include "CallConfig.h"
#include "LongSum.h"
#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Support/OperationCount.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// The blobs of a convolution by their roles in the forward op.
static BlobType getInputType(Conv2DOp op) { return op.getInput().getType(); }
static BlobType getInputType(Conv2DDataGradOp op) { return op.getType(); }
static BlobType getInputType(Conv2DFilterGradOp op) {
  return op.getInput().getType();
}
static BlobType getFilterType(Conv2DOp op) { return op.getFilter().getType(); }
static BlobType getFilterType(Conv2DDataGradOp op) {
  return op.getFilter().getType();
}
static BlobType getFilterType(Conv2DFilterGradOp op) { return op.getType(); }
static BlobType getOutputType(Conv2DOp op) { return op.getType(); }
static BlobType getOutputType(Conv2DDataGradOp op) {
  return op.getGrad().getType();
}
static BlobType getOutputType(Conv2DFilterGradOp op) {
  return op.getGrad().getType();
}

template <typename Op> static jobrt::calls::ConvGeometry getGeometry(Op op) {
  auto getDims = [&](BlobType type) {
    return getImageDims(op.getLayout(), type.getShape());
  };
  ImageDims<int64_t> input = getDims(getInputType(op));
  ImageDims<int64_t> filter = getDims(getFilterType(op));
  ImageDims<int64_t> output = getDims(getOutputType(op));
  jobrt::calls::ConvGeometry config;
  config.n = input.n;
  config.c = input.c;
  config.h = input.h;
  config.w = input.w;
  config.oc = filter.n;
  config.kh = filter.h;
  config.kw = filter.w;
  config.oh = output.h;
  config.ow = output.w;
  config.stride_h = op.getStrides()[0];
  config.stride_w = op.getStrides()[1];
  config.pad_top = op.getPadding()[0];
  config.pad_left = op.getPadding()[1];
  config.pad_bottom = op.getPadding()[2];
  config.pad_right = op.getPadding()[3];
  config.dilation_h = op.getDilations()[0];
  config.dilation_w = op.getDilations()[1];
  config.groups = op.getGroups();
  config.layout = static_cast<int64_t>(op.getLayout() == ImageLayout::NHWC
                                           ? jobrt::calls::Layout::kNHWC
                                           : jobrt::calls::Layout::kNCHW);
  return config;
}

/// Each of the three ops multiplies every output with every tap of every
/// channel once, and adds.
static int64_t getOperationCount(const jobrt::calls::ConvGeometry &conv) {
  return getOperationCount({2, conv.n, conv.oc, conv.oh, conv.ow,
                            conv.c / conv.groups, conv.kh, conv.kw});
}

//===----------------------------------------------------------------------===//
// Library calls
//===----------------------------------------------------------------------===//

namespace {
/// The functions that compute an op, on a CPU and on a GPU: their attributes
/// and configurations.
template <typename Op> struct Functions;
template <> struct Functions<Conv2DOp> {
  using HostAttr = plan::Conv2dForwardAttr;
  using HostConfig = jobrt::calls::Conv2dForward;
  using CUDAAttr = plan::CudnnConv2dAttr;
  using CUDAConfig = jobrt::calls::CudnnConv2dForward;
};
template <> struct Functions<Conv2DDataGradOp> {
  using HostAttr = plan::Conv2dDataGradAttr;
  using HostConfig = jobrt::calls::Conv2dDataGrad;
  using CUDAAttr = plan::CudnnConv2dDataGradAttr;
  using CUDAConfig = jobrt::calls::CudnnConv2dDataGrad;
};
template <> struct Functions<Conv2DFilterGradOp> {
  using HostAttr = plan::Conv2dFilterGradAttr;
  using HostConfig = jobrt::calls::Conv2dFilterGrad;
  using CUDAAttr = plan::CudnnConv2dFilterGradAttr;
  using CUDAConfig = jobrt::calls::CudnnConv2dFilterGrad;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Builds the loops of one plane of a result.
struct ConvLoops {
  KernelBuilder b;
  jobrt::calls::ConvGeometry conv;
  ImageLayout layout;

  // Elements of images, and of filters: outputs are their first dimension.
  Value load(Value memref, ImageDims<Value> at) const {
    return b.load(memref, at.inOrder(layout));
  }
  void store(Value value, Value memref, ImageDims<Value> at) const {
    b.store(value, memref, at.inOrder(layout));
  }

  /// sum + x * y where `condition` holds. Nothing is multiplied by padding: an
  /// infinite filter would turn it into NaN.
  Value accumulate(Value sum, Value x, Value y, Value condition) const {
    return b.select(condition, b.add(sum, b.mul(x, y)), sum);
  }

  /// A row and a column, made safe to load, and whether the blob has them.
  struct Place {
    Value h, w, isInside;
  };

  /// The input's row (or column) under tap `tap` of output row `output`, made
  /// safe to load, and whether it is one.
  std::pair<Value, Value> getInputIndex(Value output, Value tap, int64_t stride,
                                        int64_t dilation, int64_t padding,
                                        int64_t extent) const {
    Value index =
        b.add(b.add(b.mul(output, stride), b.mul(tap, dilation)), -padding);
    Value inside = b.isBelow(index, extent);
    return {b.select(inside, index, b.index(0)), inside};
  }

  /// The output's row (or column) that reads input row `input` through tap
  /// `tap`, made safe to load, and whether there is one.
  std::pair<Value, Value> getOutputIndex(Value input, Value tap, int64_t stride,
                                         int64_t dilation, int64_t padding,
                                         int64_t extent) const {
    Value distance = b.sub(b.add(input, padding), b.mul(tap, dilation));
    // A negative distance is huge as an unsigned number, and so is its
    // quotient.
    Value index = b.div(distance, stride);
    Value isMultiple = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                             b.mul(index, stride), distance);
    Value inside =
        b.make<arith::AndIOp>(isMultiple, b.isBelow(distance, extent * stride));
    return {b.select(inside, index, b.index(0)), inside};
  }

  /// Where the input lies under tap (`kh`, `kw`) of output (`oh`, `ow`).
  Place getInputPlace(Value oh, Value ow, Value kh, Value kw) const {
    auto [h, hInside] = getInputIndex(oh, kh, conv.stride_h, conv.dilation_h,
                                      conv.pad_top, conv.h);
    auto [w, wInside] = getInputIndex(ow, kw, conv.stride_w, conv.dilation_w,
                                      conv.pad_left, conv.w);
    return {h, w, b.make<arith::AndIOp>(hInside, wInside)};
  }

  /// Where the output lies that reads input (`h`, `w`) through tap (`kh`,
  /// `kw`).
  Place getOutputPlace(Value h, Value w, Value kh, Value kw) const {
    auto [oh, hInside] = getOutputIndex(h, kh, conv.stride_h, conv.dilation_h,
                                        conv.pad_top, conv.oh);
    auto [ow, wInside] = getOutputIndex(w, kw, conv.stride_w, conv.dilation_w,
                                        conv.pad_left, conv.ow);
    return {oh, ow, b.make<arith::AndIOp>(hInside, wInside)};
  }

  /// One image's plane of one output channel.
  void buildOutputPlane(Value item, Value input, Value filter,
                        Value output) const {
    Value n = b.div(item, conv.oc), oc = b.rem(item, conv.oc);
    int64_t groupC = conv.c / conv.groups;
    Value firstC = b.mul(b.div(oc, conv.oc / conv.groups), groupC);
    b.loop(conv.oh, [&](Value oh) {
      b.loop(conv.ow, [&](Value ow) {
        Value sum = buildSum(
            b, {groupC, conv.kh, conv.kw}, [&](ArrayRef<Value> i, Value sum) {
              auto [h, w, isInside] = getInputPlace(oh, ow, i[1], i[2]);
              return accumulate(sum,
                                load(input, {n, b.add(firstC, i[0]), h, w}),
                                load(filter, {oc, i[0], i[1], i[2]}), isInside);
            });
        store(sum, output, {n, oc, oh, ow});
      });
    });
  }

  /// One image's plane of one input channel.
  void buildInputPlane(Value item, Value grad, Value filter,
                       Value result) const {
    Value n = b.div(item, conv.c), c = b.rem(item, conv.c);
    int64_t groupC = conv.c / conv.groups, groupOc = conv.oc / conv.groups;
    Value firstOc = b.mul(b.div(c, groupC), groupOc);
    Value filterC = b.rem(c, groupC);
    b.loop(conv.h, [&](Value h) {
      b.loop(conv.w, [&](Value w) {
        Value sum = buildSum(
            b, {groupOc, conv.kh, conv.kw}, [&](ArrayRef<Value> i, Value sum) {
              auto [oh, ow, isInside] = getOutputPlace(h, w, i[1], i[2]);
              Value oc = b.add(firstOc, i[0]);
              return accumulate(sum, load(grad, {n, oc, oh, ow}),
                                load(filter, {oc, filterC, i[1], i[2]}),
                                isInside);
            });
        store(sum, result, {n, c, h, w});
      });
    });
  }

  /// The window of one output channel and one channel of its group.
  void buildFilterWindow(Value item, Value grad, Value input,
                         Value result) const {
    int64_t groupC = conv.c / conv.groups;
    Value oc = b.div(item, groupC), filterC = b.rem(item, groupC);
    Value c = b.add(b.mul(b.div(oc, conv.oc / conv.groups), groupC), filterC);
    b.loop(conv.kh, [&](Value kh) {
      b.loop(conv.kw, [&](Value kw) {
        Value sum = buildSum(
            b, {conv.n, conv.oh, conv.ow}, [&](ArrayRef<Value> i, Value sum) {
              auto [h, w, isInside] = getInputPlace(i[1], i[2], kh, kw);
              return accumulate(sum, load(input, {i[0], c, h, w}),
                                load(grad, {i[0], oc, i[1], i[2]}), isInside);
            });
        store(sum, result, {oc, filterC, kh, kw});
      });
    });
  }

  // Operands in the order of the ops'.
  void build(Conv2DOp, Value item, ValueRange operands, Value result) const {
    buildOutputPlane(item, operands[0], operands[1], result);
  }
  void build(Conv2DDataGradOp, Value item, ValueRange operands,
             Value result) const {
    buildInputPlane(item, operands[0], operands[1], result);
  }
  void build(Conv2DFilterGradOp, Value item, ValueRange operands,
             Value result) const {
    buildFilterWindow(item, operands[0], operands[1], result);
  }
};

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

template <typename Op>
struct ConvCallModel
    : LibraryCallOpInterface::ExternalModel<ConvCallModel<Op>, Op> {
  int64_t getCallFlops(Operation *op) const {
    return getOperationCount(getGeometry(cast<Op>(op)));
  }
  Attribute getCallConfig(Operation *op, StringRef target,
                          int64_t maxChunks) const {
    auto conv = cast<Op>(op);
    if (target == kCUDATarget)
      return getCUDAConfig(conv);
    using Config = typename Functions<Op>::HostConfig;
    auto config = makeConfig<Config>(conv);
    // oneDNN has no fast kernels for several groups of bf16.
    if (config.groups > 1 && conv.getType().getElementType().isBF16())
      return {};
    return makeCallConfig<typename Functions<Op>::HostAttr>(
        op, target, config, [&] {
          splitWork(config, Config::kKind, maxChunks, getWorkspaceLimit(op));
        });
  }

private:
  template <typename Config> static Config makeConfig(Op op) {
    Config config;
    static_cast<jobrt::calls::ConvGeometry &>(config) = getGeometry(op);
    return config;
  }
  static Attribute getCUDAConfig(Op op) {
    std::optional<jobrt::calls::Element> element =
        getCallElement(op.getType().getElementType());
    if (!element)
      return {};
    auto config = makeConfig<typename Functions<Op>::CUDAConfig>(op);
    config.type = static_cast<int64_t>(*element);
    if (!jobrt::calls::check(config).empty())
      return {};
    splitWork(config, getWorkspaceLimit(op));
    return Functions<Op>::CUDAAttr::get(op.getContext(), config);
  }
};

template <typename Op>
struct ConvLoopModel
    : LoopKernelOpInterface::ExternalModel<ConvLoopModel<Op>, Op> {
  int64_t getNumItems(Operation *op, const TargetCosts &) const {
    auto conv = cast<Op>(op);
    ImageDims<int64_t> dims =
        getImageDims(conv.getLayout(), conv.getType().getShape());
    return dims.n * dims.c;
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    int64_t count = getOperationCount(getGeometry(cast<Op>(op)));
    return std::max<int64_t>(count / getNumItems(op, costs), 1);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &,
                 Value item, ValueRange operands, ValueRange results) const {
    auto conv = cast<Op>(op);
    ConvLoops loops{
        KernelBuilder(builder, op->getLoc(), conv.getType().getElementType()),
        getGeometry(conv), conv.getLayout()};
    loops.build(conv, item, operands, results[0]);
  }
};

} // namespace

template <typename... Ops> static void attach(MLIRContext *context) {
  (Ops::template attachInterface<ConvCallModel<Ops>, ConvLoopModel<Ops>>(
       *context),
   ...);
}

void job::attachConvModels(MLIRContext *context) {
  attach<Conv2DOp, Conv2DDataGradOp, Conv2DFilterGradOp>(context);
}

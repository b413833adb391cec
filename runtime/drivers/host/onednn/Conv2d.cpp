//===- Conv2d.cpp - onednn.conv2d and its two gradients -------------------===//
//
// A chunk has a part of the batch and of the channels of what is computed. It
// reorders its filter once and then works tile by tile: reorder in, convolve,
// reorder out. The filter's gradient with parts of the batch leaves one sum a
// chunk in the workspace; finish() adds them in order.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/host/onednn/Calls.h"
#include "drivers/host/onednn/Conv2dPlan.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::onednn;

namespace {

/// A variant ready to run in one chunk.
struct BoundVariant {
  const Conv2dVariant *variant = nullptr;
  BoundPrimitive convolution;
  BoundPrimitive reorders[kNumOperands];
};

struct Chunk {
  int64_t firstImage = 0, numImages = 0;
  /// Offset in elements of the chunk's channels in each plain array.
  int64_t channelOffset[kNumOperands] = {};
  Conv2dPart part;
  /// Full tiles and the last one, if it is smaller.
  BoundVariant full, tail;
};

class Conv2dCall : public LibraryCall {
public:
  explicit Conv2dCall(const Conv2dProblem &problem) : problem(problem) {}

  Status prepare();

  Status execute(void *const *args, int64_t chunk) override;
  Status finish(void *const *args) override;

private:
  Chunk cut(int64_t chunk) const;
  Expected<const Conv2dVariant *> variant(const Conv2dPart &part);
  Status bindVariant(BoundVariant &bound, const Conv2dVariant &variant);
  Status runTile(BoundVariant &tile, const Chunk &chunk, int64_t image,
                 void *const *args, char *slice);
  /// Copies the filter's sum out of a slice into the gradient.
  Status storeFilter(Chunk &chunk, void *const *args, char *slice);

  char *plain(void *const *args, Operand operand, const Chunk &chunk,
              int64_t image) const;
  char *slice(void *const *args, int64_t chunk) const {
    return static_cast<char *>(args[3]) + chunk * problem.config.slice;
  }
  bool sumsFilter() const {
    return problem.kind == calls::Conv2dKind::kFilterGrad;
  }
  /// Whether the sums of several chunks make up a part of the filter's
  /// gradient.
  bool addsPartialSums() const {
    return sumsFilter() && problem.config.batch_parts > 1;
  }

  Conv2dProblem problem;
  /// One per distinct part; addresses are stable.
  std::vector<std::unique_ptr<Conv2dVariant>> variants;
  /// Chunk i has part i / channel_parts of the batch and part
  /// i % channel_parts of the channels.
  std::vector<Chunk> states;
};

} // namespace

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

Chunk Conv2dCall::cut(int64_t chunk) const {
  const calls::Conv2d &conv = problem.config;
  Chunk state;
  int64_t part = chunk / conv.channel_parts;
  state.firstImage = calls::partBegin(conv.n, 1, conv.batch_parts, part);
  state.numImages = calls::partBegin(conv.n, 1, conv.batch_parts, part + 1) -
                    state.firstImage;
  state.part = {conv.tile, conv.c, conv.oc};
  if (conv.channel_parts == 1)
    return state;
  part = chunk % conv.channel_parts;
  bool data = problem.kind == calls::Conv2dKind::kDataGrad;
  int64_t channels = data ? conv.c : conv.oc;
  int64_t begin =
      calls::partBegin(channels, calls::kBlock, conv.channel_parts, part);
  int64_t count =
      calls::partBegin(channels, calls::kBlock, conv.channel_parts, part + 1) -
      begin;
  // The elements from one channel to the next.
  auto plane = [&](int64_t h, int64_t w) {
    return conv.isChannelsLast() ? 1 : h * w;
  };
  if (data) {
    state.part.inputChannels = count;
    state.channelOffset[kInput] = begin * plane(conv.h, conv.w);
    state.channelOffset[kFilter] = begin * plane(conv.kh, conv.kw);
  } else {
    state.part.outputChannels = count;
    state.channelOffset[kOutput] = begin * plane(conv.oh, conv.ow);
    state.channelOffset[kFilter] = begin * conv.c * conv.kh * conv.kw;
  }
  return state;
}

Expected<const Conv2dVariant *> Conv2dCall::variant(const Conv2dPart &part) {
  // The tiles of a chunk share its filter, and sums of all chunks are added:
  // one layout for all filters of the same extents.
  std::optional<MemoryDesc> filterLayout;
  for (const auto &known : variants) {
    if (known->part == part)
      return known.get();
    if (known->part.inputChannels == part.inputChannels &&
        known->part.outputChannels == part.outputChannels)
      filterLayout = known->primitive->argument(problem.dnnlArg(kFilter));
  }
  Expected<Conv2dVariant> planned =
      planVariant(problem, part, problem.config.slice,
                  filterLayout ? &*filterLayout : nullptr);
  if (!planned.ok())
    return planned.status();
  variants.push_back(std::make_unique<Conv2dVariant>(std::move(*planned)));
  return variants.back().get();
}

Status Conv2dCall::bindVariant(BoundVariant &bound,
                               const Conv2dVariant &variant) {
  bound.variant = &variant;
  Expected<BoundPrimitive> convolution = BoundPrimitive::create(
      variant.primitive, {problem.dnnlArg(kInput), problem.dnnlArg(kFilter),
                          problem.dnnlArg(kOutput)});
  if (!convolution.ok())
    return convolution.status();
  bound.convolution = std::move(*convolution);
  for (Operand operand : {kInput, kFilter, kOutput}) {
    if (!variant.reorders[operand])
      continue;
    Expected<BoundPrimitive> reorder = BoundPrimitive::create(
        variant.reorders[operand], {DNNL_ARG_FROM, DNNL_ARG_TO});
    if (!reorder.ok())
      return reorder.status();
    bound.reorders[operand] = std::move(*reorder);
  }
  return {};
}

Status Conv2dCall::prepare() {
  LibraryThreadScope scope;
  states.resize(problem.config.chunks());
  for (size_t i = 0; i < states.size(); ++i) {
    Chunk state = cut(i);
    Conv2dPart full = state.part, tail = state.part;
    full.images = std::min(problem.config.tile, state.numImages);
    tail.images = state.numImages % full.images;
    Expected<const Conv2dVariant *> planned = variant(full);
    if (!planned.ok())
      return planned.status();
    if (Status status = bindVariant(state.full, **planned); !status.ok())
      return status;
    if (tail.images != 0) {
      planned = variant(tail);
      if (!planned.ok())
        return planned.status();
      if (Status status = bindVariant(state.tail, **planned); !status.ok())
        return status;
    }
    states[i] = std::move(state);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

char *Conv2dCall::plain(void *const *args, Operand operand, const Chunk &chunk,
                        int64_t image) const {
  const calls::Conv2d &conv = problem.config;
  int64_t offset = chunk.channelOffset[operand];
  if (operand == kInput)
    offset += image * conv.c * conv.h * conv.w;
  else if (operand == kOutput)
    offset += image * conv.oc * conv.oh * conv.ow;
  return static_cast<char *>(args[problem.bufferIndex(operand)]) +
         offset * calls::elementBytes(conv.element());
}

/// Adds in the order of the indices; no sum is reassociated.
static void addTo(float *__restrict sum, const float *__restrict term,
                  int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    sum[i] += term[i];
}

Status Conv2dCall::runTile(BoundVariant &tile, const Chunk &chunk,
                           int64_t image, void *const *args, char *slice) {
  const Conv2dVariant &variant = *tile.variant;
  char *scratch = slice + variant.scratchOffset;
  for (Operand operand : {kInput, kOutput}) {
    char *array = plain(args, operand, chunk, image);
    BoundPrimitive &reorder = tile.reorders[operand];
    if (!reorder) {
      tile.convolution.bind(operand, array);
      continue;
    }
    char *copy = slice + variant.dataOffsets[operand];
    tile.convolution.bind(operand, copy);
    bool out = operand == problem.result();
    reorder.bind(0, out ? copy : array);
    reorder.bind(1, out ? array : copy);
    reorder.bind(2, scratch);
    if (!out)
      if (Status status = reorder.run(); !status.ok())
        return status;
  }
  tile.convolution.bind(3, scratch);

  bool first = image == chunk.firstImage;
  char *filter = tile.reorders[kFilter] ? slice + variant.filterOffset
                                        : plain(args, kFilter, chunk, 0);
  char *target =
      sumsFilter() && !first ? slice + variant.tileFilterOffset : filter;
  tile.convolution.bind(kFilter, target);
  if (Status status = tile.convolution.run(); !status.ok())
    return status;
  if (target != filter)
    addTo(reinterpret_cast<float *>(filter), reinterpret_cast<float *>(target),
          variant.filterBytes / sizeof(float));

  if (problem.result() != kFilter && tile.reorders[problem.result()])
    return tile.reorders[problem.result()].run();
  return {};
}

Status Conv2dCall::storeFilter(Chunk &chunk, void *const *args, char *slice) {
  BoundPrimitive &reorder = chunk.full.reorders[kFilter];
  reorder.bind(0, slice + chunk.full.variant->filterOffset);
  reorder.bind(1, plain(args, kFilter, chunk, 0));
  reorder.bind(2, slice + chunk.full.variant->scratchOffset);
  return reorder.run();
}

Status Conv2dCall::execute(void *const *args, int64_t index) {
  Chunk &chunk = states[index];
  char *slice = this->slice(args, index);

  BoundPrimitive &filter = chunk.full.reorders[kFilter];
  if (!sumsFilter() && filter) {
    filter.bind(0, plain(args, kFilter, chunk, 0));
    filter.bind(1, slice + chunk.full.variant->filterOffset);
    filter.bind(2, slice + chunk.full.variant->scratchOffset);
    if (Status status = filter.run(); !status.ok())
      return status;
  }
  int64_t end = chunk.firstImage + chunk.numImages;
  int64_t step = chunk.full.variant->part.images;
  for (int64_t image = chunk.firstImage; image < end; image += step) {
    BoundVariant &tile = image + step <= end ? chunk.full : chunk.tail;
    if (Status status = runTile(tile, chunk, image, args, slice); !status.ok())
      return status;
  }
  if (sumsFilter() && !addsPartialSums())
    return storeFilter(chunk, args, slice);
  return {};
}

Status Conv2dCall::finish(void *const *args) {
  if (!addsPartialSums())
    return {};
  int64_t stride = problem.config.channel_parts;
  for (int64_t first = 0; first < stride; ++first) {
    const Conv2dVariant &variant = *states[first].full.variant;
    auto sum = [&](int64_t chunk) {
      return reinterpret_cast<float *>(slice(args, chunk) +
                                       variant.filterOffset);
    };
    for (int64_t i = first + stride; i < problem.config.chunks(); i += stride)
      addTo(sum(first), sum(i), variant.filterBytes / sizeof(float));
    if (Status status = storeFilter(states[first], args, slice(args, first));
        !status.ok())
      return status;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// The steps of a dimension that is walked once only are of any size. The
/// library adds them to other numbers in 32 bits; as large as the padded input
/// they lead out of it just as well.
static void limitSteps(int64_t &stride, int64_t &dilation, int64_t padded) {
  stride = std::min(stride, padded);
  dilation = std::min(dilation, padded);
}

template <typename Config>
static Expected<std::unique_ptr<LibraryCall>>
createConvolution(const Command &command) {
  Expected<Config> config = readCall<Config>(command);
  if (!config.ok())
    return config.status();
  Conv2dProblem problem{Config::kKind, *config};
  calls::Conv2d &conv = problem.config;
  limitSteps(conv.stride_h, conv.dilation_h,
             conv.h + conv.pad_top + conv.pad_bottom);
  limitSteps(conv.stride_w, conv.dilation_w,
             conv.w + conv.pad_left + conv.pad_right);
  auto call = std::make_unique<Conv2dCall>(problem);
  call->setBlockedResult(*config);
  if (Status status = call->prepare(); !status.ok())
    return Status(status.code(), status.message(), command.location);
  return std::unique_ptr<LibraryCall>(std::move(call));
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createConv2d(const Command &command) {
  return createConvolution<calls::Conv2dForward>(command);
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createConv2dDataGrad(const Command &command) {
  return createConvolution<calls::Conv2dDataGrad>(command);
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createConv2dFilterGrad(const Command &command) {
  return createConvolution<calls::Conv2dFilterGrad>(command);
}

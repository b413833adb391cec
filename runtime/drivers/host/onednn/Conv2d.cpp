//===- Conv2d.cpp - onednn.conv2d and its two gradients -------------------===//
//
// A chunk is a part of the batch, or of the channels of what is computed
// (jobrt_conv2d_splits_channels). It reorders its filter once and then works
// tile by tile: reorder in, convolve, reorder out. The filter's gradient cut by
// batch leaves one sum a chunk in the workspace; finish() adds them in order.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/CallConfig.h"
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
  Conv2dCall(const Conv2dProblem &problem, int64_t chunks)
      : problem(problem), chunks(chunks) {}

  Status prepare(int64_t workspaceBytes);

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

  float *plain(void *const *args, Operand operand, const Chunk &chunk,
               int64_t image) const;
  char *slice(void *const *args, int64_t chunk) const {
    return static_cast<char *>(args[3]) + chunk * sliceBytes;
  }
  bool sumsFilter() const { return problem.kind == JOBRT_CONV2D_FILTER_GRAD; }

  Conv2dProblem problem;
  int64_t chunks, sliceBytes = 0, tile = 1;
  bool byChannels = false;
  /// One per distinct part; addresses are stable.
  std::vector<std::unique_ptr<Conv2dVariant>> variants;
  std::vector<Chunk> states;
  /// The chunks that have images.
  std::vector<int64_t> busy;
};

} // namespace

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

Chunk Conv2dCall::cut(int64_t chunk) const {
  const jobrt_conv2d_config &conv = problem.config;
  Chunk state;
  state.numImages = conv.n;
  state.part = {tile, conv.c, conv.oc};
  if (!byChannels) {
    state.firstImage = jobrt_chunk_begin(conv.n, 1, chunks, chunk);
    state.numImages =
        jobrt_chunk_begin(conv.n, 1, chunks, chunk + 1) - state.firstImage;
    return state;
  }
  bool data = problem.kind == JOBRT_CONV2D_DATA_GRAD;
  int64_t channels = data ? conv.c : conv.oc;
  int64_t begin = jobrt_chunk_begin(channels, 16, chunks, chunk);
  int64_t count = jobrt_chunk_begin(channels, 16, chunks, chunk + 1) - begin;
  int64_t area = conv.kh * conv.kw;
  if (data) {
    state.part.inputChannels = count;
    state.channelOffset[kInput] = begin * conv.h * conv.w;
    state.channelOffset[kFilter] = begin * area;
  } else {
    state.part.outputChannels = count;
    state.channelOffset[kOutput] = begin * conv.oh * conv.ow;
    state.channelOffset[kFilter] = begin * conv.c * area;
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
  Expected<Conv2dVariant> planned = planVariant(
      problem, part, sliceBytes, filterLayout ? &*filterLayout : nullptr);
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

Status Conv2dCall::prepare(int64_t workspaceBytes) {
  LibraryThreadScope scope;
  sliceBytes = workspaceBytes / chunks / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
  byChannels =
      jobrt_conv2d_splits_channels(&problem.config, problem.kind, chunks);
  tile = jobrt_conv2d_tile(&problem.config, problem.kind, chunks);
  states.resize(chunks);
  for (int64_t i = 0; i < chunks; ++i) {
    Chunk state = cut(i);
    if (state.numImages == 0)
      continue;
    Conv2dPart full = state.part, tail = state.part;
    full.images = jobrt_min(tile, state.numImages);
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
    busy.push_back(i);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

float *Conv2dCall::plain(void *const *args, Operand operand, const Chunk &chunk,
                         int64_t image) const {
  const jobrt_conv2d_config &conv = problem.config;
  int64_t offset = chunk.channelOffset[operand];
  if (operand == kInput)
    offset += image * conv.c * conv.h * conv.w;
  else if (operand == kOutput)
    offset += image * conv.oc * conv.oh * conv.ow;
  return static_cast<float *>(args[problem.bufferIndex(operand)]) + offset;
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
    float *array = plain(args, operand, chunk, image);
    BoundPrimitive &reorder = tile.reorders[operand];
    if (!reorder) {
      tile.convolution.bind(operand, array);
      continue;
    }
    char *copy = slice + variant.dataOffsets[operand];
    tile.convolution.bind(operand, copy);
    bool out = operand == problem.result();
    reorder.bind(0, out ? copy : static_cast<void *>(array));
    reorder.bind(1, out ? static_cast<void *>(array) : copy);
    reorder.bind(2, scratch);
    if (!out)
      if (Status status = reorder.run(); !status.ok())
        return status;
  }
  tile.convolution.bind(3, scratch);

  bool first = image == chunk.firstImage;
  char *filter = tile.reorders[kFilter]
                     ? slice + variant.filterOffset
                     : reinterpret_cast<char *>(plain(args, kFilter, chunk, 0));
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
  if (chunk.numImages == 0)
    return {};
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
  if (sumsFilter() && (byChannels || busy.size() == 1))
    return storeFilter(chunk, args, slice);
  return {};
}

Status Conv2dCall::finish(void *const *args) {
  if (!sumsFilter() || byChannels || busy.size() == 1)
    return {};
  const Conv2dVariant &variant = *states[busy[0]].full.variant;
  auto sum = [&](int64_t chunk) {
    return reinterpret_cast<float *>(slice(args, chunk) + variant.filterOffset);
  };
  for (size_t i = 1; i < busy.size(); ++i)
    addTo(sum(busy[0]), sum(busy[i]), variant.filterBytes / sizeof(float));
  return storeFilter(states[busy[0]], args, slice(args, busy[0]));
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// Checks that an output extent is what its input extent gives. No overflow:
/// every value is less than 2^31.
static void checkExtent(ConfigReader &reader, const char *key, int64_t out,
                        int64_t in, int64_t padding, int64_t kernel,
                        int64_t dilation, int64_t stride) {
  int64_t reach = dilation * (kernel - 1) + 1;
  int64_t room = in + padding - reach;
  if (room < 0 || in + padding > ConfigReader::kMaxExtent)
    reader.error(std::string("expects a padded input of at ") +
                 (room < 0
                      ? "least " + std::to_string(reach)
                      : "most " + std::to_string(ConfigReader::kMaxExtent)) +
                 " for '" + key + "' but got " + std::to_string(in + padding));
  else if (out != room / stride + 1)
    reader.error(std::string("expects '") + key + "' to be " +
                 std::to_string(room / stride + 1) + " but got " +
                 std::to_string(out));
}

/// The steps of a dimension that is walked once only are of any size. The
/// library adds them to other numbers in 32 bits; as large as the padded input
/// they lead out of it just as well.
static void limitSteps(int64_t &stride, int64_t &dilation, int64_t padded) {
  stride = jobrt_min(stride, padded);
  dilation = jobrt_min(dilation, padded);
}

static jobrt_conv2d_config readConfig(ConfigReader &reader) {
  jobrt_conv2d_config conv;
  conv.n = reader.integer("n", 1);
  conv.c = reader.integer("c", 1);
  conv.h = reader.integer("h", 1);
  conv.w = reader.integer("w", 1);
  conv.oc = reader.integer("oc", 1);
  conv.kh = reader.integer("kh", 1);
  conv.kw = reader.integer("kw", 1);
  conv.oh = reader.integer("oh", 1);
  conv.ow = reader.integer("ow", 1);
  conv.stride_h = reader.integer("stride_h", 1);
  conv.stride_w = reader.integer("stride_w", 1);
  conv.pad_top = reader.integer("pad_top", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.pad_left = reader.integer("pad_left", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.pad_bottom = reader.integer("pad_bottom", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.pad_right = reader.integer("pad_right", 0, JOBRT_CONV2D_MAX_PADDING);
  conv.dilation_h = reader.integer("dilation_h", 1);
  conv.dilation_w = reader.integer("dilation_w", 1);
  conv.groups = reader.integer("groups", 1);
  if (!reader.ok())
    return conv;
  for (auto [key, channels] : {std::pair("c", conv.c), {"oc", conv.oc}})
    if (channels % conv.groups != 0)
      reader.error(std::string("expects '") + key +
                   "' to be a multiple of the " + std::to_string(conv.groups) +
                   " groups but got " + std::to_string(channels));
  int64_t padH = conv.pad_top + conv.pad_bottom,
          padW = conv.pad_left + conv.pad_right;
  checkExtent(reader, "oh", conv.oh, conv.h, padH, conv.kh, conv.dilation_h,
              conv.stride_h);
  checkExtent(reader, "ow", conv.ow, conv.w, padW, conv.kw, conv.dilation_w,
              conv.stride_w);
  limitSteps(conv.stride_h, conv.dilation_h, conv.h + padH);
  limitSteps(conv.stride_w, conv.dilation_w, conv.w + padW);
  return conv;
}

static Expected<std::unique_ptr<LibraryCall>>
createConvolution(const Command &command, jobrt_conv2d_kind kind) {
  ConfigReader reader(command);
  Conv2dProblem problem{kind, readConfig(reader)};
  std::vector<ConfigReader::Buffer> buffers(kNumOperands);
  if (reader.ok()) {
    const jobrt_conv2d_config &conv = problem.config;
    buffers[problem.bufferIndex(kInput)] = {
        kind == JOBRT_CONV2D_DATA_GRAD ? "grad_input" : "input",
        arrayBytes({conv.n, conv.c, conv.h, conv.w})};
    buffers[problem.bufferIndex(kFilter)] = {
        kind == JOBRT_CONV2D_FILTER_GRAD ? "grad_filter" : "filter",
        arrayBytes({conv.oc, conv.c / conv.groups, conv.kh, conv.kw})};
    buffers[problem.bufferIndex(kOutput)] = {
        kind == JOBRT_CONV2D_FORWARD ? "out" : "grad_out",
        arrayBytes({conv.n, conv.oc, conv.oh, conv.ow})};
  }
  ConfigReader::Buffer result = buffers.back();
  buffers.pop_back();
  reader.finish(buffers, {result}, /*workspace=*/true);
  if (!reader.ok())
    return reader.status();
  auto call = std::make_unique<Conv2dCall>(problem, command.chunks);
  if (Status status = call->prepare(command.args[3].bytes); !status.ok())
    return Status(status.code(), status.message(), command.location);
  return std::unique_ptr<LibraryCall>(std::move(call));
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createConv2d(const Command &command) {
  return createConvolution(command, JOBRT_CONV2D_FORWARD);
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createConv2dDataGrad(const Command &command) {
  return createConvolution(command, JOBRT_CONV2D_DATA_GRAD);
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createConv2dFilterGrad(const Command &command) {
  return createConvolution(command, JOBRT_CONV2D_FILTER_GRAD);
}

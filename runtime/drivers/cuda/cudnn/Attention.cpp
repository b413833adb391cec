//===- Attention.cpp - cudnn.attention and its gradient -------------------===//
//
// The graphs are those of NVIDIA's frontend, which the library's engines for
// flash attention recognize: any other order of operations, type of a virtual
// tensor or dimension has no engine. Dimensions are in the order batch, head,
// position, channel, whatever the order in memory, which is that of the
// strides.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/cuda/cudnn/Cudnn.h"
#include "drivers/cuda/cudnn/ExecutionPlan.h"
#include "drivers/cuda/cudnn/Graph.h"
#include "drivers/cuda/cudnn/GraphBuilder.h"

#include <limits>

namespace jobrt::cuda::cudnn {

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
/// What both graphs are made of.
class AttentionGraph {
public:
  using Tensor = GraphBuilder::Tensor;
  using Extents = GraphBuilder::Extents;

  AttentionGraph(const Api &api, const calls::CudnnAttentionBase &config,
                 int64_t batch)
      : config(config), batch(batch), element(getDataType(config.element())),
        graph(api) {}

  Expected<OwnedDescriptor> buildForward(Handle handle);
  Expected<OwnedDescriptor>
  buildGradient(Handle handle, const calls::CudnnAttentionGrad &config);

private:
  /// Heads of an array of (batch, position, head, channel), as matrices of
  /// positions and channels or of channels and positions. The array has
  /// `otherHeads` beside them.
  Tensor addArray(int64_t positions, int64_t channels, int64_t otherHeads = 0,
                  bool isTransposed = false) {
    Extents extents = {batch, config.heads, positions, channels};
    Extents strides = getStrides(positions, channels, otherHeads);
    if (isTransposed) {
      std::swap(extents[2], extents[3]);
      std::swap(strides[2], strides[3]);
    }
    return graph.addArgument(element, extents, strides);
  }
  Extents getStrides(int64_t positions, int64_t channels,
                     int64_t otherHeads) const {
    int64_t row = (config.heads + otherHeads) * channels;
    return {positions * row, channels, row, 1};
  }
  Tensor addQuery() {
    return addArray(config.queries, config.channels,
                    config.query_before + config.query_after);
  }
  /// Transposed.
  Tensor addKey() {
    return addArray(config.keys, config.channels,
                    config.key_before + config.key_after,
                    /*isTransposed=*/true);
  }
  Tensor addValue(bool isTransposed) {
    return addArray(config.keys, config.value_channels,
                    config.value_before + config.value_after, isTransposed);
  }
  Tensor addResult() { return addArray(config.queries, config.value_channels); }

  Extents rows() const { return {batch, config.heads, config.queries, 1}; }
  Extents scores() const {
    return {batch, config.heads, config.queries, config.keys};
  }
  /// The first of a part of the batch may be anywhere.
  Tensor addRows() {
    return graph.addArgument(
        kTypeF32, rows(), {config.heads * config.queries, config.queries, 1, 1},
        sizeof(float));
  }
  Tensor newRows() { return graph.addVirtual(kTypeF32, rows()); }
  Tensor newScores(int type = kTypeF32) {
    return graph.addVirtual(type, scores());
  }

  /// x op y for each score. y is scores as well, or one number for each row or
  /// for all.
  Tensor combine(int mode, Tensor x, Tensor y) {
    return graph.pointwise({mode}, x, newScores(), y);
  }

  /// The scores, and -infinity for keys that a query does not see.
  Tensor mask(Tensor x);
  /// The transposed scores, rounded as a factor.
  Tensor transpose(Tensor x);

  const calls::CudnnAttentionBase &config;
  /// The images of the graph.
  int64_t batch;
  int element;
  GraphBuilder graph;
  /// Scalars of a mask, which are the last arguments.
  Tensor lowest = 0, keys = 0, queries = 0;

  void addMaskScalars();
  /// Whether the mask is not from corner to corner.
  bool isShifted() const { return config.keys != config.queries; }
};
} // namespace

/// In the order of `Scalars`.
void AttentionGraph::addMaskScalars() {
  if (!config.causal)
    return;
  lowest = graph.addScalar(kTypeF32);
  if (isShifted()) {
    keys = graph.addScalar(kTypeI32);
    queries = graph.addScalar(kTypeI32);
  }
}

AttentionGraph::Tensor AttentionGraph::mask(Tensor x) {
  if (!config.causal)
    return x;
  auto index = [&](int64_t axis) {
    return graph.pointwise({kPointwiseGenIndex, kTypeF32, axis}, x,
                           newScores(kTypeI32));
  };
  Tensor row = index(2), column = index(3);
  if (isShifted()) {
    row = graph.pointwise({kPointwiseAdd, kTypeI32}, row, newScores(kTypeI32),
                          keys);
    row = graph.pointwise({kPointwiseSub, kTypeI32}, row, newScores(kTypeI32),
                          queries);
  }
  Tensor isSeen = graph.pointwise({kPointwiseCompareGE, kTypeBoolean}, row,
                                  newScores(kTypeBoolean), column);
  return graph.pointwise({kPointwiseBinarySelect}, x, newScores(), lowest,
                         isSeen);
}

AttentionGraph::Tensor AttentionGraph::transpose(Tensor x) {
  int64_t head = config.queries * config.keys;
  return graph.reshape(
      x, graph.addVirtual(element,
                          {batch, config.heads, config.keys, config.queries},
                          {config.heads * head, head, 1, config.keys}));
}

Expected<OwnedDescriptor> AttentionGraph::buildForward(Handle handle) {
  Tensor query = addQuery(), key = addKey(),
         value = addValue(/*isTransposed=*/false), result = addResult(),
         logsumexp = addRows(), scale = graph.addScalar(kTypeF32);
  addMaskScalars();

  Tensor x = graph.matmul(query, key, newScores());
  x = mask(combine(kPointwiseMul, x, scale));
  Tensor largest = graph.reduce(kReduceMax, x, newRows());
  x = combine(kPointwiseSub, x, largest);
  x = graph.pointwise({kPointwiseExp}, x, newScores());
  Tensor sum = graph.reduce(kReduceAdd, x, newRows());
  Tensor logarithm = graph.pointwise({kPointwiseLog}, sum, newRows());
  graph.pointwise({kPointwiseAdd}, largest, logsumexp, logarithm);
  Tensor weights = graph.pointwise({kPointwiseDiv}, x, newScores(element), sum);
  graph.matmul(weights, value, result);
  return graph.finish(handle);
}

/// The gradient of the queries is a product of the scores' gradient, which the
/// library stores: sums over blocks of keys in any order would not have the
/// same bits in every run.
Expected<OwnedDescriptor>
AttentionGraph::buildGradient(Handle handle,
                              const calls::CudnnAttentionGrad &grads) {
  int64_t channels = config.channels, valueChannels = config.value_channels;
  std::vector<int64_t> others = grads.otherHeadsOfGrads();
  Tensor grad = addResult(), query = addQuery(), key = addKey(),
         value = addValue(/*isTransposed=*/true), result = addResult(),
         logsumexp = addRows(),
         queryGrad = addArray(config.queries, channels, others[0]),
         keyGrad = addArray(config.keys, channels, others[1]),
         valueGrad = addArray(config.keys, valueChannels, others[2]),
         sums = addRows(), scale = graph.addScalar(kTypeF32),
         one = graph.addScalar(kTypeF32);
  addMaskScalars();

  // rowsum(dY * Y), stored.
  int64_t heads = config.heads;
  Tensor products =
      graph.addVirtual(kTypeF32, {batch, heads, config.queries, valueChannels});
  graph.pointwise({kPointwiseMul}, grad, products, result);
  Tensor sum = graph.reduce(kReduceAdd, products, newRows());
  graph.pointwise({kPointwiseMul}, sum, sums, one);

  Tensor x = graph.matmul(query, key, newScores());
  x = combine(kPointwiseMul, x, scale);
  x = mask(combine(kPointwiseSub, x, logsumexp));
  Tensor weights = graph.pointwise({kPointwiseExp}, x, newScores());
  graph.matmul(transpose(weights), grad, valueGrad);

  x = graph.matmul(grad, value, newScores());
  x = combine(kPointwiseSub, x, sums);
  x = combine(kPointwiseMul, x, weights);
  x = combine(kPointwiseMul, x, scale);
  graph.matmul(transpose(x), query, keyGrad);

  Tensor untransposed = graph.addVirtual(
      element, {batch, heads, config.keys, channels},
      getStrides(config.keys, channels, config.key_before + config.key_after));
  graph.matmul(x, graph.reshape(key, untransposed), queryGrad);
  return graph.finish(handle);
}

Expected<OwnedDescriptor> createAttention(const Api &api, Handle handle,
                                          const calls::CudnnAttention &config) {
  return AttentionGraph(api, config, config.batch).buildForward(handle);
}

Expected<OwnedDescriptor>
createAttentionGrad(const Api &api, Handle handle,
                    const calls::CudnnAttentionGrad &config) {
  return AttentionGraph(api, config, config.batch / config.batch_parts)
      .buildGradient(handle, config);
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// Before it, a mask that is not from corner to corner needs positions in whole
/// blocks.
static constexpr size_t kForwardMinor = 6;
/// Before it, the gradients need keys in whole blocks.
static constexpr size_t kPartialBlockMinor = 16;
static constexpr int64_t kGradKeyBlock = 128;
/// The first with deterministic gradients on Blackwell.
static constexpr size_t kBlackwellMinor = 18;
static constexpr int kBlackwell = 10;

static Status checkVersion(const Api &api, const DeviceContext &,
                           const calls::CudnnAttention &) {
  return api.requireVersion(kForwardMinor, "attention");
}

static Status checkVersion(const Api &api, const DeviceContext &device,
                           const calls::CudnnAttentionGrad &config) {
  size_t minor = kForwardMinor;
  if (config.keys % kGradKeyBlock != 0)
    minor = kPartialBlockMinor;
  if (device.major() == kBlackwell)
    minor = kBlackwellMinor;
  return api.requireVersion(minor, "the gradient of attention");
}

/// The first that names a configuration of these kernels by its tiles.
static constexpr size_t kTileKnobsVersion = 92300;
/// Of compute capability 10: the last one with the engines of the first.
static constexpr int kFirstBlackwellMinor = 3;

EngineChoice getBlackwellAttentionGrad(size_t version, int deviceMinor) {
  int64_t engine = deviceMinor > kFirstBlackwellMinor ? 17 : 5;
  if (version < kTileKnobsVersion)
    return {engine, {{kKnobKernelConfig, 31}, {kKnobStages, 2}}};
  return {engine,
          {{kKnobTileM, 3},
           {kKnobTileN, 2},
           {kKnobKernelConfig, 2},
           {kKnobStreamK, 0},
           {kKnobTileCgaM, 0},
           {kKnobStages, 2}}};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The numbers of a graph that are in memory of the host.
class Scalars {
public:
  /// `hasOne` is of the gradient's graph.
  Scalars(const Api &api, const calls::CudnnAttentionBase &config, bool hasOne)
      : scale(static_cast<float>(config.scale)),
        keys(static_cast<int32_t>(config.keys)),
        queries(static_cast<int32_t>(config.queries)) {
    using Limits = std::numeric_limits<float>;
    // Every query sees a key, so that both are the same. Engines before 9.10
    // make a NaN of an infinity.
    lowest = api.version < 91000 ? Limits::lowest() : -Limits::infinity();
    add(scale);
    if (hasOne)
      add(one);
    if (!config.causal)
      return;
    add(lowest);
    if (config.keys != config.queries) {
      add(keys);
      add(queries);
    }
  }
  Scalars(const Scalars &) = delete;
  Scalars &operator=(const Scalars &) = delete;

  /// In the order in which the graphs add them.
  const std::vector<DevicePointer> &pointers() const { return addresses; }

private:
  template <typename T> void add(const T &number) {
    addresses.push_back(reinterpret_cast<DevicePointer>(&number));
  }

  float scale, one = 1, lowest;
  int32_t keys, queries;
  std::vector<DevicePointer> addresses;
};

/// An array of the graph: where it is in which buffer of the command, and the
/// bytes of the buffer that belong to a part of the batch.
struct Array {
  size_t buffer;
  int64_t offset, partBytes;
};

/// The graph of a part of the batch, submitted for each part.
class AttentionCall final : public Call {
public:
  /// `rowBytes` is 0 without sums of rows.
  AttentionCall(std::shared_ptr<ExecutionPlan> plan,
                std::unique_ptr<Scalars> scalars, std::vector<Array> arrays,
                size_t buffers, int64_t parts, int64_t rowBytes,
                bool hasWorkspace)
      : plan(std::move(plan)), scalars(std::move(scalars)),
        arrays(std::move(arrays)), buffers(buffers), parts(parts),
        rowBytes(rowBytes), hasWorkspace(hasWorkspace) {}

  Status enqueue(const DevicePointer *args, Stream stream) override {
    std::vector<DevicePointer> pointers;
    for (const Array &array : arrays)
      pointers.push_back(args[array.buffer] + array.offset);
    if (rowBytes > 0)
      pointers.push_back(args[buffers]);
    const std::vector<DevicePointer> &numbers = scalars->pointers();
    pointers.insert(pointers.end(), numbers.begin(), numbers.end());
    DevicePointer workspace = hasWorkspace ? args[buffers] + rowBytes : 0;
    for (int64_t part = 0; part < parts; ++part) {
      if (Status status = plan->enqueue(pointers.data(), workspace, stream);
          !status.ok())
        return status;
      for (size_t i = 0; i < arrays.size(); ++i)
        pointers[i] += arrays[i].partBytes;
    }
    return {};
  }
  std::string algorithm() const override { return plan->algorithm(); }

private:
  std::shared_ptr<ExecutionPlan> plan;
  std::unique_ptr<Scalars> scalars;
  std::vector<Array> arrays;
  /// Those of the command, after which the workspace comes.
  size_t buffers;
  int64_t parts, rowBytes;
  bool hasWorkspace;
};

/// What differs between the two functions.
template <typename Config> struct Function;
template <> struct Function<calls::CudnnAttention> {
  static constexpr auto createGraph = createAttention;
  static int64_t getParts(const calls::CudnnAttention &) { return 1; }
  static int64_t getRowBytes(const calls::CudnnAttention &) { return 0; }
  static bool needsChoice(const DeviceContext &) { return false; }
};
template <> struct Function<calls::CudnnAttentionGrad> {
  static constexpr auto createGraph = createAttentionGrad;
  static int64_t getParts(const calls::CudnnAttentionGrad &config) {
    return config.batch_parts;
  }
  static int64_t getRowBytes(const calls::CudnnAttentionGrad &config) {
    return config.rowBytes();
  }
  static bool needsChoice(const DeviceContext &device) {
    return device.major() == kBlackwell;
  }
};
} // namespace

template <typename Config>
static Expected<std::unique_ptr<Call>> prepare(ExecutionPlans &plans,
                                               const DeviceContext &device,
                                               const Command &command) {
  const Api &api = plans.getApi();
  Handle handle = plans.getHandle();
  Expected<Config> config = readCall<Config>(command);
  if (!config.ok())
    return config.status();
  if (Status status = checkVersion(api, device, *config); !status.ok())
    return status;
  using Traits = Function<Config>;
  EngineLimits limits;
  limits.workspace = config->workspace;
  limits.allowsTensorCores = true;
  int64_t parts = Traits::getParts(*config),
          rowBytes = Traits::getRowBytes(*config);
  std::vector<calls::Buffer> buffers = config->buffers();
  std::vector<Array> arrays;
  for (const calls::HeadsPlace &place : config->places()) {
    const calls::Buffer &buffer = buffers[place.buffer];
    arrays.push_back({place.buffer,
                      place.first * buffer.extents.back() *
                          calls::elementBytes(buffer.element),
                      calls::arrayBytes(buffer) / parts});
  }
  auto scalars = std::make_unique<Scalars>(api, *config, rowBytes > 0);
  auto count = static_cast<int64_t>(arrays.size() + (rowBytes > 0) +
                                    scalars->pointers().size());
  auto createPlan = [&]() -> Expected<ExecutionPlan> {
    Expected<OwnedDescriptor> graph = Traits::createGraph(api, handle, *config);
    if (!graph.ok())
      return graph.status();
    return Traits::needsChoice(device)
               ? ExecutionPlan::create(
                     api, handle, *graph, limits, count,
                     getBlackwellAttentionGrad(api.version, device.minor()))
               : ExecutionPlan::create(api, handle, *graph, limits, count);
  };
  Expected<std::shared_ptr<ExecutionPlan>> plan =
      plans.get(command, createPlan);
  if (!plan.ok())
    return plan.status();
  return withElements(
      std::unique_ptr<Call>(std::make_unique<AttentionCall>(
          std::move(*plan), std::move(scalars), std::move(arrays),
          buffers.size(), parts, rowBytes, config->workspace > 0)),
      *config);
}

Expected<std::unique_ptr<Call>> prepareAttention(ExecutionPlans &plans,
                                                 const DeviceContext &device,
                                                 const Command &command) {
  if (command.callee == calls::CudnnAttention::kCallee)
    return prepare<calls::CudnnAttention>(plans, device, command);
  return prepare<calls::CudnnAttentionGrad>(plans, device, command);
}

} // namespace jobrt::cuda::cudnn

//===- Attention.cpp - Kernels of attention -------------------------------===//
//
// A call of the runtime's own functions, for f32 on a CPU, of cuDNN, for f16
// and bf16 on a GPU, or a loop.
//
//===----------------------------------------------------------------------===//

#include "CallConfig.h"
#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/Conversion/Math.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Support/OperationCount.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Library calls
//===----------------------------------------------------------------------===//

template <typename Op>
static jobrt::calls::AttentionGeometry getGeometry(Op op) {
  ArrayRef<int64_t> query = op.getQuery().getType().getShape();
  ArrayRef<int64_t> value = op.getValue().getType().getShape();
  jobrt::calls::AttentionGeometry config;
  config.batch = query[0];
  config.heads = op.getResult().getType().getDimSize(2);
  config.queries = query[1];
  config.keys = value[1];
  config.channels = query[3];
  config.value_channels = value[3];
  config.causal = op.getCausal();
  config.scale = op.getScale().convertToDouble();
  return config;
}

/// A multiply-add for each pair of a query and a key that it sees, and each of
/// `terms` channels.
static int64_t
getOperationCount(const jobrt::calls::AttentionGeometry &attention,
                  int64_t terms) {
  int64_t queries = attention.queries, keys = attention.keys;
  if (attention.causal) {
    // queries * (2 keys - queries + 1) / 2 pairs; one of the two is even.
    keys = 2 * keys - queries + 1;
    (queries % 2 == 0 ? queries : keys) /= 2;
  }
  return getOperationCount(
      {2, attention.batch, attention.heads, queries, keys, terms});
}

/// The configuration of a function without its split.
template <typename Config, typename Op> static Config makeConfig(Op op) {
  Config config;
  static_cast<jobrt::calls::AttentionGeometry &>(config) = getGeometry(op);
  return config;
}

/// The configuration of one of cuDNN's functions, null if no engine computes
/// blobs of this type and these shapes.
template <typename Attr, typename Config, typename Op>
static Attribute getCUDAConfig(Op op) {
  std::optional<jobrt::calls::Element> element =
      getCallElement(op.getQuery().getType().getElementType());
  if (!element)
    return {};
  auto config = makeConfig<Config>(op);
  config.type = static_cast<int64_t>(*element);
  ArrayRef<int64_t> before = op.getHeadsBefore(), after = op.getHeadsAfter();
  config.query_before = before[0];
  config.query_after = after[0];
  config.key_before = before[1];
  config.key_after = after[1];
  config.value_before = before[2];
  config.value_after = after[2];
  if constexpr (std::is_same_v<Op, AttentionGradOp>) {
    config.join_query_key = op.getJoinQueryKey();
    config.join_key_value = op.getJoinKeyValue();
  }
  if (!jobrt::calls::check(config).empty())
    return {};
  splitWork(config);
  return Attr::get(op.getContext(), config);
}

/// The configuration of one of the host's functions, which take whole arrays;
/// null for parts of some.
template <typename Attr, typename Config, typename Op>
static Attribute getHostConfig(Op op, StringRef target, int64_t maxChunks) {
  auto isZero = [](int64_t heads) { return heads == 0; };
  if (!llvm::all_of(op.getHeadsBefore(), isZero) ||
      !llvm::all_of(op.getHeadsAfter(), isZero))
    return {};
  if constexpr (std::is_same_v<Op, AttentionGradOp>)
    if (op.getJoinQueryKey() || op.getJoinKeyValue())
      return {};
  auto config = makeConfig<Config>(op);
  return makeCallConfig<Attr>(op, target, config,
                              [&] { splitWork(config, maxChunks); });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Heads of a blob, or none.
struct Heads {
  Value blob;
  int64_t first = 0;

  explicit operator bool() const { return static_cast<bool>(blob); }
};

/// Builds the loops of one head of one image. Blobs are indexed (batch,
/// position, head, channel).
struct AttentionLoops {
  KernelBuilder b;
  jobrt::calls::AttentionGeometry attention;
  double scale;
  Value image, head;

  template <typename Op>
  AttentionLoops(Op op, OpBuilder &builder)
      : b(builder, op.getLoc(), op.getQuery().getType().getElementType()),
        attention(getGeometry(op)), scale(op.getScale().convertToDouble()) {}

  SmallVector<Value> at(Heads heads, Value position, Value channel) const {
    return {image, position, b.add(head, heads.first), channel};
  }
  Value load(Heads heads, Value position, Value channel) const {
    return b.load(heads.blob, at(heads, position, channel));
  }
  void store(Value value, Heads heads, Value position, Value channel) const {
    b.store(value, heads.blob, at(heads, position, channel));
  }
  void add(Value value, Heads heads, Value position, Value channel) const {
    store(b.add(load(heads, position, channel), value), heads, position,
          channel);
  }
  void clear(Heads heads, Value position, int64_t channels) const {
    b.loop(channels,
           [&](Value c) { store(b.constant(0), heads, position, c); });
  }

  /// The sum over the channels of a row of `x` and one of `y`.
  Value buildDot(Heads x, Value xPosition, Heads y, Value yPosition,
                 int64_t channels) const {
    return b.reduce(channels, b.constant(0),
                    [&](Value c, ValueRange carried) -> SmallVector<Value> {
                      Value term =
                          b.mul(load(x, xPosition, c), load(y, yPosition, c));
                      return {b.add(carried[0], term)};
                    })[0];
  }

  Value buildScore(Heads query, Value t, Heads key, Value k) const {
    return b.mul(buildDot(query, t, key, k, attention.channels),
                 b.constant(scale));
  }

  Value getNumVisible(Value t) const {
    return attention.causal ? b.add(t, attention.keys - attention.queries + 1)
                            : b.index(attention.keys);
  }

  /// The result and the logsumexp of one query, either of them null if it has
  /// no use.
  void buildQuery(Value t, Heads query, Heads key, Heads value, Heads result,
                  Value logsumexp) const {
    Value zero = b.index(0), visible = getNumVisible(t);
    Value largest =
        b.reduce(zero, visible, 1, b.neg(b.infinity()),
                 [&](Value k, ValueRange carried) -> SmallVector<Value> {
                   Value score = buildScore(query, t, key, k);
                   return {b.make<arith::MaximumFOp>(carried[0], score)};
                 })[0];
    auto buildWeight = [&](Value k) {
      return buildExp(b, b.sub(buildScore(query, t, key, k), largest));
    };
    Value sum =
        b.reduce(zero, visible, 1, b.constant(0),
                 [&](Value k, ValueRange carried) -> SmallVector<Value> {
                   return {b.add(carried[0], buildWeight(k))};
                 })[0];
    if (logsumexp)
      b.store(b.add(largest, buildLog(b, sum)), logsumexp, {image, head, t});
    if (!result)
      return;
    clear(result, t, attention.value_channels);
    b.loop(zero, visible, 1, [&](Value k) {
      Value weight = b.div(buildWeight(k), sum);
      b.loop(attention.value_channels, [&](Value c) {
        add(b.mul(weight, load(value, k, c)), result, t, c);
      });
    });
  }

  /// Of a gradient: the blobs, any result null if it has no use.
  struct Blobs {
    Heads grad, query, key, value, result;
    Value logsumexp;
    Heads queryGrad, keyGrad, valueGrad;

    Blobs(AttentionGradOp op, ValueRange operands, ValueRange results)
        : grad{operands[0]}, query{operands[1], op.getHeadsBefore()[0]},
          key{operands[2], op.getHeadsBefore()[1]},
          value{operands[3], op.getHeadsBefore()[2]}, result{operands[4]},
          logsumexp(operands[5]) {
      auto get = [&](unsigned index) -> Heads {
        auto [number, first] = op.getGradPlace(index);
        return {results[number], first};
      };
      queryGrad = get(0);
      keyGrad = get(1);
      valueGrad = get(2);
    }
  };

  Value buildWeight(const Blobs &blobs, Value t, Value k) const {
    Value shift = b.load(blobs.logsumexp, {image, head, t});
    return buildExp(b, b.sub(buildScore(blobs.query, t, blobs.key, k), shift));
  }
  /// What a weight's gradient is relative to: the same for all keys.
  Value buildMean(const Blobs &blobs, Value t) const {
    return buildDot(blobs.grad, t, blobs.result, t, attention.value_channels);
  }
  Value buildScoreGrad(const Blobs &blobs, Value t, Value k, Value weight,
                       Value mean) const {
    Value weightGrad =
        buildDot(blobs.grad, t, blobs.value, k, attention.value_channels);
    return b.mul(b.mul(weight, b.constant(scale)), b.sub(weightGrad, mean));
  }

  /// The gradient of one query.
  void buildQueryGrad(Value t, const Blobs &blobs) const {
    if (!blobs.queryGrad)
      return;
    clear(blobs.queryGrad, t, attention.channels);
    Value mean = buildMean(blobs, t);
    b.loop(b.index(0), getNumVisible(t), 1, [&](Value k) {
      Value scoreGrad =
          buildScoreGrad(blobs, t, k, buildWeight(blobs, t, k), mean);
      b.loop(attention.channels, [&](Value c) {
        add(b.mul(scoreGrad, load(blobs.key, k, c)), blobs.queryGrad, t, c);
      });
    });
  }

  /// The gradients of one key and its value: sums over the queries that see it.
  void buildKeyGrads(Value k, const Blobs &blobs) const {
    if (blobs.keyGrad)
      clear(blobs.keyGrad, k, attention.channels);
    if (blobs.valueGrad)
      clear(blobs.valueGrad, k, attention.value_channels);
    if (!blobs.keyGrad && !blobs.valueGrad)
      return;
    Value first = b.index(0);
    if (attention.causal)
      first = b.max(b.add(k, attention.queries - attention.keys), 0);
    b.loop(first, b.index(attention.queries), 1, [&](Value t) {
      Value weight = buildWeight(blobs, t, k);
      if (blobs.valueGrad)
        b.loop(attention.value_channels, [&](Value c) {
          add(b.mul(weight, load(blobs.grad, t, c)), blobs.valueGrad, k, c);
        });
      if (!blobs.keyGrad)
        return;
      Value scoreGrad =
          buildScoreGrad(blobs, t, k, weight, buildMean(blobs, t));
      b.loop(attention.channels, [&](Value c) {
        add(b.mul(scoreGrad, load(blobs.query, t, c)), blobs.keyGrad, k, c);
      });
    });
  }
};

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

struct AttentionCallModel
    : LibraryCallOpInterface::ExternalModel<AttentionCallModel, AttentionOp> {
  int64_t getCallFlops(Operation *op) const {
    jobrt::calls::AttentionGeometry config = getGeometry(cast<AttentionOp>(op));
    return getOperationCount(config, config.channels + config.value_channels);
  }
  Attribute getCallConfig(Operation *op, StringRef target,
                          int64_t maxChunks) const {
    auto attention = cast<AttentionOp>(op);
    if (target == kCUDATarget)
      return getCUDAConfig<plan::CudnnAttentionAttr,
                           jobrt::calls::CudnnAttention>(attention);
    return getHostConfig<plan::AttentionAttr, jobrt::calls::Attention>(
        attention, target, maxChunks);
  }
};

struct AttentionGradCallModel
    : LibraryCallOpInterface::ExternalModel<AttentionGradCallModel,
                                            AttentionGradOp> {
  int64_t getCallFlops(Operation *op) const {
    jobrt::calls::AttentionGeometry config =
        getGeometry(cast<AttentionGradOp>(op));
    return getOperationCount(config,
                             3 * config.channels + 2 * config.value_channels);
  }
  Attribute getCallConfig(Operation *op, StringRef target,
                          int64_t maxChunks) const {
    auto attention = cast<AttentionGradOp>(op);
    if (target == kCUDATarget)
      return getCUDAConfig<plan::CudnnAttentionGradAttr,
                           jobrt::calls::CudnnAttentionGrad>(attention);
    return getHostConfig<plan::AttentionGradAttr, jobrt::calls::AttentionGrad>(
        attention, target, maxChunks);
  }
};

/// One item is a query of one head.
struct AttentionLoopModel
    : LoopKernelOpInterface::ExternalModel<AttentionLoopModel, AttentionOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &) const {
    return cast<AttentionOp>(op).getLogsumexp().getType().getNumElements();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &) const {
    jobrt::calls::AttentionGeometry config = getGeometry(cast<AttentionOp>(op));
    return config.keys * (6 * config.channels + 2 * config.value_channels + 40);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &,
                 Value item, ValueRange operands, ValueRange results) const {
    auto attention = cast<AttentionOp>(op);
    AttentionLoops loops(attention, builder);
    const jobrt::calls::AttentionGeometry &config = loops.attention;
    SmallVector<Value> indices =
        loops.b.delinearize(item, {config.batch, config.heads, config.queries});
    loops.image = indices[0];
    loops.head = indices[1];
    ArrayRef<int64_t> before = attention.getHeadsBefore();
    loops.buildQuery(indices[2], {operands[0], before[0]},
                     {operands[1], before[1]}, {operands[2], before[2]},
                     {results[0]}, results[1]);
  }
};

/// One item is a query of one head, or a key after all queries. The weights are
/// computed for both, so that no two items add to one element.
struct AttentionGradLoopModel
    : LoopKernelOpInterface::ExternalModel<AttentionGradLoopModel,
                                           AttentionGradOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &) const {
    jobrt::calls::AttentionGeometry config =
        getGeometry(cast<AttentionGradOp>(op));
    return config.batch * config.heads * (config.queries + config.keys);
  }
  int64_t getItemCost(Operation *op, const TargetCosts &) const {
    jobrt::calls::AttentionGeometry config =
        getGeometry(cast<AttentionGradOp>(op));
    return llvm::divideCeil(config.queries * config.keys,
                            config.queries + config.keys) *
           (8 * config.channels + 8 * config.value_channels + 40);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &,
                 Value item, ValueRange operands, ValueRange results) const {
    auto attention = cast<AttentionGradOp>(op);
    AttentionLoops loops(attention, builder);
    const KernelBuilder &b = loops.b;
    const jobrt::calls::AttentionGeometry &config = loops.attention;
    SmallVector<Value> indices = b.delinearize(
        item, {config.batch, config.heads, config.queries + config.keys});
    loops.image = indices[0];
    loops.head = indices[1];
    AttentionLoops::Blobs blobs(attention, operands, results);
    b.branch(
        b.isBelow(indices[2], config.queries),
        [&] { loops.buildQueryGrad(indices[2], blobs); },
        [&] {
          loops.buildKeyGrads(b.add(indices[2], -config.queries), blobs);
        });
  }
};

} // namespace

void job::attachAttentionModels(MLIRContext *context) {
  AttentionOp::attachInterface<AttentionCallModel, AttentionLoopModel>(
      *context);
  AttentionGradOp::attachInterface<AttentionGradCallModel,
                                   AttentionGradLoopModel>(*context);
}

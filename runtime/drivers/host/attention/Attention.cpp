//===- Attention.cpp - host.attention and host.attention_grad -------------===//
//
// A chunk has some heads, or where there are too few a range of queries of one.
// The gradients of keys and values are sums over all queries: chunks with a
// range of them leave theirs in the workspace, and finish() adds these in
// order.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/host/attention/Calls.h"
#include "drivers/host/attention/Kernels.h"

#include <algorithm>
#include <cmath>

using namespace jobrt;
using namespace jobrt::attention;

namespace {

/// The work of one chunk: heads [first, end), and of each the queries
/// [begin, stop).
struct Part {
  int64_t first, end;
  int64_t begin, stop;
};

class AttentionCall : public LibraryCall {
public:
  AttentionCall(const calls::AttentionBase &config, int64_t slice)
      : config(config), kernels(*supportedKernels().kernels[0]), slice(slice) {
    problem.queries = config.queries;
    problem.keys = config.keys;
    problem.channels = config.channels;
    problem.valueChannels = config.value_channels;
    problem.channelStride = config.heads * config.channels;
    problem.valueStride = config.heads * config.value_channels;
    problem.causal = config.causal;
    problem.scale = static_cast<float>(config.scale);
  }

protected:
  Part cut(int64_t chunk) const;

  /// The first position of a head in a blob with `extent` positions of
  /// `stride` elements.
  float *at(void *blob, int64_t item, int64_t extent, int64_t stride) const {
    int64_t image = item / config.heads, head = item % config.heads;
    return static_cast<float *>(blob) + image * extent * stride +
           head * (stride / config.heads);
  }
  float *queryRows(void *blob, int64_t item) const {
    return at(blob, item, config.queries, problem.channelStride);
  }
  float *keyRows(void *blob, int64_t item) const {
    return at(blob, item, config.keys, problem.channelStride);
  }
  float *valueRows(void *blob, int64_t item) const {
    return at(blob, item, config.keys, problem.valueStride);
  }
  float *resultRows(void *blob, int64_t item) const {
    return at(blob, item, config.queries, problem.valueStride);
  }
  float *scratch(void *workspace, int64_t chunk) const {
    return static_cast<float *>(workspace) + chunk * slice;
  }

  calls::AttentionBase config;
  const Kernels &kernels;
  Problem problem;
  /// Floats of the workspace for each chunk.
  int64_t slice;
};

class ForwardCall : public AttentionCall {
public:
  explicit ForwardCall(const calls::Attention &config)
      : AttentionCall(config, config.slice()) {}
  Status execute(void *const *args, int64_t chunk) override;
};

class GradCall : public AttentionCall {
public:
  explicit GradCall(const calls::AttentionGrad &config)
      : AttentionCall(config, config.slice()), partial(config.partial()) {}
  Status execute(void *const *args, int64_t chunk) override;
  Status finish(void *const *args) override;

private:
  /// The partial sums of a chunk: of the keys' gradient, then of the values'.
  float *partialSums(void *workspace, int64_t chunk) const {
    return static_cast<float *>(workspace) + config.chunks() * slice +
           chunk * partial;
  }
  void addPartials(const float *partials, float *grad, int64_t channels,
                   int64_t stride) const;

  /// Floats of the partial sums of a chunk.
  int64_t partial;
};

} // namespace

Part AttentionCall::cut(int64_t chunk) const {
  int64_t heads = chunk / config.query_parts;
  // Late queries see more keys; the work that takes longest starts first.
  int64_t part = config.query_parts - 1 - chunk % config.query_parts;
  auto begin = [&](int64_t part) {
    return calls::partBegin(config.queries, calls::kQueryBlock,
                            config.query_parts, part);
  };
  return {calls::partBegin(config.items(), 1, config.head_parts, heads),
          calls::partBegin(config.items(), 1, config.head_parts, heads + 1),
          begin(part), begin(part + 1)};
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

Status ForwardCall::execute(void *const *args, int64_t chunk) {
  Part part = cut(chunk);
  ForwardHead head;
  head.begin = part.begin;
  head.end = part.stop;
  head.scratch = scratch(args[5], chunk);
  for (int64_t item = part.first; item < part.end; ++item) {
    head.query = queryRows(args[0], item);
    head.key = keyRows(args[1], item);
    head.value = valueRows(args[2], item);
    head.result = resultRows(args[3], item);
    head.logsumexp = static_cast<float *>(args[4]) + item * config.queries;
    kernels.forward(problem, head);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Gradient
//===----------------------------------------------------------------------===//

Status GradCall::execute(void *const *args, int64_t chunk) {
  Part part = cut(chunk);
  GradHead head;
  head.begin = part.begin;
  head.end = part.stop;
  head.scratch = scratch(args[9], chunk);
  for (int64_t item = part.first; item < part.end; ++item) {
    head.grad = resultRows(args[0], item);
    head.query = queryRows(args[1], item);
    head.key = keyRows(args[2], item);
    head.value = valueRows(args[3], item);
    head.result = resultRows(args[4], item);
    head.logsumexp =
        static_cast<const float *>(args[5]) + item * config.queries;
    head.queryGrad = queryRows(args[6], item);
    if (config.query_parts == 1) {
      head.keyGrad = keyRows(args[7], item);
      head.valueGrad = valueRows(args[8], item);
      head.keyGradStride = problem.channelStride;
      head.valueGradStride = problem.valueStride;
    } else {
      head.keyGrad = partialSums(args[9], chunk);
      head.valueGrad = head.keyGrad + config.keys * config.channels;
      head.keyGradStride = config.channels;
      head.valueGradStride = config.value_channels;
    }
    kernels.grad(problem, head);
  }
  return {};
}

/// The sum of the partial sums of a head, each keys x channels.
void GradCall::addPartials(const float *partials, float *grad, int64_t channels,
                           int64_t stride) const {
  for (int64_t key = 0; key < config.keys; ++key) {
    float *row = grad + key * stride;
    std::copy_n(partials + key * channels, channels, row);
    for (int64_t part = 1; part < config.query_parts; ++part) {
      const float *more = partials + part * partial + key * channels;
      for (int64_t i = 0; i < channels; ++i)
        row[i] += more[i];
    }
  }
}

Status GradCall::finish(void *const *args) {
  if (config.query_parts == 1)
    return {};
  for (int64_t item = 0; item < config.items(); ++item) {
    const float *partials = partialSums(args[9], item * config.query_parts);
    addPartials(partials, keyRows(args[7], item), config.channels,
                problem.channelStride);
    addPartials(partials + config.keys * config.channels,
                valueRows(args[8], item), config.value_channels,
                problem.valueStride);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

template <typename Call, typename Config>
static Expected<std::unique_ptr<LibraryCall>> create(const Command &command) {
  Expected<Config> config = readCall<Config>(command);
  if (!config.ok())
    return config.status();
  return std::unique_ptr<LibraryCall>(std::make_unique<Call>(*config));
}

Expected<std::unique_ptr<LibraryCall>>
attention::createAttention(const Command &command) {
  return create<ForwardCall, calls::Attention>(command);
}

Expected<std::unique_ptr<LibraryCall>>
attention::createAttentionGrad(const Command &command) {
  return create<GradCall, calls::AttentionGrad>(command);
}

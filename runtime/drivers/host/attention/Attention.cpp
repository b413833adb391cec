//===- Attention.cpp - host.attention and host.attention_grad -------------===//
//
// A chunk has some heads, or where there are too few a range of queries of one.
// The gradients of keys and values are sums over all queries: chunks with a
// range of them leave theirs in the workspace, and finish() adds these in
// order.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/CallConfig.h"
#include "drivers/host/attention/Calls.h"
#include "drivers/host/attention/Kernels.h"

#include <algorithm>
#include <cmath>

using namespace jobrt;
using namespace jobrt::attention;

namespace {

struct Config : jobrt_attention_config {
  double scale;

  int64_t items() const { return batch * heads; }
};

/// The work of one chunk: heads [first, end), and of each the queries
/// [begin, stop).
struct Part {
  int64_t first, end;
  int64_t begin, stop;
};

class AttentionCall : public LibraryCall {
public:
  AttentionCall(const Config &config, jobrt_attention_kind kind, int64_t chunks)
      : config(config), kernels(*supportedKernels().kernels[0]),
        parts(std::min(
            jobrt_parts_of_item(config.items(), chunks),
            jobrt_ceil_div(config.queries, JOBRT_ATTENTION_QUERY_BLOCK))),
        chunks(chunks), slice(jobrt_attention_slice(&config, kind, chunks)),
        partial(jobrt_attention_partial(&config, kind, chunks)) {
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

  Config config;
  const Kernels &kernels;
  Problem problem;
  /// Into how many parts each head is cut.
  int64_t parts;
  int64_t chunks;
  /// Floats of the workspace for each chunk (abi.h).
  int64_t slice, partial;
};

class ForwardCall : public AttentionCall {
public:
  ForwardCall(const Config &config, int64_t chunks)
      : AttentionCall(config, JOBRT_ATTENTION_FORWARD, chunks) {}
  Status execute(void *const *args, int64_t chunk) override;
};

class GradCall : public AttentionCall {
public:
  GradCall(const Config &config, int64_t chunks)
      : AttentionCall(config, JOBRT_ATTENTION_GRAD, chunks) {}
  Status execute(void *const *args, int64_t chunk) override;
  Status finish(void *const *args) override;

private:
  /// The partial sums of a chunk: of the keys' gradient, then of the values'.
  float *partialSums(void *workspace, int64_t chunk) const {
    return static_cast<float *>(workspace) + chunks * slice + chunk * partial;
  }
  void addPartials(const float *partials, float *grad, int64_t channels,
                   int64_t stride) const;
};

} // namespace

Part AttentionCall::cut(int64_t chunk) const {
  if (chunks <= config.items())
    return {jobrt_chunk_begin(config.items(), 1, chunks, chunk),
            jobrt_chunk_begin(config.items(), 1, chunks, chunk + 1), 0,
            config.queries};
  int64_t item = chunk / parts;
  if (item >= config.items())
    return {0, 0, 0, 0};
  // Late queries see more keys; the work that takes longest starts first.
  int64_t part = parts - 1 - chunk % parts;
  return {item, item + 1,
          jobrt_chunk_begin(config.queries, JOBRT_ATTENTION_QUERY_BLOCK, parts,
                            part),
          jobrt_chunk_begin(config.queries, JOBRT_ATTENTION_QUERY_BLOCK, parts,
                            part + 1)};
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
    if (parts == 1) {
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
    for (int64_t part = 1; part < parts; ++part) {
      const float *more = partials + part * partial + key * channels;
      for (int64_t i = 0; i < channels; ++i)
        row[i] += more[i];
    }
  }
}

Status GradCall::finish(void *const *args) {
  if (parts == 1)
    return {};
  for (int64_t item = 0; item < config.items(); ++item) {
    const float *partials = partialSums(args[9], item * parts);
    addPartials(partials, keyRows(args[7], item), config.channels,
                problem.channelStride);
    addPartials(partials + config.keys * config.channels,
                valueRows(args[8], item), config.value_channels,
                problem.valueStride);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Checking the configuration
//===----------------------------------------------------------------------===//

static Config readConfig(ConfigReader &reader) {
  Config config;
  config.batch = reader.integer("batch", 1);
  config.heads = reader.integer("heads", 1);
  config.queries = reader.integer("queries", 1);
  config.keys = reader.integer("keys", 1);
  config.channels = reader.integer("channels", 1);
  config.value_channels = reader.integer("value_channels", 1);
  config.causal = reader.integer("causal", 0, 1);
  config.scale = reader.number("scale");
  if (reader.ok() && config.causal && config.keys < config.queries)
    reader.error("expects at least " + std::to_string(config.queries) +
                 " for 'keys' but got " + std::to_string(config.keys));
  return config;
}

/// The workspace that the command has is the one that the slices need.
static void checkWorkspace(ConfigReader &reader, const Command &command,
                           const Config &config, jobrt_attention_kind kind) {
  if (!reader.ok())
    return;
  int64_t floats = jobrt_attention_slice(&config, kind, command.chunks) +
                   jobrt_attention_partial(&config, kind, command.chunks);
  int64_t bytes = command.args.back().bytes;
  if (floats > bytes / (4 * command.chunks))
    reader.error("expects a workspace of " + std::to_string(command.chunks) +
                 " slices of " + std::to_string(4 * floats) +
                 " bytes but got " + std::to_string(bytes) + " bytes");
}

Expected<std::unique_ptr<LibraryCall>>
attention::createAttention(const Command &command) {
  ConfigReader reader(command);
  Config c = readConfig(reader);
  reader.finish(
      {{"query", arrayBytes({c.batch, c.queries, c.heads, c.channels})},
       {"key", arrayBytes({c.batch, c.keys, c.heads, c.channels})},
       {"value", arrayBytes({c.batch, c.keys, c.heads, c.value_channels})}},
      {{"result", arrayBytes({c.batch, c.queries, c.heads, c.value_channels})},
       {"logsumexp", arrayBytes({c.batch, c.heads, c.queries})}},
      /*workspace=*/true);
  checkWorkspace(reader, command, c, JOBRT_ATTENTION_FORWARD);
  if (!reader.ok())
    return reader.status();
  return std::unique_ptr<LibraryCall>(
      std::make_unique<ForwardCall>(c, command.chunks));
}

Expected<std::unique_ptr<LibraryCall>>
attention::createAttentionGrad(const Command &command) {
  ConfigReader reader(command);
  Config c = readConfig(reader);
  int64_t query = arrayBytes({c.batch, c.queries, c.heads, c.channels});
  int64_t key = arrayBytes({c.batch, c.keys, c.heads, c.channels});
  int64_t value = arrayBytes({c.batch, c.keys, c.heads, c.value_channels});
  int64_t result = arrayBytes({c.batch, c.queries, c.heads, c.value_channels});
  reader.finish(
      {{"grad", result},
       {"query", query},
       {"key", key},
       {"value", value},
       {"result", result},
       {"logsumexp", arrayBytes({c.batch, c.heads, c.queries})}},
      {{"query_grad", query}, {"key_grad", key}, {"value_grad", value}},
      /*workspace=*/true);
  checkWorkspace(reader, command, c, JOBRT_ATTENTION_GRAD);
  if (!reader.ok())
    return reader.status();
  return std::unique_ptr<LibraryCall>(
      std::make_unique<GradCall>(c, command.chunks));
}

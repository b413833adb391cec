//===- Calls.cpp - Fuzzes the checks of library calls ---------------------===//
//
// What a manifest says about a call of a library is not trusted. The input
// chooses the function, its configuration and the sizes of its buffers, which
// are the right ones most of the time, since a call is made (and run, when it
// is small) for these only. Convolutions have moderate extents most of the
// time, since oneDNN's tables for one with the largest padding take half a
// second.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/CallConfig.h"
#include "drivers/host/LibraryCall.h"
#include "fuzz/Require.h"

#include <algorithm>
#include <cstring>
#include <fuzzer/FuzzedDataProvider.h>

using namespace jobrt;

/// Calls with more bytes in all buffers are not run.
static constexpr int64_t kMaxRunBytes = 1 << 20;

namespace {

/// Makes one command out of the input.
class CommandMaker {
public:
  CommandMaker(const uint8_t *data, size_t size) : input(data, size) {}

  Command make();

private:
  int64_t extent(int64_t low);
  int64_t moderateExtent(int64_t low);
  int64_t set(const char *key, int64_t value);
  int64_t choose(const char *key, int64_t low) { return set(key, extent(low)); }
  int64_t chooseModerate(const char *key, int64_t low) {
    return set(key, moderateExtent(low));
  }
  int64_t chooseUpTo(const char *key, int64_t low, int64_t high) {
    return set(key, input.ConsumeIntegralInRange(0, 63)
                        ? moderateExtent(low)
                        : input.ConsumeIntegralInRange(low, high));
  }
  int64_t chooseOutput(const char *key, int64_t in, int64_t padding,
                       int64_t kernel, int64_t dilation, int64_t stride);
  void addBuffer(int64_t bytes, bool isResult);
  void addWorkspace(int64_t bytes);

  void makeMatMul();
  void makeConvolution(jobrt_conv2d_kind kind);
  void makeAttention(jobrt_attention_kind kind);
  void damage();

  FuzzedDataProvider input;
  Command command;
};

} // namespace

/// Mostly small, sometimes at the edge of what is accepted.
int64_t CommandMaker::extent(int64_t low) {
  switch (input.ConsumeIntegralInRange(0, 15)) {
  case 0:
    return input.ConsumeIntegralInRange<int64_t>(low, 300);
  case 1:
    return input.ConsumeIntegralInRange<int64_t>(low, INT32_MAX);
  case 2:
    return int64_t(1) << input.ConsumeIntegralInRange(0, 30);
  default:
    return input.ConsumeIntegralInRange<int64_t>(low, 9);
  }
}

int64_t CommandMaker::moderateExtent(int64_t low) {
  int64_t high = input.ConsumeIntegralInRange(0, 15) ? 9 : 100;
  return input.ConsumeIntegralInRange(low, high);
}

int64_t CommandMaker::set(const char *key, int64_t value) {
  command.config[key] = value;
  return value;
}

int64_t CommandMaker::chooseOutput(const char *key, int64_t in, int64_t padding,
                                   int64_t kernel, int64_t dilation,
                                   int64_t stride) {
  int64_t room = in + padding - (dilation * (kernel - 1) + 1);
  return set(key, room < 0 ? 1 : room / stride + 1);
}

void CommandMaker::addBuffer(int64_t bytes, bool isResult) {
  command.args.push_back(
      {Space::kArena, 0, std::max<int64_t>(bytes, 0), !isResult, isResult});
}

void CommandMaker::addWorkspace(int64_t bytes) {
  if (input.ConsumeBool())
    bytes = input.ConsumeIntegralInRange<int64_t>(0, kMaxRunBytes);
  command.args.push_back({Space::kWorkspace, 0, bytes});
}

void CommandMaker::makeMatMul() {
  command.callee = "onednn.matmul";
  int64_t batch = choose("batch", 1), m = choose("m", 1), n = choose("n", 1),
          k = choose("k", 1);
  set("transpose_a", input.ConsumeBool());
  set("transpose_b", input.ConsumeBool());
  addBuffer(arrayBytes({batch, m, k}), false);
  addBuffer(arrayBytes({batch, k, n}), false);
  addBuffer(arrayBytes({batch, m, n}), true);
}

void CommandMaker::makeConvolution(jobrt_conv2d_kind kind) {
  jobrt_conv2d_config c;
  c.groups =
      set("groups", input.ConsumeIntegralInRange(0, 3) ? 1 : moderateExtent(1));
  c.n = chooseModerate("n", 1);
  c.c = set("c", c.groups * moderateExtent(1));
  c.h = chooseModerate("h", 1);
  c.w = chooseModerate("w", 1);
  c.oc = set("oc", c.groups * moderateExtent(1));
  c.kh = chooseModerate("kh", 1);
  c.kw = chooseModerate("kw", 1);
  c.stride_h = chooseUpTo("stride_h", 1, INT32_MAX);
  c.stride_w = chooseUpTo("stride_w", 1, INT32_MAX);
  c.pad_top = chooseUpTo("pad_top", 0, JOBRT_CONV2D_MAX_PADDING);
  c.pad_left = chooseUpTo("pad_left", 0, JOBRT_CONV2D_MAX_PADDING);
  c.pad_bottom = chooseUpTo("pad_bottom", 0, JOBRT_CONV2D_MAX_PADDING);
  c.pad_right = chooseUpTo("pad_right", 0, JOBRT_CONV2D_MAX_PADDING);
  c.dilation_h = chooseUpTo("dilation_h", 1, INT32_MAX);
  c.dilation_w = chooseUpTo("dilation_w", 1, INT32_MAX);
  c.oh = chooseOutput("oh", c.h, c.pad_top + c.pad_bottom, c.kh, c.dilation_h,
                      c.stride_h);
  c.ow = chooseOutput("ow", c.w, c.pad_left + c.pad_right, c.kw, c.dilation_w,
                      c.stride_w);
  int64_t in = arrayBytes({c.n, c.c, c.h, c.w});
  int64_t filter = arrayBytes({c.oc, c.c / c.groups, c.kh, c.kw});
  int64_t out = arrayBytes({c.n, c.oc, c.oh, c.ow});
  switch (kind) {
  case JOBRT_CONV2D_FORWARD:
    command.callee = "onednn.conv2d";
    addBuffer(in, false);
    addBuffer(filter, false);
    addBuffer(out, true);
    break;
  case JOBRT_CONV2D_DATA_GRAD:
    command.callee = "onednn.conv2d_data_grad";
    addBuffer(out, false);
    addBuffer(filter, false);
    addBuffer(in, true);
    break;
  case JOBRT_CONV2D_FILTER_GRAD:
    command.callee = "onednn.conv2d_filter_grad";
    addBuffer(out, false);
    addBuffer(in, false);
    addBuffer(filter, true);
    break;
  }
  // The formula is for sizes that fit.
  bool fits = std::max({in, filter, out}) <= kMaxRunBytes &&
              std::min({in, filter, out}) > 0;
  addWorkspace(
      fits ? jobrt_conv2d_kind_workspace_budget(&c, kind, command.chunks)
           : kMaxRunBytes);
}

void CommandMaker::makeAttention(jobrt_attention_kind kind) {
  bool isGrad = kind == JOBRT_ATTENTION_GRAD;
  command.callee = isGrad ? "host.attention_grad" : "host.attention";
  jobrt_attention_config c;
  c.batch = choose("batch", 1);
  c.heads = choose("heads", 1);
  c.queries = choose("queries", 1);
  c.keys = choose("keys", 1);
  c.channels = choose("channels", 1);
  c.value_channels = choose("value_channels", 1);
  c.causal = set("causal", input.ConsumeBool());
  command.config["scale"] = input.ConsumeFloatingPointInRange(-8.0, 8.0);
  int64_t query = arrayBytes({c.batch, c.queries, c.heads, c.channels});
  int64_t key = arrayBytes({c.batch, c.keys, c.heads, c.channels});
  int64_t value = arrayBytes({c.batch, c.keys, c.heads, c.value_channels});
  int64_t result = arrayBytes({c.batch, c.queries, c.heads, c.value_channels});
  int64_t logsumexp = arrayBytes({c.batch, c.heads, c.queries});
  if (isGrad)
    addBuffer(result, false);
  for (int64_t bytes : {query, key, value})
    addBuffer(bytes, false);
  for (int64_t bytes : {result, logsumexp})
    addBuffer(bytes, !isGrad);
  if (isGrad)
    for (int64_t bytes : {query, key, value})
      addBuffer(bytes, true);
  bool fits = true;
  for (int64_t bytes : {query, key, value, result, logsumexp})
    fits &= bytes > 0 && bytes <= kMaxRunBytes;
  addWorkspace(fits ? jobrt_attention_workspace(&c, kind, command.chunks)
                    : kMaxRunBytes);
}

/// One thing that a good command does not have.
void CommandMaker::damage() {
  static constexpr int64_t edges[] = {INT64_MIN,
                                      INT32_MIN,
                                      -1,
                                      0,
                                      INT32_MAX,
                                      int64_t(1) << 31,
                                      int64_t(1) << 32,
                                      int64_t(1) << 60,
                                      INT64_MAX};
  auto key = std::next(
      command.config.begin(),
      input.ConsumeIntegralInRange<size_t>(0, command.config.size() - 1));
  auto buffer = [&]() -> BufferRef & {
    return command
        .args[input.ConsumeIntegralInRange<size_t>(0, command.args.size() - 1)];
  };
  switch (input.ConsumeIntegralInRange(0, 12)) {
  case 0:
    command.config.erase(key);
    break;
  case 1:
    key->second = input.ConsumeFloatingPoint<double>();
    break;
  case 2:
    key->second = input.ConsumeIntegral<int64_t>();
    break;
  case 3:
    set("unknown", 1);
    break;
  case 4:
    command.args.pop_back();
    break;
  case 5:
    buffer().bytes = input.ConsumeIntegralInRange<int64_t>(0, int64_t(1) << 48);
    break;
  case 6:
    command.chunks = input.ConsumeIntegralInRange<int64_t>(1, 1 << 30);
    break;
  case 7:
    key->second = input.PickValueInArray(edges);
    break;
  case 8:
    buffer().space =
        static_cast<Space>(input.ConsumeIntegralInRange(0, kNumSpaces - 1));
    break;
  case 9:
    buffer().isWritten = input.ConsumeBool();
    break;
  default:
    break;
  }
}

Command CommandMaker::make() {
  command.kind = Command::Kind::kCall;
  command.chunks = input.ConsumeIntegralInRange<int64_t>(1, 20);
  switch (input.ConsumeIntegralInRange(0, 5)) {
  case 0:
    makeMatMul();
    break;
  case 1:
    makeConvolution(JOBRT_CONV2D_FORWARD);
    break;
  case 2:
    makeConvolution(JOBRT_CONV2D_DATA_GRAD);
    break;
  case 3:
    makeConvolution(JOBRT_CONV2D_FILTER_GRAD);
    break;
  case 4:
    makeAttention(JOBRT_ATTENTION_FORWARD);
    break;
  case 5:
    makeAttention(JOBRT_ATTENTION_GRAD);
    break;
  }
  damage();
  return command;
}

static void run(LibraryCall &call, const Command &command) {
  // A call writes to its results and to its workspace only.
  for (const BufferRef &buffer : command.args)
    REQUIRE(buffer.isRead != buffer.isWritten ||
            buffer.space == Space::kWorkspace);
  int64_t bytes = 0;
  for (const BufferRef &buffer : command.args)
    bytes += buffer.bytes;
  if (bytes > kMaxRunBytes)
    return;
  // Each buffer is its own allocation of just its size.
  std::vector<std::unique_ptr<void, void (*)(void *)>> buffers;
  std::vector<void *> args;
  for (const BufferRef &buffer : command.args) {
    void *memory = nullptr;
    REQUIRE(posix_memalign(&memory, JOBRT_ALIGNMENT,
                           std::max<int64_t>(buffer.bytes, 1)) == 0);
    std::memset(memory, 0, buffer.bytes);
    buffers.emplace_back(memory, std::free);
    args.push_back(memory);
  }
  for (int64_t chunk = 0; chunk < command.chunks; ++chunk)
    REQUIRE(call.execute(args.data(), chunk).ok());
  REQUIRE(call.finish(args.data()).ok());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static LibraryThreadScope scope;
  Command command = CommandMaker(data, size).make();
  std::optional<LibraryCallEntry> entry = findLibraryCall(command.callee);
  REQUIRE(entry);
  Expected<std::unique_ptr<LibraryCall>> call = entry->create(command);
  if (!call.ok()) {
    REQUIRE(!call.status().message().empty());
    return 0;
  }
  run(**call, command);
  return 0;
}

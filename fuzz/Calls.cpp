//===- Calls.cpp - Fuzzes the checks of library calls ---------------------===//
//
// What a manifest says about a call of a library is not trusted. The input
// chooses the function, its configuration and the sizes of its buffers, which
// are the right ones most of the time, since a call is made (and run, when it
// is small) for these only. Convolutions have moderate extents most of the
// time, since oneDNN's tables for one with the largest padding take half a
// second. Calls on a GPU are not made.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/host/LibraryCall.h"
#include "fuzz/Require.h"
#include "unittests/CallCommand.h"

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
  int64_t extent();
  int64_t moderateExtent();
  /// A small number of parts, most of the time as many as there can be.
  int64_t parts(int64_t groups);
  int64_t moderateUpTo(int64_t low, int64_t high) {
    return input.ConsumeIntegralInRange(0, 63)
               ? moderateExtent() - 1 + low
               : input.ConsumeIntegralInRange(low, high);
  }

  /// The command of a configuration.
  template <typename Config> void makeCommand(const Config &config);
  void makeMatMul();
  template <typename Config> void makeConvolution();
  template <typename Config> void makeAttention();
  void damage();

  FuzzedDataProvider input;
  Command command;
};

} // namespace

/// Mostly small, sometimes at the edge of what is accepted.
int64_t CommandMaker::extent() {
  switch (input.ConsumeIntegralInRange(0, 15)) {
  case 0:
    return input.ConsumeIntegralInRange<int64_t>(1, 300);
  case 1:
    return input.ConsumeIntegralInRange<int64_t>(1, INT32_MAX);
  case 2:
    return int64_t(1) << input.ConsumeIntegralInRange(0, 30);
  default:
    return input.ConsumeIntegralInRange<int64_t>(1, 9);
  }
}

int64_t CommandMaker::moderateExtent() {
  int64_t high = input.ConsumeIntegralInRange(0, 15) ? 9 : 100;
  return input.ConsumeIntegralInRange<int64_t>(1, high);
}

int64_t CommandMaker::parts(int64_t groups) {
  // Mostly numbers that are right.
  if (!input.ConsumeIntegralInRange(0, 15))
    return input.ConsumeIntegralInRange<int64_t>(1, JOBRT_MAX_CHUNKS);
  return calls::filledParts(std::max<int64_t>(groups, 1),
                            input.ConsumeIntegralInRange<int64_t>(1, 4));
}

template <typename Config>
void CommandMaker::makeCommand(const Config &config) {
  // The size of the workspace is that of a configuration that is right.
  command = test::makeCommand(config, calls::check(config).empty()
                                          ? config.workspaceBytes()
                                          : kMaxRunBytes);
}

void CommandMaker::makeMatMul() {
  calls::MatMul c;
  for (int64_t *value : {&c.batch, &c.m, &c.n, &c.k})
    *value = extent();
  c.transpose_a = input.ConsumeBool();
  c.transpose_b = input.ConsumeBool();
  c.batch_parts = parts(c.batch);
  c.row_parts = parts(calls::ceilDiv(c.m, calls::kBlock));
  c.column_parts = parts(calls::ceilDiv(c.n, calls::kBlock));
  makeCommand(c);
}

static int64_t outputExtent(int64_t in, int64_t padding, int64_t kernel,
                            int64_t dilation, int64_t stride) {
  int64_t room = in + padding - (dilation * (kernel - 1) + 1);
  return room < 0 ? 1 : room / stride + 1;
}

template <typename Config> void CommandMaker::makeConvolution() {
  Config c;
  c.groups = input.ConsumeIntegralInRange(0, 3) ? 1 : moderateExtent();
  c.c = c.groups * moderateExtent();
  c.oc = c.groups * moderateExtent();
  for (int64_t *value : {&c.n, &c.h, &c.w, &c.kh, &c.kw})
    *value = moderateExtent();
  for (int64_t *value :
       {&c.stride_h, &c.stride_w, &c.dilation_h, &c.dilation_w})
    *value = moderateUpTo(1, INT32_MAX);
  for (int64_t *value : {&c.pad_top, &c.pad_left, &c.pad_bottom, &c.pad_right})
    *value = moderateUpTo(0, JOBRT_CONV2D_MAX_PADDING);
  c.oh = outputExtent(c.h, c.pad_top + c.pad_bottom, c.kh, c.dilation_h,
                      c.stride_h);
  c.ow = outputExtent(c.w, c.pad_left + c.pad_right, c.kw, c.dilation_w,
                      c.stride_w);
  c.batch_parts = parts(c.n);
  int64_t channels = Config::kKind == calls::Conv2dKind::kDataGrad ? c.c : c.oc;
  c.channel_parts =
      c.groups == 1 ? parts(calls::ceilDiv(channels, calls::kBlock)) : 1;
  c.tile = std::min(moderateExtent(), calls::ceilDiv(c.n, c.batch_parts));
  c.slice = JOBRT_ALIGNMENT * input.ConsumeIntegralInRange<int64_t>(
                                  1, kMaxRunBytes / JOBRT_ALIGNMENT / 4);
  makeCommand(c);
}

template <typename Config> void CommandMaker::makeAttention() {
  Config c;
  for (int64_t *value : {&c.batch, &c.heads, &c.queries, &c.keys, &c.channels,
                         &c.value_channels})
    *value = extent();
  c.causal = input.ConsumeBool();
  c.scale = input.ConsumeFloatingPointInRange(-8.0, 8.0);
  c.query_parts = parts(calls::ceilDiv(c.queries, calls::kQueryBlock));
  c.head_parts = c.query_parts == 1 ? parts(c.items()) : c.items();
  makeCommand(c);
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
    command.config["unknown"] = int64_t(1);
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
  switch (input.ConsumeIntegralInRange(0, 5)) {
  case 0:
    makeMatMul();
    break;
  case 1:
    makeConvolution<calls::Conv2dForward>();
    break;
  case 2:
    makeConvolution<calls::Conv2dDataGrad>();
    break;
  case 3:
    makeConvolution<calls::Conv2dFilterGrad>();
    break;
  case 4:
    makeAttention<calls::Attention>();
    break;
  case 5:
    makeAttention<calls::AttentionGrad>();
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

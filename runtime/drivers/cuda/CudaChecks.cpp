//===- CudaChecks.cpp - Checks for NaN and infinity in a step -------------===//

#include "drivers/common/Finite.h"
#include "drivers/cuda/CudaProgram.h"
#include "jobrt/calls.h"

#include <algorithm>
#include <optional>

using namespace jobrt;
using namespace jobrt::cuda;

/// The buffers that tell, with their numbers: of a kernel the status word of
/// its blocks, of a call its results.
template <typename Visit>
static void forEachChecked(const Command &command, Visit visit) {
  if (command.checks.empty())
    return;
  if (command.kind == Command::Kind::kDispatch) {
    BufferRef word = command.args.back();
    word.bytes = sizeof(uint32_t);
    return visit(word, command.args.size() - 1);
  }
  for (size_t i = 0; i < command.args.size(); ++i)
    if (command.args[i].isWritten)
      visit(command.args[i], i);
}

Status CudaProgram::prepareChecks() {
  int64_t bytes = 0;
  for (const Command &command : entry.commands)
    forEachChecked(command, [&](const BufferRef &buffer, size_t) {
      bytes = std::max(bytes, buffer.bytes);
    });
  if (bytes == 0)
    return {};
  Expected<std::unique_ptr<CudaMemory>> made =
      CudaMemory::create(engine.sharedContext(), MemoryKind::kStaging, bytes,
                         "results that are checked");
  if (!made.ok())
    return made.status();
  checkMirror = std::move(*made);
  return {};
}

Status CudaProgram::checkInputs(const std::byte *inputs) const {
  for (const PortInfo &input : entry.inputs) {
    if (!input.isChecked)
      continue;
    uint32_t word =
        checkFinite(inputs + input.offset,
                    input.bytes / dtypeBytes(input.dtype), input.dtype);
    if (word >= JOBRT_CHECK_FAILED)
      return describeNonFinite(entry, {"input " + input.name, input.location},
                               word, numSteps,
                               "; variables are as they were before this step");
  }
  return {};
}

/// A kernel changes the word where a check fails.
Status CudaProgram::clearWord(const Command &command, int64_t iteration,
                              Stream stream) {
  return api.check(
      api.memsetD8Async(deviceAddress(command.args.back(), iteration), 0,
                        sizeof(uint32_t), stream),
      "cuMemsetD8Async", "the status of a kernel's checks");
}

/// The type of an array of a library call; nothing for bits, which are numbers
/// in any case.
static std::optional<DType> typeOf(calls::Element element) {
  switch (element) {
  case calls::Element::kF32:
    return DType::kF32;
  case calls::Element::kF16:
    return DType::kF16;
  case calls::Element::kBF16:
    return DType::kBF16;
  case calls::Element::kI8:
    return std::nullopt;
  }
  return std::nullopt;
}

Status CudaProgram::waitFor(const Command &command, const Position &position) {
  Status status = api.check(api.streamSynchronize(streamOf(command.queue)),
                            "cuStreamSynchronize", "a command of the step");
  return status.ok() ? status : describe(&command, status, position);
}

Status CudaProgram::checkResults(const Position &position) {
  const Command &command = entry.commands[position.command];
  Stream stream = streamOf(command.queue);
  std::byte *data = checkMirror->hostAddress();
  uint32_t word = 0;
  Status status;
  const Call *call = launches[position.command].call.get();
  forEachChecked(command, [&](const BufferRef &buffer, size_t number) {
    std::optional<DType> type = !call ? DType::kI32
                                : number < call->elements.size()
                                    ? typeOf(call->elements[number])
                                    : std::nullopt; // the workspace
    if (!status.ok() || buffer.bytes == 0 || !type)
      return;
    status = api.check(
        api.memcpyDtoHAsync(data, deviceAddress(buffer, iterationOf(position)),
                            buffer.bytes, stream),
        "cuMemcpyDtoHAsync", "a result that is checked");
    if (status.ok())
      status = api.check(api.streamSynchronize(stream), "cuStreamSynchronize",
                         "a command whose results are checked");
    if (!status.ok())
      return;
    if (call)
      word = std::max(
          word, checkFinite(data, buffer.bytes / dtypeBytes(*type), *type));
    else
      word = *reinterpret_cast<const uint32_t *>(data);
  });
  if (!status.ok())
    return describe(&command, status, position);
  if (word < JOBRT_CHECK_FAILED)
    return {};
  int64_t count = static_cast<int64_t>(command.checks.size());
  return describeNonFinite(entry,
                           command.checks[jobrt_check_index(word, count)], word,
                           numSteps, describeVariables(position));
}

//===- CudaCommands.cpp - Submitting commands to streams
//-------------------===//

#include "drivers/cuda/CudaProgram.h"
#include "drivers/cuda/nccl/Communicator.h"
#include "lib/base/Guard.h"

using namespace jobrt;
using namespace jobrt::cuda;

Status CudaProgram::fork() {
  if (entry.numQueues == 1)
    return {};
  Event event = events[entry.numEvents].get();
  Status status = api.check(api.eventRecord(event, engine.stream()),
                            "cuEventRecord", "the start of the queues");
  for (const Owned<Stream> &stream : streams)
    if (status.ok())
      status = api.check(api.streamWaitEvent(stream.get(), event, 0),
                         "cuStreamWaitEvent", "the start of a queue");
  return status;
}

Status CudaProgram::join() {
  Status status;
  for (size_t i = 0; i < streams.size() && status.ok(); ++i) {
    Event event = events[entry.numEvents + 1 + i].get();
    status = api.check(api.eventRecord(event, streams[i].get()),
                       "cuEventRecord", "the end of a queue");
    if (status.ok())
      status = api.check(api.streamWaitEvent(engine.stream(), event, 0),
                         "cuStreamWaitEvent", "the end of a queue");
  }
  return status;
}

Status CudaProgram::enqueueDispatch(const Launch &launch, int64_t iteration,
                                    Stream stream) {
  const Command &command = *launch.source;
  size_t count = 0;
  for (const BufferRef &buffer : command.args) {
    values[count] = deviceAddress(buffer, iteration);
    params[count] = &values[count];
    ++count;
  }
  for (const ScalarArg &scalar : command.scalars)
    params[count++] = const_cast<std::byte *>(scalar.value.data());
  Result result =
      api.launchKernel(launch.function, static_cast<unsigned>(command.chunks),
                       1, 1, static_cast<unsigned>(command.threads), 1, 1,
                       /*shared bytes=*/0, stream, params.data(), nullptr);
  return result == kSuccess ? Status()
                            : api.check(result, "cuLaunchKernel",
                                        "kernel '" + command.kernelName + "'");
}

Status CudaProgram::enqueueCall(const Launch &launch, int64_t iteration,
                                Stream stream) {
  size_t count = 0;
  for (const BufferRef &buffer : launch.source->args)
    values[count++] = deviceAddress(buffer, iteration);
  return launch.call->enqueue(values.data(), stream);
}

Status CudaProgram::enqueueCopy(const Launch &launch, int64_t iteration,
                                Stream stream) {
  const BufferRef &from = launch.source->args[0], &to = launch.source->args[1];
  Result result =
      api.memcpyDtoDAsync(deviceAddress(to, iteration),
                          deviceAddress(from, iteration), from.bytes, stream);
  return result == kSuccess
             ? Status()
             : api.check(result, "cuMemcpyDtoDAsync",
                         "a copy of " + std::to_string(from.bytes) + " bytes");
}

Status CudaProgram::enqueueCollective(size_t command, int64_t iteration,
                                      Stream stream) {
  const Command &source = entry.commands[command];
  for (size_t i = 0; i < source.args.size(); ++i)
    values[i] = deviceAddress(source.args[i], iteration);
  bool hasFollower = command + 1 < entry.commands.size() &&
                     entry.commands[command + 1].collective.isJoined;
  return communicator->enqueue(source, hasFollower, values.data(), stream);
}

Status CudaProgram::enqueue(const Position &position) {
  const Launch &launch = launches[position.command];
  const Command &command = *launch.source;
  int64_t iteration = iterationOf(position);
  Stream stream = streamOf(command.queue);
  switch (command.kind) {
  case Command::Kind::kDispatch:
    if (!command.checks.empty())
      if (Status status = clearWord(command, iteration, stream); !status.ok())
        return status;
    return enqueueDispatch(launch, iteration, stream);
  case Command::Kind::kCall:
    return enqueueCall(launch, iteration, stream);
  case Command::Kind::kCopy:
    return command.args[0].bytes == 0 ? Status()
                                      : enqueueCopy(launch, iteration, stream);
  case Command::Kind::kFill: {
    const BufferRef &buffer = command.args[0];
    if (buffer.bytes == 0)
      return {};
    Result result = api.memsetD8Async(deviceAddress(buffer, iteration),
                                      command.fillValue, buffer.bytes, stream);
    return result == kSuccess ? Status()
                              : api.check(result, "cuMemsetD8Async", "a fill");
  }
  case Command::Kind::kCollective:
    return enqueueCollective(position.command, iteration, stream);
  case Command::Kind::kRecord:
    return api.check(api.eventRecord(events[command.event].get(), stream),
                     "cuEventRecord", "an event of the plan");
  case Command::Kind::kWait:
    return api.check(
        api.streamWaitEvent(stream, events[command.event].get(), 0),
        "cuStreamWaitEvent", "an event of the plan");
  case Command::Kind::kHostCall:
    break;
  }
  return {};
}

Status CudaProgram::timeBegin() {
  Status status;
  if (timer)
    for (int32_t queue = 0; queue < entry.numQueues && status.ok(); ++queue)
      status = timer->recordBegin(queue, streamOf(queue), isCapturing);
  return status;
}

Status CudaProgram::timeCommand(const Position &position) {
  if (!timer)
    return {};
  int32_t queue = entry.commands[position.command].queue;
  return timer->recordCommand(position.execution, queue, streamOf(queue),
                              isCapturing);
}

Status CudaProgram::enqueuePart(Position &position) {
  Status status = fork();
  if (status.ok())
    status = timeBegin();
  // Those before it are complete where all queues join. A capture must not wait
  // for them: they may have been recorded outside of it.
  int64_t firstEvent = eventsBefore[position.command];
  while (status.ok() && !isEnd(position)) {
    const Command &command = entry.commands[position.command];
    if (command.kind == Command::Kind::kHostCall)
      break;
    bool isPast =
        command.kind == Command::Kind::kWait && command.event < firstEvent;
    if (!isPast)
      status = withoutThrowing("submit a command",
                               [&] { return enqueue(position); });
    if (status.ok())
      status = timeCommand(position);
    if (!status.ok()) {
      if (communicator)
        communicator->closeGroup();
      return describe(&command, status, position);
    }
    if (!command.checks.empty())
      status = checkResults(position);
    else if (checkMirror)
      status = waitFor(command, position);
    if (!status.ok())
      return status;
    if (!advance(position))
      continue;
    // Iterations begin when all commands before them have ended.
    status = join();
    if (status.ok())
      status = fork();
    if (status.ok())
      status = timeBegin();
    firstEvent = eventsBefore[position.command];
  }
  if (status.ok())
    status = join();
  return status.ok() ? status : describe(nullptr, status, position);
}

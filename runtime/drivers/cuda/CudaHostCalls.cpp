//===- CudaHostCalls.cpp - Functions of the host in a step
//-----------------===//

#include "drivers/cuda/CudaProgram.h"
#include "lib/executor/HostFunctions.h"

using namespace jobrt;
using namespace jobrt::cuda;

static Status callFunction(const StepBuffers &step, Launch &launch) {
  AllocationScope scope(step.meter->library, &step.meter->ours);
  try {
    return (*step.functions->find(launch.source->callee))(launch.buffers);
  } catch (const std::exception &error) {
    return Status(StatusCode::kInternal, error.what());
  } catch (...) {
    return Status(StatusCode::kInternal, "an exception of unknown type");
  }
}

Status CudaProgram::callHost(const StepBuffers &step,
                             const Position &position) {
  Launch &launch = launches[position.command];
  const std::vector<BufferRef> &args = launch.source->args;
  int64_t iteration = iterationOf(position);
  Stream stream = engine.stream();
  for (size_t i = 0; i < args.size(); ++i) {
    std::byte *data = mirror->hostAddress() + launch.mirrors[i];
    launch.buffers[i].data = data;
    if (args[i].bytes == 0)
      continue;
    // What is written as well: the function need not write all of it.
    if (Status status = api.check(
            api.memcpyDtoHAsync(data, deviceAddress(args[i], iteration),
                                args[i].bytes, stream),
            "cuMemcpyDtoHAsync", "a buffer of a function of the host");
        !status.ok())
      return status;
  }
  if (Status status =
          api.check(api.streamSynchronize(stream), "cuStreamSynchronize",
                    "the commands before a function of the host");
      !status.ok())
    return status;
  uint64_t begin = step.trace ? traceClock() : 0;
  if (Status status = callFunction(step, launch); !status.ok())
    return status;
  if (step.trace)
    step.trace->commands[position.execution] = {begin, traceClock()};
  // The function may have used CUDA on this thread.
  if (Status status = context.enter(); !status.ok())
    return status;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].isWritten || args[i].bytes == 0)
      continue;
    if (Status status = api.check(
            api.memcpyHtoDAsync(deviceAddress(args[i], iteration),
                                launch.buffers[i].data, args[i].bytes, stream),
            "cuMemcpyHtoDAsync", "a result of a function of the host");
        !status.ok())
      return status;
  }
  return {};
}

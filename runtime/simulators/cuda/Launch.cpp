//===- Launch.cpp - Kernel launches of the simulated CUDA -----------------===//

#include "simulators/cuda/KernelRun.h"
#include "simulators/cuda/Shadow.h"

#include <cstring>

using namespace jobsim;

static constexpr uint32_t kMaxThreads = 1024, kMaxBlockZ = 64,
                          kMaxGridYZ = 65535;
/// More needs cuFuncSetAttribute(), which the driver does not use.
static constexpr uint32_t kMaxSharedBytes = 48 << 10;

/// Checks what CUDA checks at the call.
static Result checkLaunch(const jobsim_kernel &kernel,
                          const KernelLaunch &launch) {
  const uint32_t *grid = launch.grid, *block = launch.block;
  auto error = [&](Result result, const std::string &what) {
    return refuse(result, format("launch of kernel %s: ", kernel.name) + what);
  };
  for (int i = 0; i < 3; ++i)
    if (grid[i] == 0 || block[i] == 0 || block[i] > kMaxThreads ||
        (i > 0 && grid[i] > kMaxGridYZ))
      return error(kErrorInvalidValue,
                   format("a grid of (%u,%u,%u) blocks of (%u,%u,%u) threads",
                          grid[0], grid[1], grid[2], block[0], block[1],
                          block[2]));
  if (block[2] > kMaxBlockZ || block[0] * block[1] > kMaxThreads ||
      block[0] * block[1] * block[2] > kMaxThreads)
    return error(kErrorInvalidValue, format("blocks of (%u,%u,%u) threads",
                                            block[0], block[1], block[2]));
  uint32_t threads = block[0] * block[1] * block[2];
  if (threads > kernel.max_threads)
    return error(kErrorLaunchOutOfResources,
                 format("expected at most %u threads in a block but got %u",
                        kernel.max_threads, threads));
  uint64_t blocks = uint64_t(grid[0]) * grid[1];
  if (blocks >= uint64_t(1) << Accesses::kBlockBits ||
      blocks * grid[2] >= uint64_t(1) << Accesses::kBlockBits)
    return error(kErrorInvalidValue,
                 "more blocks than the simulated CUDA runs in one launch");
  uint64_t shared = uint64_t(kernel.shared_bytes) + launch.sharedBytes;
  if (shared > kMaxSharedBytes)
    return error(kErrorInvalidValue,
                 format("expected at most %u bytes of shared memory but got "
                        "%llu",
                        kMaxSharedBytes,
                        static_cast<unsigned long long>(shared)));
  return kSuccess;
}

Result cuLaunchKernel(Function handle, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes,
                      Stream streamHandle, void **parameters, void **extra) {
  Call call(Symbol::cuLaunchKernel, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<FunctionState> function = call.sim.functions.find(handle);
  if (!function || function->context != call.context)
    return refuse(kErrorInvalidHandle, "no such function in this context");
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, streamHandle, stream))
    return result;
  const jobsim_kernel &kernel = *function->kernel;
  Operation operation;
  operation.work.kind = Work::Kind::kKernel;
  KernelLaunch &launch = operation.work.launch;
  launch = {function->module,
            &kernel,
            {gridX, gridY, gridZ},
            {blockX, blockY, blockZ},
            sharedBytes,
            {},
            {}};
  if (Result result = checkLaunch(kernel, launch))
    return result;
  if (extra || (kernel.num_params > 0 && !parameters))
    return refuse(kErrorInvalidValue,
                  format("launch of kernel %s: expected its parameters as an "
                         "array of pointers",
                         kernel.name));

  constexpr size_t kUnit = sizeof(std::max_align_t);
  size_t units = 0;
  for (uint32_t i = 0; i < kernel.num_params; ++i) {
    launch.offsets.push_back(units * kUnit);
    units += (kernel.param_bytes[i] + kUnit - 1) / kUnit;
  }
  launch.parameters.resize(units);
  auto *values = reinterpret_cast<char *>(launch.parameters.data());
  for (uint32_t i = 0; i < kernel.num_params; ++i)
    std::memcpy(values + launch.offsets[i], parameters[i],
                kernel.param_bytes[i]);

  if (stream->capture)
    return capture(*stream, std::move(operation.work), false);
  submit(stream, std::move(operation));
  return kSuccess;
}

Result jobsim::runKernel(ContextState &context, const KernelLaunch &launch) {
  if (launch.module->unloaded) {
    report(format("kernel %s: its module was unloaded before it ran",
                  launch.kernel->name));
    return kErrorIllegalAddress;
  }
  ++simulator().kernelsRun;
  // Under the simulator's mutex, as everything. Lives until the process ends.
  static KernelRun *run = new KernelRun();
  return run->run(context, launch);
}

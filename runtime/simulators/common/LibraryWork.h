//===- LibraryWork.h - Work of a stand-in for a library ---------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_COMMON_LIBRARYWORK_H
#define JOBRT_SIMULATORS_COMMON_LIBRARYWORK_H

#include "drivers/cuda/CudaApi.h"
#include "simulators/cuda/library_abi.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jobsim {

/// Memory of one argument of a call.
struct Argument {
  const char *name;
  const void *pointer;
  uint64_t bytes, alignment;
  bool isWritten;

  bool overlaps(const Argument &other) const {
    auto begin = reinterpret_cast<uintptr_t>(pointer),
         otherBegin = reinterpret_cast<uintptr_t>(other.pointer);
    return begin < otherBegin + other.bytes && otherBegin < begin + bytes;
  }
};

/// Submits `run(*state)`, which accesses the arguments, to a stream. Returns
/// whether that was refused. `function` is its name in faults.
template <auto run, typename State>
bool submitWork(const char *function, const std::vector<Argument> &arguments,
                std::unique_ptr<State> state, jobrt::cuda::Stream stream) {
  std::vector<jobsim_range> ranges;
  for (const Argument &argument : arguments)
    ranges.push_back(
        {argument.name, argument.pointer, argument.bytes, argument.isWritten});
  jobsim_library_work work = {
      function,
      ranges.data(),
      static_cast<uint32_t>(ranges.size()),
      [](void *opaque) { run(*static_cast<State *>(opaque)); },
      [](void *opaque) { delete static_cast<State *>(opaque); },
      state.release(),
      /*begin=*/nullptr,
      /*poll=*/nullptr};
  return jobsim_library_submit(&work, stream) != 0;
}

} // namespace jobsim

#endif // JOBRT_SIMULATORS_COMMON_LIBRARYWORK_H

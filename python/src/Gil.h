//===- Gil.h - The interpreter's lock ---------------------------*- C++ -*-===//
//
// Guards as gil_scoped_release and gil_scoped_acquire of pybind11, for threads
// that the end of the program does not wait for. Before Python 3.14 the
// interpreter ends such a thread by pthread_exit when it takes the lock. This
// unwinds the thread, which aborts the process at the first C++ frame that lets
// no exception through. These guards block the thread instead; it ends with the
// process.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_PYTHON_GIL_H
#define JOBMLIR_PYTHON_GIL_H

#include <pybind11/pybind11.h>

#include <cxxabi.h>
#include <optional>
#include <unistd.h>

namespace jobmlir {

template <typename Function> void takeLock(Function take) {
  try {
    take();
  } catch (abi::__forced_unwind &) {
    for (;;)
      ::pause();
  }
}

class GilRelease {
public:
  GilRelease() : state(PyEval_SaveThread()) {}
  ~GilRelease() {
    takeLock([this] { PyEval_RestoreThread(state); });
  }
  GilRelease(const GilRelease &) = delete;
  GilRelease &operator=(const GilRelease &) = delete;

private:
  PyThreadState *state;
};

class GilAcquire {
public:
  GilAcquire() {
    takeLock([this] { acquire.emplace(); });
  }
  GilAcquire(const GilAcquire &) = delete;
  GilAcquire &operator=(const GilAcquire &) = delete;

private:
  std::optional<pybind11::gil_scoped_acquire> acquire;
};

} // namespace jobmlir

#endif // JOBMLIR_PYTHON_GIL_H

//===- Gil.h - The interpreter's lock ---------------------------*- C++ -*-===//
//
// Guards as gil_scoped_release and gil_scoped_acquire of pybind11, for threads
// that the end of the program does not wait for. Before Python 3.14 the
// interpreter ends such a thread by pthread_exit when it takes the lock, which
// code in Python does now and then as well. This unwinds the thread: it aborts
// the process at the first C++ frame that lets no exception through, and
// destructors use an interpreter that is gone. These guards block the thread
// instead; it ends with the process.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_PYTHON_GIL_H
#define JOBMLIR_PYTHON_GIL_H

#include <pybind11/pybind11.h>

#include <cxxabi.h>
#include <unistd.h>

namespace jobmlir {

/// Calls `function`, which takes the lock, and returns what it does; blocks if
/// the interpreter ends the thread.
template <typename Function> auto blockAtEnd(Function function) {
  try {
    return function();
  } catch (abi::__forced_unwind &) {
    for (;;)
      ::pause();
  }
}

class GilRelease {
public:
  GilRelease() : state(PyEval_SaveThread()) {}
  ~GilRelease() {
    blockAtEnd([this] { PyEval_RestoreThread(state); });
  }
  GilRelease(const GilRelease &) = delete;
  GilRelease &operator=(const GilRelease &) = delete;

private:
  PyThreadState *state;
};

/// Calls `function` with the lock, on any thread.
template <typename Function> auto withGil(Function function) {
  return blockAtEnd([&] {
    pybind11::gil_scoped_acquire lock;
    // Blocks before the lock, which is another thread's then, is given back.
    return blockAtEnd(function);
  });
}

/// Calls a function of Python, with the lock. Blocks here and not in the
/// caller, whose objects of Python cannot be let go of without the lock.
inline pybind11::object callFunction(const pybind11::function &function,
                                     const pybind11::tuple &arguments) {
  PyObject *result = blockAtEnd(
      [&] { return PyObject_Call(function.ptr(), arguments.ptr(), nullptr); });
  if (!result)
    throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(result);
}

} // namespace jobmlir

#endif // JOBMLIR_PYTHON_GIL_H

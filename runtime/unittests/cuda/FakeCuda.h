//===- FakeCuda.h - A small libcuda for tests -------------------*- C++ -*-===//
//
// Executes each operation when it is submitted, on the calling thread, and
// checks nothing: for tests of the errors that a library returns. The simulated
// CUDA (simulators/cuda) is the device that finds mistakes of the driver.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_CUDA_FAKECUDA_H
#define JOBRT_UNITTESTS_CUDA_FAKECUDA_H

extern "C" {
/// Call number `call` from now on, counted from 1, fails with `result` and does
/// nothing; 0 ends that. Calls that ask for the name of an error or destroy an
/// object are not counted.
void fake_cuda_fail(long call, int result);
/// Calls since fake_cuda_fail().
long fake_cuda_calls(void);
/// Contexts, memory, modules, streams, events and graphs that are not
/// destroyed.
long fake_cuda_objects(void);
}

#endif // JOBRT_UNITTESTS_CUDA_FAKECUDA_H

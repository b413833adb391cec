//===- CudaCall.h - Library functions a plan may call on a GPU --*- C++ -*-===//
//
// The interface between the driver and the libraries behind the `call` commands
// of an artifact (docs/artifact.md, "Library calls"). A call is prepared once
// per command per session; submitting it only passes addresses.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDACALL_H
#define JOBRT_DRIVERS_CUDA_CUDACALL_H

#include "drivers/cuda/CudaContext.h"
#include "jobrt/artifact.h"
#include "jobrt/calls/common.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace jobrt::cuda {

/// One library call of a plan. One thread at a time uses it.
class Call {
public:
  Call() = default;
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  virtual ~Call();

  /// Submits the call to `stream`, which may be captured. `args[i]` is the
  /// address of the command's i-th buffer. Does not wait for the device and
  /// does not allocate, except in the library.
  virtual Status enqueue(const DevicePointer *args, Stream stream) = 0;
  /// What the library has selected to compute it with, for reports.
  virtual std::string algorithm() const = 0;

  /// The types of the elements of the command's arrays, in its order.
  std::vector<calls::Element> elements;
};

/// A call with the elements of its configuration's arrays.
template <typename Config>
Expected<std::unique_ptr<Call>>
withElements(Expected<std::unique_ptr<Call>> call, const Config &config) {
  if (call.ok())
    for (const calls::Buffer &buffer : config.buffers())
      (*call)->elements.push_back(buffer.element);
  return call;
}

/// An opened library with its state on one device.
class Library {
public:
  Library() = default;
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;
  virtual ~Library();

  /// Prepares the call of a command of one of its functions, in the calling
  /// thread's context. The message of an error does not name the call: the
  /// caller does. The library outlives the call.
  virtual Expected<std::unique_ptr<Call>> prepare(const Command &command) = 0;
};

/// A library of this build, by the beginning of the names of its functions.
struct LibraryEntry {
  const char *prefix;
  /// Opens it. Errors: kNotFound (it is not on this machine), kUnimplemented
  /// (it is too old).
  Expected<std::unique_ptr<Library>> (*open)(
      std::shared_ptr<DeviceContext> context);
};

/// The libraries that a driver uses, each opened by the first call that needs
/// it.
class Libraries {
public:
  explicit Libraries(std::shared_ptr<DeviceContext> context)
      : context(std::move(context)) {}

  /// Whether this build has the library of a function.
  static bool has(std::string_view callee);
  /// The call of a command, whose library this build has.
  Expected<std::unique_ptr<Call>> prepare(const Command &command);

private:
  std::shared_ptr<DeviceContext> context;
  std::map<const LibraryEntry *, std::unique_ptr<Library>> opened;
};

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDACALL_H

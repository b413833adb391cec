//===- CudaContext.h - A CUDA device in use ---------------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDACONTEXT_H
#define JOBRT_DRIVERS_CUDA_CUDACONTEXT_H

#include "drivers/cuda/CudaApi.h"
#include "lib/executor/Driver.h"

namespace jobrt::cuda {

/// The primary context of a device, retained as long as the object lives. Any
/// thread may use it. Shared by a driver and the memory that it has made, which
/// may outlive it.
class DeviceContext {
public:
  /// Errors: kInvalidArgument (no device of that index; names those that are
  /// there), or that of a call.
  static Expected<std::shared_ptr<DeviceContext>>
  create(std::shared_ptr<const Api> api, int index);
  ~DeviceContext();
  DeviceContext(const DeviceContext &) = delete;
  DeviceContext &operator=(const DeviceContext &) = delete;

  /// Makes the context that of the calling thread, which every other call
  /// needs. For threads of the driver; those of the user have a ContextScope.
  /// Does not allocate unless it fails.
  Status enter() const;
  /// The same at the start of a thread of the driver. A capture that another
  /// thread makes in global mode, as PyTorch does, stays valid whatever the
  /// thread calls.
  Status enterThread() const;

  const Api &api() const { return *library; }
  /// "cuda:0".
  std::string name() const { return "cuda:" + std::to_string(index); }
  int major() const { return capability[0]; }
  int minor() const { return capability[1]; }
  /// "sm_90", or Api::simulatedTarget.
  std::string codeTarget() const;

private:
  friend class ContextScope;
  explicit DeviceContext(std::shared_ptr<const Api> api)
      : library(std::move(api)) {}

  std::shared_ptr<const Api> library;
  int index = 0;
  Device device = 0;
  Context context = nullptr;
  bool isRetained = false;
  int capability[2] = {0, 0};
};

/// As long as it lives, the context is that of the calling thread; then the
/// thread has the one that it had before, on which other code may rely.
class ContextScope {
public:
  explicit ContextScope(const DeviceContext &context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// The error of making the context current. Does not allocate unless it
  /// fails.
  const Status &status() const { return entered; }

private:
  const DeviceContext &context;
  Context previous = nullptr;
  bool isChanged = false;
  Status entered;
};

/// Memory of the device (kDevice) or pinned memory of the host (kStaging).
class CudaMemory final : public DriverMemory {
public:
  /// Zero-filled. Blocks.
  static Expected<std::unique_ptr<CudaMemory>>
  create(std::shared_ptr<DeviceContext> context, MemoryKind kind, int64_t bytes,
         std::string_view purpose);
  ~CudaMemory() override;

  /// Of kDevice memory.
  DevicePointer pointer() const { return device; }

private:
  CudaMemory(std::shared_ptr<DeviceContext> context, int64_t bytes,
             std::byte *host, DevicePointer device)
      : DriverMemory(bytes, host), context(std::move(context)), device(device) {
  }

  std::shared_ptr<DeviceContext> context;
  DevicePointer device;
};

/// A stream, an event or another object of CUDA that is destroyed at the end,
/// in the context.
template <typename T> class Owned {
public:
  using Destroy = Result (*Api::*)(T);
  Owned() = default;
  Owned(const DeviceContext &context, Destroy destroy, T object)
      : context(&context), destroy(destroy), object(object) {}
  ~Owned() { reset(); }
  Owned(Owned &&other) noexcept
      : context(other.context), destroy(other.destroy),
        object(std::exchange(other.object, T())) {}
  Owned &operator=(Owned &&other) noexcept {
    if (this != &other) {
      reset();
      context = other.context;
      destroy = other.destroy;
      object = std::exchange(other.object, T());
    }
    return *this;
  }
  T get() const { return object; }
  explicit operator bool() const { return object != T(); }

private:
  void reset() {
    // After an error of the device both fail, and the context takes the object
    // with it.
    if (object) {
      ContextScope scope(*context);
      (context->api().*destroy)(object);
    }
    object = T();
  }

  const DeviceContext *context = nullptr;
  Destroy destroy = nullptr;
  T object = T();
};

/// In the calling thread's context.
Expected<Owned<Stream>> createStream(const DeviceContext &context);
Expected<Owned<Event>> createEvent(const DeviceContext &context);

/// All devices, by index. The library is initialized.
Expected<std::vector<DeviceInfo>> listDevices(const Api &api);

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDACONTEXT_H

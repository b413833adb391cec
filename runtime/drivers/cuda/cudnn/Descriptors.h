//===- Descriptors.h - Descriptors of cuDNN's graph API ---------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_DESCRIPTORS_H
#define JOBRT_DRIVERS_CUDA_CUDNN_DESCRIPTORS_H

#include "drivers/cuda/cudnn/CudnnApi.h"

#include <span>
#include <vector>

namespace jobrt::cuda::cudnn {

/// A descriptor that is destroyed at the end. The library outlives it.
class OwnedDescriptor {
public:
  OwnedDescriptor() = default;
  OwnedDescriptor(const Api &api, Descriptor object)
      : api(&api), object(object) {}
  OwnedDescriptor(OwnedDescriptor &&other) noexcept
      : api(other.api), object(std::exchange(other.object, nullptr)) {}
  OwnedDescriptor &operator=(OwnedDescriptor &&other) noexcept {
    std::swap(api, other.api);
    std::swap(object, other.object);
    return *this;
  }
  ~OwnedDescriptor() {
    if (object)
      (void)api->destroyDescriptor(object);
  }

  Descriptor get() const { return object; }

private:
  const Api *api = nullptr;
  Descriptor object = nullptr;
};

/// A new descriptor without attributes, which `what` names in errors.
Expected<OwnedDescriptor> createDescriptor(const Api &api, int type,
                                           const char *what);

/// Creates a descriptor, sets its attributes and finalizes it. After an error
/// the rest is skipped.
class DescriptorBuilder {
public:
  DescriptorBuilder(const Api &api, int type, const char *what);

  /// An attribute of values of one of the library's types.
  template <typename T>
  DescriptorBuilder &set(int attribute, int type, std::span<const T> values) {
    return setBytes(attribute, type, static_cast<int64_t>(values.size()),
                    values.data());
  }
  template <typename T>
  DescriptorBuilder &set(int attribute, int type,
                         const std::vector<T> &values) {
    return set(attribute, type, std::span<const T>(values));
  }
  template <typename T>
  DescriptorBuilder &setValue(int attribute, int type, const T &value) {
    return setBytes(attribute, type, 1, &value);
  }
  DescriptorBuilder &setInt64(int attribute, int64_t value) {
    return setValue(attribute, kInt64Type, value);
  }
  DescriptorBuilder &setDescriptor(int attribute,
                                   const OwnedDescriptor &value) {
    return setValue(attribute, kDescriptorType, value.get());
  }

  /// The finalized descriptor.
  Expected<OwnedDescriptor> finish();
  /// The same where the library may refuse it: `result` is its answer to
  /// finalizing it, or kSuccess if an error came before.
  Expected<OwnedDescriptor> finish(Result &result);

private:
  DescriptorBuilder &setBytes(int attribute, int type, int64_t count,
                              const void *values);

  const Api &api;
  const char *what;
  OwnedDescriptor descriptor;
  Status status;
};

/// The one value of an attribute of a finalized descriptor.
Expected<int64_t> getInt64(const Api &api, const OwnedDescriptor &descriptor,
                           int attribute, const char *what);
/// All values of an attribute that are integers of 32 bits: an enumeration of
/// the library, of at most `capacity` values.
Expected<std::vector<int>> getEnums(const Api &api,
                                    const OwnedDescriptor &descriptor,
                                    int attribute, int type, int64_t capacity,
                                    const char *what);
/// How many descriptors an attribute has: the library may have fewer when they
/// are read.
Expected<int64_t> getCount(const Api &api, const OwnedDescriptor &descriptor,
                           int attribute, const char *what);
/// The descriptors of an attribute, which are of one type; at most `capacity`.
Expected<std::vector<OwnedDescriptor>>
getDescriptors(const Api &api, const OwnedDescriptor &descriptor, int attribute,
               int type, int64_t capacity, const char *what);

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_DESCRIPTORS_H

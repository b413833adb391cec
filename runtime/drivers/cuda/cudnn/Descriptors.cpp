//===- Descriptors.cpp - Descriptors of cuDNN's graph API -----------------===//

#include "drivers/cuda/cudnn/Descriptors.h"

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::cudnn;

/// "attribute 902 of a tensor".
static std::string nameAttribute(int attribute, const char *what) {
  return "attribute " + std::to_string(attribute) + " of " + what;
}

Expected<OwnedDescriptor> cudnn::createDescriptor(const Api &api, int type,
                                                  const char *what) {
  Descriptor object = nullptr;
  if (Status status = api.check(api.createDescriptor(type, &object),
                                "cudnnBackendCreateDescriptor", what);
      !status.ok())
    return status;
  return OwnedDescriptor(api, object);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

DescriptorBuilder::DescriptorBuilder(const Api &api, int type, const char *what)
    : api(api), what(what) {
  Expected<OwnedDescriptor> made = createDescriptor(api, type, what);
  if (made.ok())
    descriptor = std::move(*made);
  else
    status = made.status();
}

DescriptorBuilder &DescriptorBuilder::setBytes(int attribute, int type,
                                               int64_t count,
                                               const void *values) {
  if (status.ok())
    if (Result result =
            api.setAttribute(descriptor.get(), attribute, type, count, values))
      status = api.check(result, "cudnnBackendSetAttribute",
                         nameAttribute(attribute, what));
  return *this;
}

Expected<OwnedDescriptor> DescriptorBuilder::finish(Result &result) {
  result = kSuccess;
  if (status.ok()) {
    result = api.finalize(descriptor.get());
    if (result)
      status = api.check(result, "cudnnBackendFinalize", what);
  }
  if (!status.ok())
    return status;
  return std::move(descriptor);
}

Expected<OwnedDescriptor> DescriptorBuilder::finish() {
  Result result;
  return finish(result);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Expected<int64_t> cudnn::getInt64(const Api &api,
                                  const OwnedDescriptor &descriptor,
                                  int attribute, const char *what) {
  int64_t value = 0, count = 0;
  if (Status status =
          api.check(api.getAttribute(descriptor.get(), attribute, kInt64Type, 1,
                                     &count, &value),
                    "cudnnBackendGetAttribute", nameAttribute(attribute, what));
      !status.ok())
    return status;
  return value;
}

Expected<std::vector<int>> cudnn::getEnums(const Api &api,
                                           const OwnedDescriptor &descriptor,
                                           int attribute, int type,
                                           int64_t capacity, const char *what) {
  std::vector<int> values(capacity);
  int64_t count = 0;
  if (Status status =
          api.check(api.getAttribute(descriptor.get(), attribute, type,
                                     capacity, &count, values.data()),
                    "cudnnBackendGetAttribute", nameAttribute(attribute, what));
      !status.ok())
    return status;
  values.resize(std::min(count, capacity));
  return values;
}

Expected<int64_t> cudnn::getCount(const Api &api,
                                  const OwnedDescriptor &descriptor,
                                  int attribute, const char *what) {
  int64_t count = 0;
  if (Status status =
          api.check(api.getAttribute(descriptor.get(), attribute,
                                     kDescriptorType, 0, &count, nullptr),
                    "cudnnBackendGetAttribute", nameAttribute(attribute, what));
      !status.ok())
    return status;
  return count;
}

Expected<std::vector<OwnedDescriptor>>
cudnn::getDescriptors(const Api &api, const OwnedDescriptor &descriptor,
                      int attribute, int type, int64_t capacity,
                      const char *what) {
  // The library fills in descriptors that exist.
  std::vector<OwnedDescriptor> descriptors;
  std::vector<Descriptor> values;
  for (int64_t i = 0; i < capacity; ++i) {
    Expected<OwnedDescriptor> made = createDescriptor(api, type, what);
    if (!made.ok())
      return made.status();
    values.push_back(made->get());
    descriptors.push_back(std::move(*made));
  }
  int64_t count = 0;
  if (Status status = api.check(
          api.getAttribute(descriptor.get(), attribute, kDescriptorType,
                           capacity, &count, values.data()),
          "cudnnBackendGetAttribute", nameAttribute(attribute, what));
      !status.ok())
    return status;
  descriptors.resize(std::min(count, capacity));
  return descriptors;
}

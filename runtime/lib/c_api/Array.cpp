//===- Array.cpp - Element types, arrays and their files in C -------------===//

#include "lib/c_api/Handles.h"

#include "jobrt/checkpoint.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace jobrt;
using namespace jobrt::c_api;

#define JOBRT_IS_EQUAL(NAME, ...)                                              \
  static_assert(JOBRT_##NAME == int(DType::k##NAME));
JOBRT_FOR_EACH_ELEMENT_TYPE(JOBRT_IS_EQUAL)
#undef JOBRT_IS_EQUAL

std::optional<DType> c_api::toDType(jobrt_dtype dtype) {
  if (dtype < JOBRT_I1 || dtype > JOBRT_BF16)
    return std::nullopt;
  return static_cast<DType>(dtype);
}

static Status invalid(std::string message) {
  return Status(StatusCode::kInvalidArgument, std::move(message));
}

/// Element type and extents, the data left null.
static Expected<TensorView> toType(jobrt_dtype dtype, int32_t rank,
                                   const int64_t *shape,
                                   const std::string &what) {
  TensorView type;
  std::optional<DType> known = toDType(dtype);
  if (!known)
    return invalid(what + ": expects a dtype from 0 to " +
                   std::to_string(JOBRT_BF16) + " but got " +
                   std::to_string(dtype));
  if (rank < 0)
    return invalid(what + ": expects a rank of at least 0 but got " +
                   std::to_string(rank));
  if (rank > 0 && !shape)
    return invalid(what + ": expects a shape of rank " + std::to_string(rank) +
                   " but got NULL");
  type.dtype = *known;
  type.shape.assign(shape, shape + rank);
  std::optional<int64_t> elements = numElements(type.shape);
  if (!elements || *elements > INT64_MAX / dtypeBytes(*known))
    return invalid(what + ": expects extents that fit into memory but got " +
                   formatType(type.shape, type.dtype));
  return type;
}

Expected<TensorView> c_api::toView(const jobrt_view *view,
                                   const std::string &what) {
  if (Status status = require(view, what.c_str()); !status.ok())
    return status;
  Expected<TensorView> converted =
      toType(view->dtype, view->rank, view->shape, what);
  // The runtime never writes what it takes from here.
  if (converted.ok())
    converted->data = const_cast<void *>(view->data);
  return converted;
}

Status c_api::checkView(const jobrt_view &view, const char *what, int32_t i) {
  std::optional<DType> known = toDType(view.dtype);
  int64_t elements = jobrt_num_elements(view.rank, view.shape);
  if (known && elements >= 0 && elements <= INT64_MAX / dtypeBytes(*known))
    return {};
  // The conversion says what is wrong.
  return toView(&view, std::string(what) + " " + std::to_string(i)).status();
}

Expected<TensorView> c_api::toViewWithData(const jobrt_view *view,
                                           const std::string &what) {
  Expected<TensorView> converted = toView(view, what);
  if (converted.ok() && !converted->data && converted->bytes() > 0)
    return invalid(what + ": expects data but got NULL");
  return converted;
}

/// Hands a tensor that was read to the caller.
static Status give(Expected<Tensor> tensor, jobrt_tensor **result) {
  if (!tensor.ok())
    return tensor.status();
  *result = new jobrt_tensor{std::move(*tensor)};
  return {};
}

extern "C" {

int64_t jobrt_dtype_bytes(jobrt_dtype dtype) {
  std::optional<DType> known = toDType(dtype);
  return known ? dtypeBytes(*known) : 0;
}

const char *jobrt_dtype_name(jobrt_dtype dtype) {
  std::optional<DType> known = toDType(dtype);
  return known ? dtypeName(*known) : "";
}

jobrt_status jobrt_dtype_parse(const char *name, jobrt_dtype *dtype,
                               jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(name, "a name"),
                                     require(dtype, "a place for the dtype"));
        !status.ok())
      return status;
    std::optional<DType> known = parseDType(name);
    if (!known)
      return invalid(std::string("expects a dtype of " JOBRT_ELEMENT_TYPE_NAMES
                                 " but got '") +
                     name + "'");
    *dtype = static_cast<jobrt_dtype>(*known);
    return {};
  });
}

int64_t jobrt_num_elements(int32_t rank, const int64_t *shape) {
  if (rank < 0 || (rank > 0 && !shape))
    return -1;
  int64_t elements = 1;
  for (int32_t i = 0; i < rank; ++i)
    if (shape[i] < 0 || __builtin_mul_overflow(elements, shape[i], &elements))
      return -1;
  return elements;
}

size_t jobrt_format_type(jobrt_dtype dtype, int32_t rank, const int64_t *shape,
                         char *text, size_t capacity) {
  size_t length = 0;
  auto put = [&](const char *part, size_t size) {
    for (size_t i = 0; i < size; ++i, ++length)
      if (text && length + 1 < capacity)
        text[length] = part[i];
  };
  for (int32_t i = 0; shape && i < rank; ++i) {
    char digits[24];
    put(digits, std::snprintf(digits, sizeof(digits), "%lldx",
                              static_cast<long long>(shape[i])));
  }
  const char *name = jobrt_dtype_name(dtype);
  put(name, std::strlen(name));
  if (text && capacity > 0)
    text[std::min(length, capacity - 1)] = '\0';
  return length;
}

jobrt_status jobrt_tensor_create(jobrt_dtype dtype, int32_t rank,
                                 const int64_t *shape, jobrt_tensor **tensor,
                                 jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(tensor, "a place for the tensor"); !status.ok())
      return status;
    Expected<TensorView> type = toType(dtype, rank, shape, "tensor");
    if (!type.ok())
      return type.status();
    return give(Tensor::create(type->dtype, type->shape), tensor);
  });
}

void *jobrt_tensor_data(jobrt_tensor *tensor) {
  return tensor ? tensor->tensor.data() : nullptr;
}

jobrt_view jobrt_tensor_view(const jobrt_tensor *tensor) {
  if (!tensor)
    return {};
  const Tensor &value = tensor->tensor;
  return {static_cast<jobrt_dtype>(value.dtype()),
          static_cast<int32_t>(value.shape().size()), value.shape().data(),
          value.data()};
}

int64_t jobrt_tensor_bytes(const jobrt_tensor *tensor) {
  return tensor ? tensor->tensor.bytes() : 0;
}

void jobrt_tensor_destroy(jobrt_tensor *tensor) { delete tensor; }

jobrt_status jobrt_read_npy(const char *path, jobrt_tensor **tensor,
                            jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(path, "a path"),
                                     require(tensor, "a place for the tensor"));
        !status.ok())
      return status;
    return give(readNpy(path), tensor);
  });
}

jobrt_status jobrt_write_npy(const char *path, const jobrt_view *value,
                             jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(path, "a path"); !status.ok())
      return status;
    Expected<TensorView> view = toViewWithData(value, "value");
    return view.ok() ? writeNpy(path, *view) : view.status();
  });
}

jobrt_status jobrt_read_idx(const char *path, jobrt_tensor **tensor,
                            jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(path, "a path"),
                                     require(tensor, "a place for the tensor"));
        !status.ok())
      return status;
    return give(readIdx(path), tensor);
  });
}

} // extern "C"

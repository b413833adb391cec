//===- OneDnn.cpp - Large convolutions of the stand-in for cuDNN ----------===//
//
// oneDNN on plain arrays, on one thread: the order of its sums is that of every
// run.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/Convolution.h"

#include <oneapi/dnnl/dnnl.h>

#include <type_traits>

using namespace jobsim::cudnn;

// That of the OpenMP that oneDNN is built with: no compiler flag, which could
// bring a second one in.
extern "C" void omp_set_num_threads(int);

namespace {
template <auto destroy> struct Destroy {
  template <typename T> void operator()(T *object) const { destroy(object); }
};
template <typename Handle, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;
using Memory = Owned<dnnl_memory_t, dnnl_memory_destroy>;
} // namespace

/// Null if the library has no memory left.
static dnnl_engine_t getEngine() {
  // Never destroyed: work may run until the process ends.
  static dnnl_engine_t engine = [] {
    dnnl_engine_t made = nullptr;
    return dnnl_engine_create(&made, dnnl_cpu, 0) ? nullptr : made;
  }();
  return engine;
}

static dnnl_status_t describe(dnnl_memory_desc_t &desc,
                              const std::vector<int64_t> &extents) {
  return dnnl_memory_desc_init_by_tag(
      &desc, extents.size(), extents.data(), dnnl_f32,
      extents.size() == 5 ? dnnl_abcde : dnnl_abcd);
}

/// What each operand is for the library.
static dnnl_status_t
describe(dnnl_convolution_desc_t &op, const Problem &problem,
         const dnnl_memory_desc_t &input, const dnnl_memory_desc_t &filter,
         const dnnl_memory_desc_t &output, int (&args)[3]) {
  const int64_t dilations[] = {problem.dilations[0] - 1,
                               problem.dilations[1] - 1};
  const int64_t *strides = problem.strides.data(),
                *before = problem.prePaddings.data(),
                *after = problem.postPaddings.data();
  switch (problem.kind) {
  case Problem::kForward:
    args[0] = DNNL_ARG_SRC;
    args[1] = DNNL_ARG_WEIGHTS;
    args[2] = DNNL_ARG_DST;
    return dnnl_dilated_convolution_forward_desc_init(
        &op, dnnl_forward_inference, dnnl_convolution_direct, &input, &filter,
        nullptr, &output, strides, dilations, before, after);
  case Problem::kDataGrad:
    args[0] = DNNL_ARG_DIFF_SRC;
    args[1] = DNNL_ARG_WEIGHTS;
    args[2] = DNNL_ARG_DIFF_DST;
    return dnnl_dilated_convolution_backward_data_desc_init(
        &op, dnnl_convolution_direct, &input, &filter, &output, strides,
        dilations, before, after);
  case Problem::kFilterGrad:
    args[0] = DNNL_ARG_SRC;
    args[1] = DNNL_ARG_DIFF_WEIGHTS;
    args[2] = DNNL_ARG_DIFF_DST;
    return dnnl_dilated_convolution_backward_weights_desc_init(
        &op, dnnl_convolution_direct, &input, &filter, nullptr, &output,
        strides, dilations, before, after);
  }
  return dnnl_invalid_arguments;
}

bool jobsim::cudnn::convolveWithLibrary(const Problem &problem, float *input,
                                        float *filter, float *output) {
  dnnl_engine_t engine = getEngine();
  if (!engine)
    return false;
  // What a primitive is made for is what it runs with.
  omp_set_num_threads(1);
  std::vector<int64_t> filterExtents = problem.filter.dims;
  if (int64_t groups = problem.groups(); groups > 1) {
    filterExtents[0] /= groups;
    filterExtents.insert(filterExtents.begin(), groups);
  }
  dnnl_memory_desc_t descs[3];
  dnnl_convolution_desc_t op;
  int args[3];
  if (describe(descs[0], problem.input.dims) ||
      describe(descs[1], filterExtents) ||
      describe(descs[2], problem.output.dims) ||
      describe(op, problem, descs[0], descs[1], descs[2], args))
    return false;

  dnnl_primitive_desc_t rawDesc = nullptr;
  if (dnnl_primitive_desc_create(&rawDesc, &op, nullptr, engine, nullptr))
    return false;
  Owned<dnnl_primitive_desc_t, dnnl_primitive_desc_destroy> desc(rawDesc);
  dnnl_primitive_t rawPrimitive = nullptr;
  if (dnnl_primitive_create(&rawPrimitive, desc.get()))
    return false;
  Owned<dnnl_primitive_t, dnnl_primitive_destroy> primitive(rawPrimitive);
  dnnl_stream_t rawStream = nullptr;
  if (dnnl_stream_create(&rawStream, engine, dnnl_stream_default_flags))
    return false;
  Owned<dnnl_stream_t, dnnl_stream_destroy> stream(rawStream);

  float *arrays[] = {input, filter, output};
  Memory memories[3];
  dnnl_exec_arg_t execArgs[3];
  for (int i = 0; i < 3; ++i) {
    dnnl_memory_t memory = nullptr;
    if (dnnl_memory_create(&memory, &descs[i], engine, arrays[i]))
      return false;
    memories[i].reset(memory);
    execArgs[i] = {args[i], memory};
  }
  return !dnnl_primitive_execute(primitive.get(), stream.get(), 3, execArgs) &&
         !dnnl_stream_wait(stream.get());
}

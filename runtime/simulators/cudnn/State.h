//===- State.h - The objects of the stand-in for cuDNN ----------*- C++ -*-===//
//
// A library with the functions of cuDNN's graph API that the driver calls. It
// checks descriptors as the library's reference says, and computes on the host;
// the graph runs on a stream of the simulated CUDA, which checks its memory.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUDNN_STATE_H
#define JOBRT_SIMULATORS_CUDNN_STATE_H

#include "drivers/cuda/cudnn/CudnnApi.h"
#include "simulators/cuda/library_abi.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define JOBSIM_EXPORT __attribute__((visibility("default")))

// The compiler compares every definition with what the driver expects.
extern "C" {
using jobrt::cuda::Stream;
using jobrt::cuda::cudnn::Descriptor;
using jobrt::cuda::cudnn::Handle;
using jobrt::cuda::cudnn::Result;
#define JOBSIM_DECLARE(name, symbol, result, parameters)                       \
  JOBSIM_EXPORT result symbol parameters;
JOBRT_FOR_EACH_CUDNN_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
}

struct cudnnContext {
  Stream stream = nullptr;
};

namespace jobsim::cudnn {

using namespace jobrt::cuda::cudnn;

struct DescriptorData;
using DataPointer = std::shared_ptr<const DescriptorData>;

/// The values of an attribute: bytes, or the contents of descriptors at the
/// time when it was set.
struct AttributeValue {
  int64_t count = 0;
  std::vector<char> bytes;
  std::vector<DataPointer> descriptors;
};

/// What a descriptor holds.
struct DescriptorData {
  int type = 0;
  bool isFinalized = false;
  std::map<int, AttributeValue> attributes;

  bool has(int attribute) const { return attributes.count(attribute); }
  /// All values of an attribute that is set, of the type of its elements.
  template <typename T> std::vector<T> values(int attribute) const {
    const AttributeValue &value = attributes.at(attribute);
    auto *first = reinterpret_cast<const T *>(value.bytes.data());
    return std::vector<T>(first, first + value.count);
  }
  template <typename T> T value(int attribute) const {
    return values<T>(attribute).front();
  }
  const DescriptorData &descriptor(int attribute) const {
    return *attributes.at(attribute).descriptors.front();
  }
  template <typename T>
  void assign(int attribute, const std::vector<T> &values) {
    auto *first = reinterpret_cast<const char *>(values.data());
    attributes[attribute] = {static_cast<int64_t>(values.size()),
                             {first, first + values.size() * sizeof(T)},
                             {}};
  }
  void assign(int attribute, std::vector<DataPointer> descriptors) {
    auto count = static_cast<int64_t>(descriptors.size());
    attributes[attribute] = {count, {}, std::move(descriptors)};
  }
};

/// Why the library refuses something, and its error; kSuccess if it does not.
struct Refusal {
  Result result = kSuccess;
  std::string reason;
};

/// The beginning of each function: counts the call. Returns the error of an
/// injected failure, `failure` unless another one was asked for.
Result begin(const char *function, Result failure);
/// Why a call fails: for the test, and as the library's last error.
Result refuse(const char *function, const Refusal &refusal);
/// Whether a handle has been made and not destroyed.
bool exists(Handle handle);
/// The contents of a descriptor, null if it does not exist.
std::shared_ptr<DescriptorData> findDescriptor(Descriptor descriptor);

/// What may be an attribute of a descriptor.
struct AttributeInfo {
  int descriptor, attribute, type;
  int64_t low, high;
  enum Use { kRequired, kOptional, kReadOnly } use;
  /// The type of its descriptors; 0 if it has none, or of several types.
  int target = 0;
};
/// Null if the descriptor has no such attribute.
const AttributeInfo *findAttribute(int descriptor, int attribute);
/// Checks what has to be set before a descriptor is finalized, and its values,
/// and completes it with what can be read.
Refusal finalize(DescriptorData &data);
Refusal finalizeTensor(const DescriptorData &data);
Refusal finalizeConvolution(const DescriptorData &data);
Refusal finalizeConvolutionOperation(const DescriptorData &data);
Refusal finalizePointwise(const DescriptorData &data);
Refusal finalizeReduction(const DescriptorData &data);
Refusal finalizeMatMul(const DescriptorData &data);
/// Operations of graphs of several: pointwise ones, products, reductions and
/// reshapes.
Refusal finalizeNode(const DescriptorData &data);
Refusal finalizeResample(const DescriptorData &data);
Refusal finalizeResampleOperation(const DescriptorData &data);
Refusal finalizeGraph(const DescriptorData &data);
Refusal finalizeHeuristics(DescriptorData &data);
Refusal finalizeEngine(DescriptorData &data);
Refusal finalizeEngineConfig(const DescriptorData &data);
Refusal finalizePlan(DescriptorData &data);
Refusal finalizeVariantPack(const DescriptorData &data);

/// Bytes of an element of a type, 0 if the stand-in does not have it.
size_t bytesOf(int dataType);

/// A tensor of an operation, of 4 dimensions: n, c, h, w of images; batch,
/// head, and those of a matrix.
struct Tensor {
  int64_t id = 0, alignment = 1;
  int type = kTypeF32;
  /// Between two operations of a graph, and not in memory.
  bool isVirtual = false;
  /// A number of the host.
  bool isByValue = false;
  std::vector<int64_t> dims, strides;

  bool operator==(const Tensor &) const = default;
  int64_t count() const;
  /// Elements from the first to the last one in memory, and their bytes.
  int64_t span() const;
  uint64_t bytes() const;
  bool isChannelsLast() const { return strides[1] == 1 && dims[1] > 1; }
};
Tensor makeTensor(const DescriptorData &data);
/// "(2, 3)".
std::string toText(const std::vector<int64_t> &numbers);
/// Tensors of one type with 4 dimensions, and with unique ids of their own.
Refusal checkTensors(const std::vector<const Tensor *> &tensors);
/// Whether two elements of a tensor have one address.
bool overlapsItself(const Tensor &tensor);

/// How an engine computes.
struct Numerics {
  /// Factors are rounded: tensor cores for f32, or with fewer bits.
  bool isTF32 = false, roundsToBF16 = false;
  /// Sums are rounded to the type of the result in between.
  bool roundsSums = false;
  /// The order of the terms is random.
  bool isRandom = false;
  /// Parts of the batch whose gradients of the filter are added at the end.
  int64_t parts = 1;
};

/// The engines of the stand-in, by their global index.
struct Engine {
  int64_t index;
  std::vector<int> notes;
  Numerics numerics;
  /// Whether the heuristics suggest what then is refused.
  bool isRefused = false;
};
/// A knob of an engine: its type and value.
using Knob = std::pair<int, int64_t>;

/// A tensor that a graph has in memory.
struct GraphTensor {
  const char *name;
  const Tensor *tensor;
  bool isResult;
};

/// What a graph computes.
class Computation {
public:
  virtual ~Computation() = default;

  virtual std::vector<GraphTensor> tensors() const = 0;
  /// The engines that a mode of the heuristics suggests, best first.
  virtual std::vector<int64_t> suggest(int mode) const = 0;
  /// The engine of that index; null if there is none.
  virtual const Engine *findEngine(int64_t index) const;
  /// Whether a caller may choose an engine with these knobs.
  virtual bool hasConfig(int64_t, const std::vector<Knob> &) const {
    return false;
  }
  virtual int64_t getWorkspaceBytes(const Engine &engine) const = 0;
  /// `arrays` are those of `tensors()`.
  virtual void run(const Numerics &numerics,
                   const std::vector<void *> &arrays) const = 0;
};
using ComputationPointer = std::shared_ptr<const Computation>;

/// The computation of the operations of a graph. Null if the stand-in has none
/// of this kind, or with the reason in `refusal`.
ComputationPointer makeConvolution(const std::vector<DataPointer> &operations,
                                   Refusal &refusal);
ComputationPointer makePooling(const std::vector<DataPointer> &operations);
ComputationPointer makeAttention(const std::vector<DataPointer> &operations,
                                 Refusal &refusal);
/// That of a finalized graph.
ComputationPointer makeComputation(const DescriptorData &graph);

/// Everything that a graph needs when it runs.
struct Execution {
  ComputationPointer computation;
  Numerics numerics;
  std::vector<void *> arrays;
  /// What numbers of the host were when the graph was submitted.
  std::deque<int32_t> numbers;
  void *workspace;
  int64_t workspaceBytes;
};
void run(const Execution &execution);

} // namespace jobsim::cudnn

#endif // JOBRT_SIMULATORS_CUDNN_STATE_H

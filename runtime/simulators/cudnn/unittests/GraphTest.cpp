//===- GraphTest.cpp - Graphs of several operations in the stand-in -------===//

#include "simulators/cudnn/unittests/CudnnSimTest.h"

#include <optional>

namespace {

using Dims = std::vector<int64_t>;

constexpr int kF32 = dnn::kTypeF32, kBF16 = dnn::kTypeBF16;

/// Attention of 1 head: 2 queries, 3 keys and 8 channels.
class CudnnGraphTest : public CudnnSimTest {
protected:
  /// What a tensor is, for `make` to make.
  struct Spec {
    int64_t id;
    Dims dims;
    int type = kF32;
    /// kTensorIsVirtual, kTensorIsByValue, or none.
    int flag = 0;
    /// Dense if empty.
    Dims strides = {};
  };
  static Spec virtualTensor(int64_t id, Dims dims, int type = kF32) {
    return {id, std::move(dims), type, dnn::kTensorIsVirtual};
  }
  static Spec number(int64_t id, int type = kF32) {
    return {id, {1, 1, 1, 1}, type, dnn::kTensorIsByValue};
  }

  /// A tensor that is not finalized.
  Descriptor makeTensor(const Spec &spec) {
    Dims strides = spec.strides;
    if (strides.empty()) {
      strides.resize(spec.dims.size());
      int64_t stride = 1;
      for (size_t i = spec.dims.size(); i-- > 0; stride *= spec.dims[i])
        strides[i] = stride;
    }
    Descriptor tensor = create(dnn::kTensorDescriptor);
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorUniqueId, {spec.id}));
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorAlignment, {4}));
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorDimensions, spec.dims));
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorStrides, strides));
    EXPECT_DNN_OK(
        set(tensor, dnn::kTensorDataType, dnn::kDataTypeType, spec.type));
    if (spec.flag) {
      EXPECT_DNN_OK(set(tensor, spec.flag, dnn::kBooleanType, char(1)));
    }
    return tensor;
  }
  Descriptor make(const Spec &spec) { return finalized(makeTensor(spec)); }

  // Operations and their parameters, not finalized.
  Descriptor makeParameters(int mode, int computeType = kF32) {
    Descriptor parameters = create(dnn::kPointwiseDescriptor);
    EXPECT_DNN_OK(
        set(parameters, dnn::kPointwiseMode, dnn::kPointwiseModeType, mode));
    EXPECT_DNN_OK(set(parameters, dnn::kPointwiseComputeType,
                      dnn::kDataTypeType, computeType));
    return parameters;
  }
  Descriptor
  makeOperation(int type,
                const std::vector<std::pair<int, Descriptor>> &attributes) {
    Descriptor operation = create(type);
    for (auto [attribute, value] : attributes) {
      EXPECT_DNN_OK(set(operation, attribute, dnn::kDescriptorType, value));
    }
    return operation;
  }
  Descriptor makePointwise(int mode, const Spec &x, const Spec &y,
                           std::optional<Spec> b = std::nullopt) {
    std::vector<std::pair<int, Descriptor>> attributes = {
        {dnn::kPointwiseOperationPointwise, finalized(makeParameters(mode))},
        {dnn::kPointwiseInput, make(x)},
        {dnn::kPointwiseOutput, make(y)}};
    if (b)
      attributes.push_back({dnn::kPointwiseSecond, make(*b)});
    return makeOperation(dnn::kPointwiseOperationDescriptor, attributes);
  }
  Descriptor makeMatMul(const Spec &a, const Spec &b, const Spec &c) {
    Descriptor parameters = create(dnn::kMatMulDescriptor);
    EXPECT_DNN_OK(
        set(parameters, dnn::kMatMulComputeType, dnn::kDataTypeType, kF32));
    return makeOperation(dnn::kMatMulOperationDescriptor,
                         {{dnn::kMatMulOperation, finalized(parameters)},
                          {dnn::kMatMulA, make(a)},
                          {dnn::kMatMulB, make(b)},
                          {dnn::kMatMulC, make(c)}});
  }
  Descriptor makeReduction(int op, const Spec &x, const Spec &y) {
    Descriptor parameters = create(dnn::kReductionDescriptor);
    EXPECT_DNN_OK(set(parameters, dnn::kReductionOperator,
                      dnn::kReductionOperatorType, op));
    EXPECT_DNN_OK(
        set(parameters, dnn::kReductionComputeType, dnn::kDataTypeType, kF32));
    return makeOperation(dnn::kReductionOperationDescriptor,
                         {{dnn::kReductionOperation, finalized(parameters)},
                          {dnn::kReductionX, make(x)},
                          {dnn::kReductionY, make(y)}});
  }
  Descriptor makeReshape(const Spec &x, const Spec &y) {
    return makeOperation(
        dnn::kReshapeOperationDescriptor,
        {{dnn::kReshapeX, make(x)}, {dnn::kReshapeY, make(y)}});
  }

  /// A graph that is not finalized, of operations that are not either.
  Descriptor makeGraph(const std::vector<Descriptor> &operations) {
    for (Descriptor operation : operations)
      finalized(operation);
    Descriptor graph = create(dnn::kGraphDescriptor);
    EXPECT_DNN_OK(set(graph, dnn::kGraphHandle, dnn::kHandleType, handle));
    EXPECT_DNN_OK(
        set(graph, dnn::kGraphOperations, dnn::kDescriptorType, operations));
    return graph;
  }

  /// The tensors of attention, which a test may change.
  struct Tensors {
    Spec query = {1, {1, 1, 2, 8}, kBF16},
         key = {2, {1, 1, 8, 3}, kBF16, 0, {24, 24, 1, 8}},
         value = {3, {1, 1, 3, 8}, kBF16}, result = {4, {1, 1, 2, 8}, kBF16},
         sums = {5, {1, 1, 2, 1}}, scale = number(6),
         weights = virtualTensor(20, {1, 1, 2, 3}, kBF16);
  };
  /// The operations of attention, in this order.
  std::vector<Descriptor> attend(const Tensors &t) {
    auto scores = [](int64_t id) { return virtualTensor(id, {1, 1, 2, 3}); };
    auto rows = [](int64_t id) { return virtualTensor(id, {1, 1, 2, 1}); };
    return {makeMatMul(t.query, t.key, scores(10)),
            makePointwise(dnn::kPointwiseMul, scores(10), scores(11), t.scale),
            makeReduction(dnn::kReduceMax, scores(11), rows(12)),
            makePointwise(dnn::kPointwiseSub, scores(11), scores(13), rows(12)),
            makePointwise(dnn::kPointwiseExp, scores(13), scores(14)),
            makeReduction(dnn::kReduceAdd, scores(14), rows(15)),
            makePointwise(dnn::kPointwiseLog, rows(15), rows(16)),
            makePointwise(dnn::kPointwiseAdd, rows(12), t.sums, rows(16)),
            makePointwise(dnn::kPointwiseDiv, scores(14), t.weights, rows(15)),
            makeMatMul(t.weights, t.value, t.result)};
  }

  /// The engines that the heuristics suggest.
  int64_t countConfigs(Descriptor graph, Descriptor *first = nullptr) {
    Descriptor heuristics = create(dnn::kHeuristicsDescriptor);
    EXPECT_DNN_OK(
        set(heuristics, dnn::kHeuristicsGraph, dnn::kDescriptorType, graph));
    EXPECT_DNN_OK(set(heuristics, dnn::kHeuristicsMode,
                      dnn::kHeuristicsModeType, dnn::kModeFallback));
    finalized(heuristics);
    Descriptor config = create(dnn::kEngineConfigDescriptor);
    int64_t count = 0;
    EXPECT_DNN_OK(cudnnBackendGetAttribute(heuristics, dnn::kHeuristicsResults,
                                           dnn::kDescriptorType, 1, &count,
                                           &config));
    if (first)
      *first = config;
    return count;
  }
  void expectNoEngine(const std::vector<Descriptor> &operations,
                      const std::string &reason) {
    EXPECT_EQ(countConfigs(finalized(makeGraph(operations))), 0);
    EXPECT_NE(std::string(jobsim_last_fault()).find("no engine: " + reason),
              std::string::npos)
        << jobsim_last_fault();
  }
};

//===----------------------------------------------------------------------===//
// Tensors and parameters
//===----------------------------------------------------------------------===//

TEST_F(CudnnGraphTest, RefusesWrongTensors) {
  Descriptor both = makeTensor(number(1));
  ASSERT_DNN_OK(set(both, dnn::kTensorIsVirtual, dnn::kBooleanType, char(1)));
  expectRefused(cudnnBackendFinalize(both), dnn::kBadParam,
                "expects a tensor that is virtual or by value, not both");
  Spec several = number(1);
  several.dims = {1, 1, 1, 2};
  expectRefused(cudnnBackendFinalize(makeTensor(several)), dnn::kBadParam,
                "expects one element by value but got (1, 1, 1, 2)");
}

TEST_F(CudnnGraphTest, RefusesWrongParameters) {
  expectRefused(cudnnBackendFinalize(makeParameters(999)), dnn::kNotSupported,
                "the stand-in has no pointwise mode 999");
  expectRefused(cudnnBackendFinalize(makeParameters(dnn::kPointwiseAdd, kBF16)),
                dnn::kNotSupportedDataType,
                "expects f32, i32 or booleans as the type of computing but got "
                "9");
  Descriptor index = makeParameters(dnn::kPointwiseGenIndex);
  expectRefused(cudnnBackendFinalize(index), dnn::kBadParam,
                "expects the attribute 9 of an index");
  ASSERT_DNN_OK(setInts(index, dnn::kPointwiseAxis, {4}));
  expectRefused(cudnnBackendFinalize(index), dnn::kBadParamOutOfBound,
                "expects an axis from 0 to 3 but got 4");
  Descriptor reduction = create(dnn::kReductionDescriptor);
  ASSERT_DNN_OK(
      set(reduction, dnn::kReductionOperator, dnn::kReductionOperatorType, 7));
  ASSERT_DNN_OK(
      set(reduction, dnn::kReductionComputeType, dnn::kDataTypeType, kF32));
  expectRefused(cudnnBackendFinalize(reduction), dnn::kNotSupported,
                "the stand-in has no reduction 7");
  Descriptor product = create(dnn::kMatMulDescriptor);
  ASSERT_DNN_OK(
      set(product, dnn::kMatMulComputeType, dnn::kDataTypeType, kBF16));
  expectRefused(cudnnBackendFinalize(product), dnn::kNotSupportedDataType,
                "expects f32 as the type of computing but got 9");
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

TEST_F(CudnnGraphTest, RefusesWrongOperations) {
  Spec x = {1, {1, 1, 2, 3}}, y = {2, {1, 1, 2, 3}};
  expectRefused(cudnnBackendFinalize(makePointwise(dnn::kPointwiseAdd, x, y)),
                dnn::kBadParam,
                "expects 2 inputs of the pointwise mode 0 but got 1");
  expectRefused(
      cudnnBackendFinalize(makePointwise(dnn::kPointwiseExp, x, y, x)),
      dnn::kBadParam, "expects 1 inputs of the pointwise mode 13 but got 2");
  expectRefused(cudnnBackendFinalize(makePointwise(dnn::kPointwiseExp,
                                                   {1, {2, 3}}, {2, {2, 3}})),
                dnn::kBadParamShapeMismatch, "expects 4 dimensions but got 2");
  expectRefused(cudnnBackendFinalize(
                    makePointwise(dnn::kPointwiseExp, number(1), number(2))),
                dnn::kBadParam, "expects a result that is not by value");
  Spec dense = {2, {1, 1, 2, 3}, kF32, 0, {3, 3, 1, 1}};
  expectRefused(
      cudnnBackendFinalize(makePointwise(dnn::kPointwiseExp, x, dense)),
      dnn::kNotSupportedLayout, "elements of the result overlap");
}

TEST_F(CudnnGraphTest, RefusesWrongShapes) {
  Spec x = {1, {1, 1, 2, 3}}, y = {2, {1, 1, 2, 3}};
  auto expectMismatch = [&](Descriptor operation, const char *reason) {
    expectRefused(cudnnBackendFinalize(operation), dnn::kBadParamShapeMismatch,
                  reason);
  };
  expectMismatch(makePointwise(dnn::kPointwiseAdd, x, y, Spec{3, {1, 1, 3, 1}}),
                 "the extents of a pointwise operation (1, 1, 2, 3), "
                 "(1, 1, 3, 1) and (1, 1, 2, 3) do not match");
  expectMismatch(makeMatMul(x, {3, {1, 1, 4, 5}}, {4, {1, 1, 2, 5}}),
                 "the extents of a product (1, 1, 2, 3), (1, 1, 4, 5) and "
                 "(1, 1, 2, 5) do not match");
  expectMismatch(makeReduction(dnn::kReduceAdd, x, {3, {1, 1, 2, 2}}),
                 "the extents of a reduction (1, 1, 2, 3) and (1, 1, 2, 2) do "
                 "not match");
  expectMismatch(makeReshape(x, {3, {1, 1, 3, 3}}),
                 "the extents of a reshape (1, 1, 2, 3) and (1, 1, 3, 3) do "
                 "not match");
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

TEST_F(CudnnGraphTest, RefusesWrongGraphs) {
  Spec x = {1, {1, 1, 2, 3}}, y = {2, {1, 1, 2, 3}},
       v = virtualTensor(3, {1, 1, 2, 3}), w = virtualTensor(4, {1, 1, 2, 3});
  auto expectGraph = [&](std::vector<Descriptor> operations, Result error,
                         const char *reason) {
    operations.push_back(
        makeMatMul({21, {1, 1, 2, 2}}, {22, {1, 1, 2, 2}}, {23, {1, 1, 2, 2}}));
    expectRefused(cudnnBackendFinalize(makeGraph(operations)), error, reason);
  };
  expectGraph({makePointwise(dnn::kPointwiseExp, x, v),
               makePointwise(dnn::kPointwiseExp, {3, {1, 1, 2, 3}}, y)},
              dnn::kBadParamDuplicatedEntries,
              "two tensors have the unique id 3");
  expectGraph({makePointwise(dnn::kPointwiseExp, x, y),
               makePointwise(dnn::kPointwiseLog, x, y)},
              dnn::kBadParam, "two operations write the tensor 2");
  expectGraph({makePointwise(dnn::kPointwiseExp, x, v)}, dnn::kBadParam,
              "expects operations that write and read the virtual tensor 3");
  expectGraph({makePointwise(dnn::kPointwiseExp, v, y)}, dnn::kBadParam,
              "expects operations that write and read the virtual tensor 3");
  expectGraph({makePointwise(dnn::kPointwiseExp, v, w),
               makePointwise(dnn::kPointwiseExp, w, v)},
              dnn::kBadParam, "the operations depend on each other");
}

TEST_F(CudnnGraphTest, TheOrderOfOperationsIsThatOfTheirTensors) {
  std::vector<Descriptor> operations = attend({});
  std::reverse(operations.begin(), operations.end());
  EXPECT_EQ(countConfigs(finalized(makeGraph(operations))), 1);
}

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

TEST_F(CudnnGraphTest, OnlyAttentionHasEngines) {
  EXPECT_EQ(countConfigs(finalized(makeGraph(attend({})))), 1);
  expectNoEngine({makeMatMul({1, {1, 1, 8, 8}, kBF16}, {2, {1, 1, 8, 8}, kBF16},
                             {3, {1, 1, 8, 8}, kBF16})},
                 "expects 2 or 5 products but got 1");
  Spec extra = {7, {1, 1, 2, 3}};
  std::vector<Descriptor> operations = attend({});
  operations.push_back(makePointwise(dnn::kPointwiseExp,
                                     virtualTensor(13, {1, 1, 2, 3}), extra));
  expectNoEngine(operations, "the softmax has no exponential");
  Tensors tensors;
  tensors.weights.type = kF32;
  expectNoEngine(attend(tensors),
                 "the weights are not rounded to the type of the values");
  tensors = {};
  tensors.value.type = dnn::kTypeF16;
  expectNoEngine(attend(tensors), "the arrays are not all f16 or all bf16");
  tensors = {};
  for (Spec *spec : {&tensors.query, &tensors.key, &tensors.value,
                     &tensors.result, &tensors.weights})
    spec->type = kF32;
  tensors.weights.type = kBF16;
  expectNoEngine(attend(tensors), "the arrays are not all f16 or all bf16");
  tensors = {};
  tensors.value.dims[3] = tensors.result.dims[3] = 12;
  expectNoEngine(attend(tensors),
                 "the channels are no multiple of 8 up to 128 but 12");
  tensors = {};
  tensors.value.dims[3] = tensors.result.dims[3] = 136;
  expectNoEngine(attend(tensors),
                 "the channels are no multiple of 8 up to 128 but 136");
  tensors = {};
  tensors.query.strides = {32, 32, 16, 2};
  expectNoEngine(attend(tensors),
                 "the channels of a head are not next to each other");
}

TEST_F(CudnnGraphTest, EnginesAreChosenByTheirConfiguration) {
  Descriptor graph = finalized(makeGraph(attend({})));
  auto makeEngine = [&](int64_t index) {
    Descriptor engine = create(dnn::kEngineDescriptor);
    EXPECT_DNN_OK(set(engine, dnn::kEngineGraph, dnn::kDescriptorType, graph));
    EXPECT_DNN_OK(setInts(engine, dnn::kEngineGlobalIndex, {index}));
    return engine;
  };
  auto makeConfig = [&](int64_t index) {
    Descriptor config = create(dnn::kEngineConfigDescriptor);
    EXPECT_DNN_OK(set(config, dnn::kEngineConfigEngine, dnn::kDescriptorType,
                      finalized(makeEngine(index))));
    return config;
  };
  expectRefused(cudnnBackendFinalize(makeEngine(99)), dnn::kNotSupported,
                "no engine 99");
  expectRefused(cudnnBackendFinalize(makeConfig(1)), dnn::kNotSupported,
                "engine 1 has no such configuration");
  // The engine is one for gradients.
  expectRefused(cudnnBackendFinalize(makeConfig(5)), dnn::kNotSupported,
                "engine 5 has no such configuration");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

TEST_F(CudnnGraphTest, ReadsNumbersOfTheHostWhenItIsSubmitted) {
  Descriptor config = nullptr;
  ASSERT_EQ(countConfigs(finalized(makeGraph(attend({}))), &config), 1);
  Descriptor plan = finalized(makePlan(config));
  // Keys of 0 have equal weights: the result is the mean of the values.
  DevicePointer query = allocate(32), key = allocate(48), value = allocate(48),
                result = allocate(32), sums = allocate(8),
                workspace = allocate(256);
  ASSERT_OK(cuMemsetD8Async(query, 0, 32, stream));
  ASSERT_OK(cuMemsetD8Async(key, 0, 48, stream));
  ASSERT_OK(cuMemsetD8Async(value, 0, 48, stream));
  auto scale = std::make_unique<float>(2.0f);
  std::vector<int64_t> ids = {1, 2, 3, 4, 5, 6};
  std::vector<DevicePointer> pointers = {
      query,  key,  value,
      result, sums, reinterpret_cast<DevicePointer>(scale.get())};
  auto execute = [&](DevicePointer at) {
    Descriptor pack = makePack(ids, pointers);
    EXPECT_DNN_OK(set(pack, dnn::kVariantPackWorkspace, dnn::kPointerType, at));
    return cudnnBackendExecute(handle, plan, finalized(pack));
  };
  ASSERT_DNN_OK(execute(workspace));
  scale.reset();
  EXPECT_EQ(download<float>(sums, 2), (std::vector<float>(2, std::log(3.0f))));
  float two = 2;
  pointers[5] = reinterpret_cast<DevicePointer>(&two);

  expectRefused(execute(0), dnn::kBadParamNullPointer,
                "expects an address of the workspace");
  pointers[5] = 0;
  expectRefused(execute(workspace), dnn::kBadParamNullPointer,
                "expects an address of tensor 6");
  pointers[5] = reinterpret_cast<DevicePointer>(&two);
  pointers[4] = sums + 2;
  expectRefused(execute(workspace), dnn::kBadParamMisaligned,
                "expects tensor 5 to be aligned to 4 bytes");
  pointers[4] = result;
  expectRefused(execute(workspace), dnn::kBadParam,
                "tensor 5 and tensor 4 overlap");
  pointers[4] = sums;
  ids[3] = 7;
  expectRefused(execute(workspace), dnn::kBadParam,
                "expects a pointer for the unique id 4");
  ids[3] = 4;
  ids.push_back(7);
  pointers.push_back(query);
  expectRefused(execute(workspace), dnn::kBadParam,
                "expects 6 unique ids but got 7");
}

} // namespace

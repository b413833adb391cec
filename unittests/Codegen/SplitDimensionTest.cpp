//===- SplitDimensionTest.cpp - Tests of splitDimension -------------------===//
//
// The memory accesses of random operations before and after: each stride along
// the dimension becomes one for each of its parts, and nothing else changes.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Codegen/SplitDimension.h"

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::plan;

namespace {

class SplitDimensionTest : public testing::Test {
protected:
  SplitDimensionTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, PlanDialect,
                        tensor::TensorDialect>();
  }

  /// Expects that the operation of the body is not split, and that the body
  /// stays as it is.
  void expectFailure(StringRef text, unsigned dim, ArrayRef<int64_t> extents);

  MLIRContext context;
};

/// An operation that adds its inputs and a constant.
struct RandomOp {
  explicit RandomOp(std::mt19937 &random);

  func::FuncOp build(ModuleOp module) const;

  SmallVector<int64_t> extents;
  /// The dimension to split, and its parts.
  unsigned dim = 0;
  SmallVector<int64_t> parts;
  /// The dimensions of each input, then those of the result.
  SmallVector<SmallVector<unsigned>> operands;
  /// Whether the first dimension of an operand is two of the argument.
  SmallVector<bool> isCollapsed;
};

} // namespace

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

RandomOp::RandomOp(std::mt19937 &random) {
  auto draw = [&](unsigned bound) { return random() % bound; };
  constexpr int64_t sizes[] = {4, 6, 8, 12};
  unsigned rank = 1 + draw(3);
  for (unsigned i = 0; i < rank; ++i)
    extents.push_back(sizes[draw(4)]);
  dim = draw(rank);
  int64_t size = extents[dim];
  parts = {2, size / 2};
  if (size > 4 && size % 4 == 0 && draw(2))
    parts = {2, size / 4, 2};
  std::shuffle(parts.begin(), parts.end(), random);
  unsigned numInputs = 1 + draw(3);
  for (unsigned i = 0; i <= numInputs; ++i) {
    SmallVector<unsigned> &dims = operands.emplace_back(rank);
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random);
    if (i < numInputs)
      dims.truncate(1 + draw(rank));
    isCollapsed.push_back(draw(2));
  }
}

func::FuncOp RandomOp::build(ModuleOp module) const {
  auto b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = b.getUnknownLoc();
  SmallVector<Type> types;
  SmallVector<SmallVector<ReassociationIndices>> groups;
  SmallVector<AffineMap> maps;
  for (auto [dims, collapsed] : llvm::zip_equal(operands, isCollapsed)) {
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> exprs;
    SmallVector<ReassociationIndices> &ofArgument = groups.emplace_back();
    for (unsigned dim : dims) {
      ofArgument.push_back({static_cast<int64_t>(shape.size() + collapsed)});
      shape.push_back(extents[dim]);
      exprs.push_back(b.getAffineDimExpr(dim));
    }
    if (collapsed) {
      ofArgument.front() = {0, 1};
      shape.front() /= 2;
      shape.insert(shape.begin(), 2);
    }
    types.push_back(RankedTensorType::get(shape, b.getF32Type()));
    maps.push_back(
        AffineMap::get(extents.size(), 0, exprs, module.getContext()));
  }
  auto body = func::FuncOp::create(
      b, loc, "body", b.getFunctionType(types, ArrayRef(types).take_back()));
  b.setInsertionPointToStart(body.addEntryBlock());
  SmallVector<Value> values;
  for (auto [argument, ofArgument, collapsed] :
       llvm::zip_equal(body.getArguments(), groups, isCollapsed))
    values.push_back(collapsed ? tensor::CollapseShapeOp::create(
                                     b, loc, argument, ofArgument)
                                     .getResult()
                               : Value(argument));
  Value init = values.pop_back_val();
  SmallVector<utils::IteratorType> iterators(extents.size(),
                                             utils::IteratorType::parallel);
  Value result = linalg::GenericOp::create(
                     b, loc, init.getType(), values, init, maps, iterators,
                     [](OpBuilder &b, Location loc, ValueRange elements) {
                       Value sum = arith::ConstantOp::create(
                           b, loc, b.getF32FloatAttr(0.5));
                       for (Value element : elements.drop_back())
                         sum = arith::AddFOp::create(b, loc, sum, element);
                       linalg::YieldOp::create(b, loc, sum);
                     })
                     .getResult(0);
  if (isCollapsed.back())
    result = tensor::ExpandShapeOp::create(b, loc, types.back(), result,
                                           groups.back());
  func::ReturnOp::create(b, loc, result);
  return body;
}

/// The access with a stride for each part of a dimension.
static KernelAccess split(KernelAccess access, unsigned dim,
                          ArrayRef<int64_t> parts) {
  int64_t stride = access.strides[dim];
  access.strides.erase(access.strides.begin() + dim);
  for (int64_t part : llvm::reverse(parts)) {
    access.strides.insert(access.strides.begin() + dim, stride);
    stride *= part;
  }
  return access;
}

TEST_F(SplitDimensionTest, RandomOps) {
  unsigned numSplit = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    RandomOp given(random);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp body = given.build(*module);
    FunctionType type = body.getFunctionType();
    std::string text = print(*module);
    FailureOr<KernelNest> before = KernelNest::get(body);
    ASSERT_TRUE(succeeded(before)) << text;
    SmallVector<KernelAccess> accesses;
    for (const KernelInput &input : before->passes[0].inputs)
      accesses.push_back(split(input.access, given.dim, given.parts));
    accesses.push_back(split(*before->passes[0].outputs[0].destination,
                             given.dim, given.parts));
    SmallVector<int64_t> extents = before->extents;
    extents.erase(extents.begin() + given.dim);
    extents.insert(extents.begin() + given.dim, given.parts.begin(),
                   given.parts.end());

    bool hasInput =
        llvm::any_of(ArrayRef(given.operands).drop_back(), [&](auto &dims) {
          return llvm::is_contained(dims, given.dim);
        });
    LogicalResult result =
        splitDimension(before->passes[0].op, given.dim, given.parts);
    ASSERT_EQ(succeeded(result), hasInput) << text;
    if (failed(result)) {
      EXPECT_EQ(print(*module), text);
      continue;
    }
    ++numSplit;
    ASSERT_TRUE(succeeded(verify(*module))) << text;
    EXPECT_EQ(body.getFunctionType(), type);
    FailureOr<KernelNest> after = KernelNest::get(body);
    ASSERT_TRUE(succeeded(after)) << text << print(*module);
    EXPECT_EQ(after->extents, extents) << text << print(*module);
    const KernelPass &pass = after->passes[0];
    ASSERT_EQ(pass.inputs.size() + 1, accesses.size());
    for (auto [input, access] : llvm::zip(pass.inputs, accesses))
      EXPECT_TRUE(input.access == access) << text << print(*module);
    EXPECT_TRUE(*pass.outputs[0].destination == accesses.back())
        << text << print(*module);
    if (HasFailure())
      return;
  }
  EXPECT_GT(numSplit, 250u);
}

void SplitDimensionTest::expectFailure(StringRef text, unsigned dim,
                                       ArrayRef<int64_t> extents) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto body = *module->getOps<func::FuncOp>().begin();
  auto op = *body.getOps<linalg::GenericOp>().begin();
  std::string before = print(*module);
  EXPECT_TRUE(failed(splitDimension(op, dim, extents)));
  EXPECT_EQ(print(*module), before);
}

TEST_F(SplitDimensionTest, OpsWithIndicesAreNotSplit) {
  expectFailure(R"mlir(
#id = affine_map<(i) -> (i)>
func.func @body(%x: tensor<12xi64>, %y: tensor<12xi64>) -> tensor<12xi64> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<12xi64>) outs(%y : tensor<12xi64>) {
  ^bb0(%a: i64, %b: i64):
    %1 = linalg.index 0 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.addi %a, %2 : i64
    linalg.yield %3 : i64
  } -> tensor<12xi64>
  return %0 : tensor<12xi64>
}
)mlir",
                0, {3, 4});
}

TEST_F(SplitDimensionTest, OpsThatStartFromAFillAreNotSplit) {
  expectFailure(R"mlir(
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @body(%x: tensor<12x5xf32>, %y: tensor<12xf32>) -> tensor<12xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<12xf32>) -> tensor<12xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<12x5xf32>) outs(%fill : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
)mlir",
                0, {3, 4});
}

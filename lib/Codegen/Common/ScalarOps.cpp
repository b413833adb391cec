//===- ScalarOps.cpp - Operations on scalars in bodies --------------------===//

#include "JobDialect/Codegen/ScalarOps.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::plan;

ConstantIntRanges ScalarRanges::get(Value value) {
  if (!solver) {
    solver = std::make_unique<DataFlowSolver>();
    // Dead code is what is behind constant conditions.
    solver->load<dataflow::DeadCodeAnalysis>();
    solver->load<dataflow::SparseConstantPropagation>();
    solver->load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver->initializeAndRun(root)))
      llvm_unreachable("analyses of integer ranges do not fail");
  }
  auto *lattice =
      solver->lookupState<dataflow::IntegerValueRangeLattice>(value);
  // Nothing is known of values in code that is never reached.
  if (!lattice || lattice->getValue().isUninitialized())
    return ConstantIntRanges::maxRange(
        ConstantIntRanges::getStorageBitwidth(value.getType()));
  return lattice->getValue().getValue();
}

static bool isNarrowFloat(Type type) { return type.isF16() || type.isBF16(); }

bool plan::isBodyScalarType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth());
  return type.isIndex() || type.isF32() || type.isF64() || isNarrowFloat(type);
}

/// Whether an operation of the math dialect becomes instructions, or a call of
/// one of the functions that the linker knows.
static bool hasCode(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsNaNOp, math::RoundEvenOp, math::RoundOp, math::RsqrtOp,
             math::SqrtOp, math::TruncOp>(op);
}

bool plan::isScalarOp(Operation *op) {
  return isa<arith::ConstantOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

/// Fails if an operation has flags under which some results are undefined, or
/// depend on how the code around it is optimized.
static LogicalResult verifyFlags(Operation *op) {
  Attribute flags;
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
    arith::FastMathFlagsAttr attr = fast.getFastMathFlagsAttr();
    if (attr && attr.getValue() != arith::FastMathFlags::none)
      flags = attr;
  }
  if (auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    arith::IntegerOverflowFlagsAttr attr = overflow.getOverflowAttr();
    if (attr && attr.getValue() != arith::IntegerOverflowFlags::none)
      flags = attr;
  }
  if (auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op))
    if (Attribute mode = rounding.getRoundingModeAttr())
      flags = mode;
  if (std::optional<Attribute> exact = op->getInherentAttr("isExact");
      exact && *exact)
    return op->emitOpError("expects no flags in the body of a kernel but got "
                           "'exact'");
  if (!flags)
    return success();
  return op->emitOpError("expects no flags in the body of a kernel but got ")
         << flags;
}

static std::string describeRange(const ConstantIntRanges &range,
                                 bool isSigned) {
  auto text = [&](const APInt &value) {
    return llvm::toString(value, /*Radix=*/10, isSigned);
  };
  return isSigned ? text(range.smin()) + " to " + text(range.smax())
                  : text(range.umin()) + " to " + text(range.umax());
}

static LogicalResult verifyDivision(Operation *op, ScalarRanges &ranges) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                      arith::FloorDivSIOp>(op);
  ConstantIntRanges divisor = ranges.get(op->getOperand(1));
  if (divisor.umin().isZero())
    return op->emitOpError("expects a divisor that cannot be 0 but got one of ")
           << describeRange(divisor, isSigned);
  // The quotient of the least integer has no representation.
  if (isSigned && divisor.umax().isAllOnes())
    return op->emitOpError(
               "expects a divisor that cannot be -1 but got one of ")
           << describeRange(divisor, isSigned);
  return success();
}

static LogicalResult verifyShift(Operation *op, ScalarRanges &ranges) {
  ConstantIntRanges amount = ranges.get(op->getOperand(1));
  unsigned width = amount.umax().getBitWidth();
  if (amount.umax().ult(width))
    return success();
  return op->emitOpError("expects a shift by less than ")
         << width << " bits but got one by "
         << describeRange(amount, /*isSigned=*/false);
}

/// Fails for f16 and bf16 where they are computed with: code generation expands
/// their conversions only.
static LogicalResult verifyFloats(Operation *op) {
  if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::SelectOp,
          arith::BitcastOp>(op))
    return success();
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isNarrowFloat(getElementTypeOrSelf(type)))
        return op->emitOpError("expects f32 or f64 to compute with in the body "
                               "of a kernel but got ")
               << type;
  return success();
}

LogicalResult plan::verifyScalarOp(Operation *op, ScalarRanges &ranges) {
  bool isArith = isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
                 !isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op);
  if (!isArith && !hasCode(op))
    return op->emitOpError("expects an operation of arith, or one of math that "
                           "needs no function of a library, in the body of a "
                           "kernel");
  for (Type type : op->getResultTypes())
    if (!isBodyScalarType(getElementTypeOrSelf(type)))
      return op->emitOpError("expects integers of 1, 8, 16, 32 or 64 bits, "
                             "indices, f16, bf16, f32 or f64 in the body of a "
                             "kernel but got ")
             << type;
  if (failed(verifyFloats(op)) || failed(verifyFlags(op)))
    return failure();
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return verifyDivision(op, ranges);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return verifyShift(op, ranges);
  return success();
}

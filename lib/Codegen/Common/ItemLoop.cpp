//===- ItemLoop.cpp - Bodies that are a loop over items -------------------===//

#include "JobDialect/Codegen/ItemLoop.h"

#include "JobDialect/Codegen/ScalarOps.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::plan;

int64_t ItemLoop::getWork() const {
  return llvm::SaturatingMultiply<uint64_t>(items, operations) > INT64_MAX
             ? INT64_MAX
             : items * operations;
}

bool ItemLoop::isFormOf(func::FuncOp body) {
  return !body.getArgumentTypes().empty() &&
         llvm::all_of(body.getArgumentTypes(), llvm::IsaPred<MemRefType>);
}

/// The argument whose memory a memref is, through views; null for memory of the
/// body's own.
static BlockArgument getArgument(Value memref, Block &entry) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  auto argument = dyn_cast<BlockArgument>(memref);
  return argument && argument.getOwner() == &entry ? argument : BlockArgument();
}

/// Checks that a reinterpret_cast has elements of its source only.
static LogicalResult verifyCast(memref::ReinterpretCastOp cast) {
  auto source = mlir::cast<MemRefType>(cast.getSource().getType());
  if (!source.hasStaticShape() || !source.getLayout().isIdentity())
    return cast.emitOpError("expects a dense source of static shape in a body "
                            "but got ")
           << source;
  SmallVector<int64_t> numbers(cast.getStaticOffsets());
  llvm::append_range(numbers, cast.getStaticSizes());
  llvm::append_range(numbers, cast.getStaticStrides());
  // A number that is not constant is negative, too.
  if (llvm::any_of(numbers, [](int64_t number) { return number < 0; }))
    return cast.emitOpError("expects an offset, sizes and strides in a body "
                            "that are constants and not negative");
  uint64_t end = llvm::SaturatingAdd<uint64_t>(cast.getStaticOffsets()[0], 1);
  for (auto [size, stride] :
       llvm::zip_equal(cast.getStaticSizes(), cast.getStaticStrides())) {
    if (size == 0)
      return success();
    end = llvm::SaturatingMultiplyAdd<uint64_t>(size - 1, stride, end);
  }
  if (end <= static_cast<uint64_t>(source.getNumElements()))
    return success();
  return cast.emitOpError("expects the ")
         << source.getNumElements()
         << " elements of its source at most but got one at " << end - 1;
}

/// Checks that a view has elements of its source only. What the others of these
/// operations verify themselves holds for constants.
static LogicalResult verifyView(Operation *op) {
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return verifyCast(cast);
  if (isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
          op))
    return success();
  return op->emitOpError("expects views of a body to be memref.collapse_shape, "
                         "memref.expand_shape, memref.reinterpret_cast or "
                         "memref.subview");
}

/// Finds what is read and written.
static LogicalResult findEffects(func::FuncOp body, ItemLoop &items) {
  Block &entry = body.getBody().front();
  WalkResult result = body.walk([&](Operation *op) -> WalkResult {
    if (isa<CheckOp>(op)) {
      items.hasChecks = true;
      return WalkResult::advance();
    }
    if (isa<ViewLikeOpInterface>(op))
      return WalkResult(verifyView(op));
    if (op == body || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    if (!effects) {
      op->emitOpError() << "expects to have known effects in a body";
      return WalkResult::interrupt();
    }
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      Value memory = effect.getValue();
      if (!memory) {
        op->emitOpError() << "expects effects on memrefs only in a body";
        return WalkResult::interrupt();
      }
      BlockArgument argument = getArgument(memory, entry);
      if (!argument)
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        items.read.set(argument.getArgNumber());
      // memref.prefetch declares a write only so that it is not reordered.
      if (isa<MemoryEffects::Write>(effect.getEffect()) &&
          !isa<memref::PrefetchOp>(op))
        items.written.set(argument.getArgNumber());
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Checks the operations on scalars and on vectors of them.
static LogicalResult verifyScalars(func::FuncOp body) {
  ScalarRanges ranges(body);
  WalkResult result = body.walk([&](Operation *op) {
    return WalkResult(!isScalarOp(op) ? success() : verifyScalarOp(op, ranges));
  });
  return failure(result.wasInterrupted());
}

FailureOr<ItemLoop> ItemLoop::get(func::FuncOp body) {
  if (!llvm::hasSingleElement(body.getBody()))
    return body.emitOpError("expects a body of one block");
  for (Type type : body.getArgumentTypes())
    if (!cast<MemRefType>(type).hasStaticShape())
      return body.emitOpError()
             << "expects buffers of static shape but got " << type;
  if (body.getNumResults() != 0)
    return body.emitOpError() << "expects a body on memrefs to return nothing "
                                 "but got "
                              << body.getNumResults() << " results";
  Block &entry = body.getBody().front();
  ItemLoop items;
  items.read.resize(body.getNumArguments());
  items.written.resize(body.getNumArguments());
  for (Operation &op : entry.without_terminator()) {
    if (items.loop)
      return op.emitOpError("expects no operation behind the loop over items");
    items.loop = dyn_cast<scf::ParallelOp>(op);
    if (!items.loop && !isPure(&op))
      return op.emitOpError(
          "expects to be without side effects, outside of the loop over items");
  }
  if (!items.loop)
    return body.emitOpError(
        "expects a body on memrefs to have an scf.parallel over its items");
  scf::ParallelOp loop = items.loop;
  std::optional<int64_t> end =
      loop.getNumLoops() == 1 ? getConstantIntValue(loop.getUpperBound()[0])
                              : std::nullopt;
  if (!end || *end < 1 || !isConstantIntValue(loop.getLowerBound()[0], 0) ||
      !isConstantIntValue(loop.getStep()[0], 1) || loop.getNumResults() != 0)
    return loop.emitOpError("expects one induction variable, from 0 in steps "
                            "of 1 to a positive constant, and no results");
  items.items = *end;
  items.operations = 1;
  if (Attribute count = loop->getDiscardableAttr(kOperationsAttrName)) {
    auto integer = dyn_cast<IntegerAttr>(count);
    if (!integer || !integer.getType().isInteger(64) || integer.getInt() < 1)
      return loop.emitOpError() << "expects " << kOperationsAttrName
                                << " to be a positive i64 but got " << count;
    items.operations = integer.getInt();
  }
  if (failed(verifyScalars(body)) || failed(findEffects(body, items)))
    return failure();
  if (!items.hasChecks)
    return items;
  MemRefType status = getStatusType(body.getContext());
  if (body.getArgumentTypes().back() != status)
    return body.emitOpError() << "expects a last buffer of type " << status
                              << " for the status of the checks";
  items.written.set(body.getNumArguments() - 1);
  return items;
}

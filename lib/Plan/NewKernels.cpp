//===- NewKernels.cpp - Kernels that passes on plans make -----------------===//

#include "NewKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::plan;

RankedTensorType plan::getTensorType(Type buffer) {
  auto type = cast<MemRefType>(buffer);
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

SmallVector<Type> plan::getTensorTypes(ValueRange buffers) {
  return llvm::map_to_vector(buffers, [](Value buffer) -> Type {
    return getTensorType(buffer.getType());
  });
}

func::FuncOp plan::startKernel(SymbolTable &table, ExecutableOp like,
                               StringRef suffix, ArrayRef<Type> types,
                               size_t numWritten) {
  OpBuilder b(like);
  auto executable = ExecutableOp::create(b, like.getLoc(),
                                         (like.getSymName() + suffix).str());
  table.insert(executable);
  b.setInsertionPointToStart(&executable.getRegion().emplaceBlock());
  auto body = func::FuncOp::create(
      b, like.getLoc(), kBodyName,
      b.getFunctionType(types, types.take_back(numWritten)));
  body.addEntryBlock();
  return body;
}

Value plan::reduceColumns(OpBuilder &b, Location loc,
                          const KernelReduction &reduction, Value terms,
                          Value out) {
  Value initial = arith::ConstantOp::create(b, loc, reduction.initial);
  Value init = linalg::FillOp::create(b, loc, initial, out).getResult(0);
  int64_t rank = cast<RankedTensorType>(terms.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[0] = utils::IteratorType::reduction;
  AffineMap all = b.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
             b, loc, init.getType(), terms, init, {all, all.dropResult(0)},
             iterators,
             [&](OpBuilder &inner, Location, ValueRange elements) {
               linalg::YieldOp::create(
                   inner, loc,
                   reduction.combine(inner, elements[1], elements[0]));
             })
      .getResult(0);
}

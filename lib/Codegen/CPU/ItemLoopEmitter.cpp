//===- ItemLoopEmitter.cpp - A loop over items for one chunk --------------===//

#include "LoopEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::plan;

void plan::emitLoops(func::FuncOp func, const ItemLoop &loop,
                     CPUScheduleAttr schedule) {
  Block &entry = func.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&entry);
  Location loc = func.getLoc();
  scf::ParallelOp parallel = loop.loop;
  IRMapping mapping;
  Block *from = parallel->getBlock();
  for (auto [argument, buffer] :
       llvm::zip(from->getArguments(), entry.getArguments()))
    mapping.map(argument, buffer);
  for (Operation &op : llvm::make_range(from->begin(), parallel->getIterator()))
    b.clone(op, mapping);

  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value begin = constant(0), end = constant(loop.items);
  if (ArrayRef<DistributedDim> distribute = schedule.getDistribute();
      !distribute.empty()) {
    Value size = constant(distribute.front().size);
    begin = arith::MulIOp::create(b, loc, entry.getArguments().back(), size);
    Value next = arith::AddIOp::create(b, loc, begin, size);
    end = loop.items % distribute.front().size
              ? arith::MinUIOp::create(b, loc, next, end).getResult()
              : next;
  }
  scf::ForOp::create(b, loc, begin, end, constant(1), ValueRange(),
                     [&](OpBuilder &inner, Location, Value item, ValueRange) {
                       mapping.map(parallel.getInductionVars().front(), item);
                       for (Operation &op :
                            parallel.getBody()->without_terminator())
                         inner.clone(op, mapping);
                       scf::YieldOp::create(inner, loc);
                     });
}

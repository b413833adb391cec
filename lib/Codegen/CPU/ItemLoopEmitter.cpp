//===- ItemLoopEmitter.cpp - A loop over items for one chunk --------------===//

#include "LoopEmitter.h"

#include "JobDialect/Codegen/StatusWord.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::plan;

/// Emits the checks of a chunk: each keeps its largest status word in a local
/// variable, one for each type, and the chunk writes the largest of all.
static void emitChecks(OpBuilder &b, func::FuncOp func) {
  Block &entry = func.getBody().front();
  Location loc = func.getLoc();
  llvm::MapVector<Type, Value> variables;
  auto getVariable = [&](Type type) {
    Value &variable = variables[type];
    if (!variable) {
      OpBuilder begin = OpBuilder::atBlockBegin(&entry);
      variable =
          memref::AllocaOp::create(begin, loc, MemRefType::get({}, type));
      Value none =
          arith::ConstantOp::create(begin, loc, begin.getZeroAttr(type));
      memref::StoreOp::create(begin, loc, none, variable, ValueRange());
    }
    return variable;
  };
  auto update = [](OpBuilder &builder, Location at, Value variable,
                   Value word) {
    Value largest = memref::LoadOp::create(builder, at, variable, ValueRange());
    largest = arith::MaxSIOp::create(builder, at, largest, word);
    memref::StoreOp::create(builder, at, largest, variable, ValueRange());
  };
  func.walk([&](CheckOp check) {
    OpBuilder at(check);
    Value word = buildStatusWord(at, check.getLoc(), check.getValue(),
                                 check.getNumber(), check.getCount());
    update(at, check.getLoc(), getVariable(word.getType()), word);
    check.erase();
  });
  Value status = getVariable(b.getI32Type());
  for (auto [type, variable] : variables)
    if (isa<VectorType>(type)) {
      Value words = memref::LoadOp::create(b, loc, variable, ValueRange());
      update(b, loc, status,
             vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXSI,
                                         words));
    }
  Value chunk = entry.getArguments().back();
  memref::StoreOp::create(
      b, loc, memref::LoadOp::create(b, loc, status, ValueRange()),
      entry.getArgument(entry.getNumArguments() - 2), chunk);
}

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
  if (loop.hasChecks)
    emitChecks(b, func);
}

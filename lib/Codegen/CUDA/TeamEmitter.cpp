//===- TeamEmitter.cpp - Threads that compute an item together ------------===//

#include "TeamEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::plan;

void TeamEmitter::setThread() {
  thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  int64_t teams = shape.itemsPerBlock;
  if (teamSize == 1) {
    team = thread;
    lane = constant(0);
  } else if (teams == 1) {
    team = constant(0);
    lane = thread;
  } else if (shape.isVectorOfItems) {
    std::tie(lane, team) = divide(thread, teams);
  } else {
    std::tie(team, lane) = divide(thread, teamSize);
  }
}

TeamEmitter::Values TeamEmitter::joinTeam(const KernelReduction &reduction,
                                          Values values) {
  if (teamSize == 1)
    return values;
  for (Value &value : values)
    value = shape.isVectorOfItems
                ? joinThroughMemory(reduction, value, teamSize, lane, team)
                : joinWarp(reduction, value, std::min(teamSize, kWarpSize));
  return !shape.isVectorOfItems && teamSize > kWarpSize
             ? joinWarps(reduction, values)
             : values;
}

Value TeamEmitter::joinWarp(const KernelReduction &reduction, Value value,
                            int64_t size) {
  for (int64_t distance = size / 2; distance >= 1; distance /= 2)
    value = combine(reduction, value, shuffle(value, distance));
  return value;
}

/// The value of the thread whose number differs in the bit of `distance`.
Value TeamEmitter::shuffle(Value value, int64_t distance) {
  auto exchange = [&](Value word) -> Value {
    Value offset =
              arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(distance)),
          width =
              arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(kWarpSize));
    return gpu::ShuffleOp::create(b, loc, word, offset, width,
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  Type type = value.getType(), i32 = b.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (type.isF32() || type.isInteger(32))
    return exchange(value);
  if (bits < 32) {
    Value wide = arith::ExtUIOp::create(b, loc, i32, value);
    return arith::TruncIOp::create(b, loc, type, exchange(wide));
  }
  // In two halves.
  Type i64 = b.getI64Type();
  Value word = isa<FloatType>(type)
                   ? arith::BitcastOp::create(b, loc, i64, value).getResult()
                   : value;
  Value shift = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
  Value low = exchange(arith::TruncIOp::create(b, loc, i32, word));
  Value high = exchange(arith::TruncIOp::create(
      b, loc, i32, arith::ShRUIOp::create(b, loc, word, shift)));
  low = arith::ExtUIOp::create(b, loc, i64, low);
  high = arith::ShLIOp::create(
      b, loc, arith::ExtUIOp::create(b, loc, i64, high), shift);
  word = arith::OrIOp::create(b, loc, low, high);
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(b, loc, type, word).getResult()
             : word;
}

/// Shared memory of the block.
Value TeamEmitter::getSharedMemory(Type element, int64_t elements) {
  Value &memory = shared[{element, elements}];
  if (!memory) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&entry);
    auto space = gpu::AddressSpaceAttr::get(
        b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    memory = memref::AllocaOp::create(
        b, loc,
        MemRefType::get({elements}, element, MemRefLayoutAttrInterface(),
                        space),
        b.getI64IntegerAttr(16));
  }
  // What others read of it before.
  if (isSharedInUse)
    emitBarrier();
  isSharedInUse = true;
  return memory;
}

/// Joins the values of a team whose threads are neighbours: each warp has
/// joined its own.
TeamEmitter::Values TeamEmitter::joinWarps(const KernelReduction &reduction,
                                           Values values) {
  Type type = values.front().getType();
  Type stored = type.isInteger(1) ? b.getI8Type() : type;
  auto count = static_cast<int64_t>(values.size());
  int64_t numWarps = schedule.getThreads() / kWarpSize,
          perTeam = teamSize / kWarpSize;
  Value memory = getSharedMemory(stored, numWarps * count);
  auto [warp, laneOfWarp] = divide(thread, kWarpSize);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        laneOfWarp, constant(0));
  auto branch = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value own = mul(warp, count);
    for (auto [i, value] : llvm::enumerate(values)) {
      Value word = value;
      if (stored != type)
        word = arith::ExtUIOp::create(b, loc, stored, word);
      memref::StoreOp::create(b, loc, word, memory, add(own, i));
    }
  }
  emitBarrier();
  Value first = mul(team, perTeam * count);
  for (auto [i, value] : llvm::enumerate(values)) {
    Values parts;
    for (int64_t ofWarp : llvm::seq(perTeam)) {
      Value part = memref::LoadOp::create(b, loc, memory,
                                          add(first, ofWarp * count + i));
      if (stored != type)
        part = arith::TruncIOp::create(b, loc, type, part);
      parts.push_back(part);
    }
    // Neighbours, until one is left.
    while (parts.size() > 1) {
      for (size_t part = 0; part < parts.size() / 2; ++part)
        parts[part] = combine(reduction, parts[2 * part], parts[2 * part + 1]);
      parts.resize(parts.size() / 2);
    }
    value = parts.front();
  }
  return values;
}

Value TeamEmitter::joinThroughMemory(const KernelReduction &reduction,
                                     Value value, int64_t parts, Value part,
                                     Value first) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  bool isBool = element.isInteger(1);
  Type stored = isBool ? b.getI8Type() : element;
  auto vector = dyn_cast<VectorType>(type);
  int64_t width = vector ? numLanes : 1;
  Value memory = getSharedMemory(stored, schedule.getThreads() * width);
  auto write = [&](Value word) {
    Value at = mul(thread, width);
    if (isBool)
      word = arith::ExtUIOp::create(
          b, loc, vector ? Type(vector.clone(stored)) : stored, word);
    if (vector)
      vector::StoreOp::create(b, loc, word, memory, at);
    else
      memref::StoreOp::create(b, loc, word, memory, at);
  };
  auto read = [&](Value from) -> Value {
    Value at = mul(from, width), word;
    if (vector)
      word = vector::LoadOp::create(b, loc, vector.clone(stored), memory, at);
    else
      word = memref::LoadOp::create(b, loc, memory, at);
    return isBool ? arith::TruncIOp::create(b, loc, type, word).getResult()
                  : word;
  };
  write(value);
  int64_t partSize = schedule.getThreads() / parts;
  for (int64_t half = parts / 2; half >= 1; half /= 2) {
    emitBarrier();
    auto branch = scf::IfOp::create(b, loc, isLess(part, constant(half)),
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    write(combine(reduction, read(thread), read(add(thread, half * partSize))));
  }
  emitBarrier();
  return read(first);
}

Value TeamEmitter::addInitial(const KernelReduction &reduction, Value value,
                              Lanes lanes) {
  if (reduction.initial == *arith::getNeutralElement(reduction.combiner))
    return value;
  Value initial = arith::ConstantOp::create(b, loc, reduction.initial);
  return combine(reduction, lanes.isVector() ? splat(initial) : initial, value);
}

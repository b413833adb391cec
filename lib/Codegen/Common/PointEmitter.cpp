//===- PointEmitter.cpp - The points of a kernel's domain -----------------===//

#include "PointEmitter.h"

#include "JobDialect/Codegen/StatusWord.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::plan;

PointEmitter::PointEmitter(func::FuncOp func, const KernelNest &nest,
                           std::optional<unsigned> vectorDim, int64_t numLanes)
    : nest(nest), b(OpBuilder::atBlockBegin(&func.getBody().front())),
      loc(func.getLoc()), entry(func.getBody().front()), vectorDim(vectorDim),
      numLanes(numLanes) {
  for (auto [argument, type] :
       llvm::zip(entry.getArguments(), nest.arguments)) {
    auto memref = cast<MemRefType>(argument.getType());
    int64_t size = type.getNumElements();
    if (memref.getRank() == 1) {
      buffers.push_back(argument);
      continue;
    }
    buffers.push_back(memref::ReinterpretCastOp::create(
        b, loc, MemRefType::get(size, memref.getElementType()), argument,
        /*offset=*/0, ArrayRef<int64_t>(size), ArrayRef<int64_t>(1)));
  }
  index.assign(nest.getRank(), Value());
}

Value PointEmitter::splat(Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, loc, VectorType::get(numLanes, value.getType()), value);
}

Value PointEmitter::getMask(Lanes lanes) {
  if (lanes.mask)
    return lanes.mask;
  return vector::ConstantMaskOp::create(
      b, loc, VectorType::get(numLanes, b.getI1Type()),
      ArrayRef<int64_t>(numLanes));
}

Value PointEmitter::buildIndex(const KernelAccess &access, Lanes lanes,
                               int64_t group) {
  int64_t offset = access.offset;
  Value result;
  for (auto [dim, stride] : llvm::enumerate(access.strides)) {
    if (stride == 0)
      continue;
    if (lanes.isVector() && isVectorDim(dim))
      offset += group * numLanes * stride;
    Value term = index[dim];
    if (stride != 1)
      term = arith::MulIOp::create(b, loc, term, constant(stride));
    result = result ? arith::AddIOp::create(b, loc, result, term) : term;
  }
  return result ? add(result, offset) : constant(offset);
}

/// The indices of lanes that lie `stride` elements apart.
static Value buildSteps(OpBuilder &b, Location loc, int64_t numLanes,
                        int64_t stride) {
  bool isSmall = stride < (int64_t(1) << 31) / numLanes;
  Type type = b.getIntegerType(isSmall ? 32 : 64);
  SmallVector<APInt> steps;
  for (int64_t lane : llvm::seq(numLanes))
    steps.emplace_back(isSmall ? 32 : 64, lane * stride);
  auto vector = VectorType::get(numLanes, type);
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(vector, steps));
}

Value PointEmitter::load(const KernelAccess &access, Lanes lanes,
                         int64_t group) {
  Value buffer = buffers[access.argument];
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  Value at = buildIndex(access, lanes, group), value;
  int64_t stride = lanes.isVector() ? access.strides[*vectorDim] : 0;
  auto vector = VectorType::get(numLanes, element);
  auto buildZeros = [&] {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
  };
  if (Value there = lanes.isVector() ? Value() : findTransposed(access))
    value = there;
  else if (stride == 0)
    value = memref::LoadOp::create(b, loc, buffer, at);
  else if (stride == 1 && !lanes.mask)
    value = vector::LoadOp::create(b, loc, vector, buffer, at,
                                   /*nontemporal=*/false, getAlignment(access));
  else if (stride == 1)
    value = vector::MaskedLoadOp::create(b, loc, vector, buffer, at, lanes.mask,
                                         buildZeros());
  else if (Value transposed = findTransposed(access))
    value = transposed;
  else
    value = vector::GatherOp::create(b, loc, vector, buffer, at,
                                     buildSteps(b, loc, numLanes, stride),
                                     getMask(lanes), buildZeros());
  // Of a float of 16 bits, the bits are loaded.
  Type type = nest.arguments[access.argument].getElementType();
  if (isa<FloatType>(type) && type != element) {
    if (lanes.isVector() && isa<VectorType>(value.getType()))
      type = VectorType::get(numLanes, type);
    return arith::BitcastOp::create(b, loc, type, value);
  }
  // A truth value is a byte in memory.
  if (!type.isInteger(1))
    return value;
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
}

/// Whether a mask is constant and has the first lane only.
static bool isFirstLane(Value mask) {
  auto constant = mask ? mask.getDefiningOp<vector::ConstantMaskOp>() : nullptr;
  return constant && constant.getMaskDimSizes() == ArrayRef<int64_t>{1};
}

void PointEmitter::store(Value value, const KernelAccess &access, Lanes lanes,
                         int64_t group) {
  Value buffer = buffers[access.argument];
  Value at = buildIndex(access, lanes, group);
  if (lanes.isVector())
    value = splat(value);
  Type type = nest.arguments[access.argument].getElementType();
  Type inMemory = cast<MemRefType>(buffer.getType()).getElementType();
  if (type != inMemory) {
    if (lanes.isVector())
      inMemory = VectorType::get(numLanes, inMemory);
    value = type.isInteger(1)
                ? arith::ExtUIOp::create(b, loc, inMemory, value).getResult()
                : arith::BitcastOp::create(b, loc, inMemory, value).getResult();
  }
  if (!lanes.isVector()) {
    memref::StoreOp::create(b, loc, value, buffer, at);
    return;
  }
  int64_t stride = access.strides[*vectorDim];
  if (stride == 1 && !lanes.mask)
    vector::StoreOp::create(b, loc, value, buffer, at, /*nontemporal=*/false,
                            getAlignment(access));
  else if (isFirstLane(lanes.mask))
    // For AVX-512, LLVM 22 makes of a masked store of one lane of truncated
    // integers a store of the wide integer.
    memref::StoreOp::create(b, loc, vector::ExtractOp::create(b, loc, value, 0),
                            buffer, at);
  else if (stride == 1)
    vector::MaskedStoreOp::create(b, loc, buffer, at, lanes.mask, value);
  else
    vector::ScatterOp::create(b, loc, /*resultType=*/Type(), buffer, at,
                              buildSteps(b, loc, numLanes, stride),
                              getMask(lanes), value);
}

void PointEmitter::emitCheck(CheckOp check, Value value, Lanes lanes) {
  Value word = buildStatusWord(b, check.getLoc(), value, check.getNumber(),
                               check.getCount());
  if (lanes.mask && isa<VectorType>(word.getType())) {
    Value none =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(word.getType()));
    word = arith::SelectOp::create(b, loc, lanes.mask, word, none);
  }
  if (isa<VectorType>(status.getType()))
    word = splat(word);
  status = arith::MaxSIOp::create(b, loc, status, word);
}

/// The current index along a dimension.
Value PointEmitter::buildLoopIndex(unsigned dim, Lanes lanes, int64_t group) {
  if (!lanes.isVector() || !isVectorDim(dim))
    return index[dim];
  auto type = VectorType::get(numLanes, b.getIndexType());
  Value steps = vector::StepOp::create(b, loc, type);
  return arith::AddIOp::create(b, loc, steps,
                               splat(add(index[dim], group * numLanes)));
}

/// Emits an operation of the body: on vectors, unless its operands are the same
/// for all lanes.
void PointEmitter::emitOp(Operation &op, PassRef pass, Lanes lanes,
                          int64_t group, DenseMap<Value, Value> &values) {
  if (auto check = dyn_cast<CheckOp>(op))
    return emitCheck(check, values.lookup(check.getValue()), lanes);
  if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
    values[indexOp.getResult()] =
        buildLoopIndex(pass.dims[indexOp.getDim()], lanes, group);
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(values.lookup(operand));
  bool isVector = llvm::any_of(
      operands, [](Value value) { return isa<VectorType>(value.getType()); });
  SmallVector<Type> types(op.getResultTypes());
  if (isVector) {
    for (Value &operand : operands)
      operand = splat(operand);
    for (Type &type : types)
      type = VectorType::get(numLanes, type);
  }
  Operation *emitted = b.create(op.getLoc(), op.getName().getIdentifier(),
                                operands, types, op.getAttrs());
  for (auto [from, to] :
       llvm::zip_equal(op.getResults(), emitted->getResults()))
    values[from] = to;
}

/// The body of a pass for one group of lanes. Returns what it yields.
PointEmitter::Values PointEmitter::emitBody(PassRef pass, Lanes lanes,
                                            int64_t group,
                                            ValueRange accumulators) {
  DenseMap<Value, Value> values;
  for (auto [index, scalar] : llvm::enumerate(nest.scalars))
    values[scalar] = entry.getArgument(nest.arguments.size() + index);
  for (const KernelInput &input : pass.inputs) {
    if (!input.item) {
      values[input.element] = load(input.access, lanes, group);
      continue;
    }
    ArrayRef<Value> item = items.find(input.item)->second;
    values[input.element] = item[item.size() > 1 ? group : 0];
  }
  for (const KernelOutput &output : pass.outputs)
    if (output.filled) {
      values[output.filled] = arith::ConstantOp::create(b, loc, output.initial);
    } else if (output.reduction) {
      values[output.reduction->accumulator] = accumulators.front();
      accumulators = accumulators.drop_front();
    }
  Block &body = pass.op->getRegion(0).front();
  for (Operation &op : body.without_terminator())
    emitOp(op, pass, lanes, group, values);
  Values results;
  for (const KernelOutput &output : pass.outputs) {
    Value value = values.lookup(output.yielded);
    if (output.reduction && lanes.mask) {
      Value before = values.lookup(output.reduction->accumulator);
      value = arith::SelectOp::create(b, loc, lanes.mask, value, before);
    }
    results.push_back(value);
  }
  return results;
}

/// The body of a pass for all groups of lanes, and the stores of its results.
/// Takes and returns the accumulators of `groups` groups; lanes may have fewer.
PointEmitter::Values PointEmitter::emitPoints(PassRef pass, Lanes lanes,
                                              int64_t groups,
                                              ValueRange accumulators) {
  int64_t count = std::max<int64_t>(groups, 1);
  Values next(accumulators);
  bool isItem = llvm::none_of(
      pass.dims, [&](unsigned dim) { return !nest.isItem.test(dim); });
  if (isItem)
    for (const KernelOutput &output : pass.outputs)
      items[output.result].clear();
  for (int64_t group : llvm::seq(lanes.getNumValues())) {
    Values own;
    for (size_t i = group; i < accumulators.size(); i += count)
      own.push_back(accumulators[i]);
    Values results = emitBody(pass, lanes, group, own);
    size_t place = group;
    for (auto [output, value] : llvm::zip_equal(pass.outputs, results)) {
      if (output.reduction) {
        next[place] = value;
        place += count;
        continue;
      }
      if (isItem)
        items[output.result].push_back(value);
      if (output.destination)
        store(value, *output.destination, lanes, group);
    }
  }
  return next;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

PointEmitter::Values PointEmitter::buildNeutral(PassRef pass, int64_t groups,
                                                bool isVector) {
  Values values;
  for (const KernelOutput &output : pass.outputs) {
    if (!output.reduction)
      continue;
    TypedAttr neutral = *arith::getNeutralElement(output.reduction->combiner);
    Value value = arith::ConstantOp::create(b, loc, neutral);
    values.append(std::max<int64_t>(groups, 1),
                  isVector ? splat(value) : value);
  }
  return values;
}

Value PointEmitter::combine(const KernelReduction &reduction, Value a,
                            Value b) {
  IRMapping mapping;
  for (Value operand : reduction.combiner->getOperands())
    mapping.map(operand, operand == reduction.accumulator ? a : b);
  Operation *combined =
      this->b.create(reduction.combiner->getLoc(),
                     reduction.combiner->getName().getIdentifier(),
                     llvm::map_to_vector(reduction.combiner->getOperands(),
                                         [&](Value operand) {
                                           return mapping.lookup(operand);
                                         }),
                     a.getType(), reduction.combiner->getAttrs());
  return combined->getResult(0);
}

Value PointEmitter::joinLanes(const KernelReduction &reduction, Value vector) {
  for (int64_t half = numLanes / 2; half >= 1; half /= 2) {
    auto part = [&](int64_t offset) {
      return vector::ExtractStridedSliceOp::create(
          b, loc, vector, ArrayRef<int64_t>(offset), ArrayRef<int64_t>(half),
          ArrayRef<int64_t>(1));
    };
    Value low = part(0), high = part(half);
    vector = combine(reduction, low, high);
  }
  return vector::ExtractOp::create(b, loc, vector, ArrayRef<int64_t>(0));
}

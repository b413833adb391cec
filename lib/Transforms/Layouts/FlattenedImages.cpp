//===- FlattenedImages.cpp - Dimensions that images have become -----------===//

#include "FlattenedImages.h"

#include "JobDialect/IR/Permutations.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// How the dimensions of an op's blobs belong together
//===----------------------------------------------------------------------===//

namespace {

/// For each operand and then each result the dimensions of the op's iteration
/// space that its dimensions are. A dimension that is no other blob's has a
/// number of its own.
using Labels = SmallVector<SmallVector<int64_t>>;

} // namespace

static ArrayRef<int64_t> getShape(Value blob) {
  return cast<BlobType>(blob.getType()).getShape();
}

static SmallVector<int64_t> getRange(size_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

/// Numbers that no dimension has.
static constexpr int64_t kFirstOwnLabel = 1 << 20;

template <typename OpTy> static Labels getReductionLabels(OpTy op) {
  size_t rank = getShape(op.getOperand()).size();
  SmallVector<int64_t> result;
  if (op.getKeepdims()) {
    result = getRange(rank);
    for (int64_t axis : op.getAxes())
      result[axis] = kFirstOwnLabel + axis;
  } else {
    result = op.getKeptAxes();
    if (result.empty())
      result.push_back(kFirstOwnLabel);
  }
  return {getRange(rank), result};
}

static Labels getLabels(BroadcastInDimOp op) {
  ArrayRef<int64_t> from = getShape(op.getOperand()),
                    to = getShape(op.getResult());
  SmallVector<int64_t> operand(op.getDims());
  for (auto [index, dim] : llvm::enumerate(operand))
    if (from[index] != to[dim])
      dim = kFirstOwnLabel + index;
  return {operand, getRange(to.size())};
}

static std::optional<Labels> getLabels(MatMulOp op) {
  if (getShape(op.getResult()).size() != 2)
    return std::nullopt;
  enum : int64_t { kM, kN, kK };
  SmallVector<int64_t> lhs = {kM, kK}, rhs = {kK, kN};
  if (op.getTransposeLhs())
    std::swap(lhs[0], lhs[1]);
  if (op.getTransposeRhs())
    std::swap(rhs[0], rhs[1]);
  return Labels{lhs, rhs, {kM, kN}};
}

/// Nothing for an op whose results depend on the order of elements.
static std::optional<Labels> getLabels(Operation *op) {
  auto isBounded = [](Type type) {
    auto blob = dyn_cast<BlobType>(type);
    return !blob || blob.isBounded();
  };
  if (llvm::any_of(op->getOperandTypes(), isBounded) ||
      llvm::any_of(op->getResultTypes(), isBounded))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Labels>>(op)
      .Case<MatMulOp, BroadcastInDimOp>([](auto op) { return getLabels(op); })
      .Case<ReduceSumOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp>(
          [](auto op) { return getReductionLabels(op); })
      .Default([](Operation *op) -> std::optional<Labels> {
        if (!isa<UnpackOp, PackOp, AccOp, BroadcastMicroStepsOp>(op) &&
            !(op->hasTrait<OpTrait::Elementwise>() &&
              isa<LayoutOpInterface>(op)))
          return std::nullopt;
        size_t rank = getShape(op->getResult(0)).size();
        return Labels(op->getNumOperands() + op->getNumResults(),
                      getRange(rank));
      });
}

/// The operands and the results.
static SmallVector<Value> getBlobs(Operation *op) {
  SmallVector<Value> blobs(op->getOperands());
  llvm::append_range(blobs, op->getResults());
  return blobs;
}

/// Whether the elements along a dimension are equal: they have any order.
static bool isUniform(Value blob, int64_t dim) {
  Operation *op = blob.getDefiningOp();
  if (auto constant = dyn_cast_if_present<ConstantOp>(op)) {
    auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
    return value && value.isSplat();
  }
  if (auto broadcast = dyn_cast_if_present<BroadcastInDimOp>(op))
    return !llvm::is_contained(getLabels(broadcast).front(), dim);
  return false;
}

/// What a read or an assignment of a variable reads or assigns.
static Value getAccessed(Operation *access) {
  if (auto read = dyn_cast<ReadOp>(access))
    return read.getResult();
  return cast<AssignOp>(access).getValue();
}

static FlatSymbolRefAttr getVariableName(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getVariableAttr();
  if (auto assign = dyn_cast<AssignOp>(op))
    return assign.getVariableAttr();
  return {};
}

//===----------------------------------------------------------------------===//
// FlattenedImages
//===----------------------------------------------------------------------===//

/// The dimension that images of the type become in a matrix of their rows;
/// nothing for another shape, and where a permutation moves nothing.
static std::optional<FlattenedDim> getFlattened(BlobType images, BlobType rows,
                                                ArrayRef<int64_t> permutation) {
  if (!hasRankOf(images, permutation) || rows.isBounded() ||
      rows.getRank() != 2 || rows.getDimSize(0) != images.getDimSize(0) ||
      permutation.front() != 0 || movesNoElement(images, permutation))
    return std::nullopt;
  return FlattenedDim{1, SmallVector<int64_t>(images.getShape().drop_front())};
}

/// That of the result of a reshape of images, or of the operand of one to
/// images.
static std::optional<std::pair<Value, FlattenedDim>>
getFlattened(ReshapeOp op, ArrayRef<int64_t> permutation) {
  BlobType from = cast<BlobType>(op.getOperand().getType()),
           to = cast<BlobType>(op.getResult().getType());
  if (auto dim = getFlattened(from, to, permutation))
    return std::make_pair(op.getResult(), *dim);
  if (auto dim = getFlattened(to, from, permutation))
    return std::make_pair(op.getOperand(), *dim);
  return std::nullopt;
}

FlattenedImages::FlattenedImages(ModuleOp module, ArrayRef<Block *> blocks,
                                 size_t numFirst, ArrayRef<int64_t> permutation)
    : permutation(permutation) {
  for (Block *block : blocks)
    for (Operation &op : *block)
      if (FlatSymbolRefAttr name = getVariableName(&op))
        accesses[name.getAttr()].push_back(&op);
  follow(blocks.take_front(numFirst));
  follow(blocks);
  // Where two orders met, the ops between them have none.
  for (Block *block : blocks)
    for (Operation &op : *block)
      if (isConsistent(&op))
        ops.insert(&op);
  for (auto variable : module.getOps<VariableOp>()) {
    auto it = variables.find(variable.getSymNameAttr());
    if (it == variables.end())
      continue;
    ArrayRef<Operation *> all = accesses[variable.getSymNameAttr()];
    if (llvm::all_of(all, [&, flattened = it->second](Operation *access) {
          Value blob = getAccessed(access);
          const FlattenedDim *own = get(blob);
          return own ? *own == flattened : isUniform(blob, flattened.dim);
        }))
      ops.insert(all.begin(), all.end());
    else
      variables.erase(it);
  }
}

/// Follows flattened dimensions through some blocks, from where they are known
/// and from reshapes, as far as an order can go: first come, first served.
void FlattenedImages::follow(ArrayRef<Block *> blocks) {
  worklist.clear();
  for (Block *block : blocks) {
    for (BlockArgument argument : block->getArguments())
      if (get(argument))
        worklist.push_back(argument);
    for (Operation &op : *block)
      for (Value result : op.getResults())
        if (get(result))
          worklist.push_back(result);
  }
  for (Block *block : blocks)
    for (auto reshape : block->getOps<ReshapeOp>())
      if (auto flattened = getFlattened(reshape, permutation))
        add(flattened->first, flattened->second.dim, flattened->second.extents);
  SmallPtrSet<Block *, 4> known(blocks.begin(), blocks.end());
  for (size_t next = 0; next < worklist.size(); ++next) {
    Value blob = worklist[next];
    if (Operation *producer = blob.getDefiningOp();
        producer && known.contains(producer->getBlock()))
      addNeighbours(producer, blob);
    for (Operation *user : blob.getUsers())
      if (known.contains(user->getBlock()))
        addNeighbours(user, blob);
  }
}

void FlattenedImages::add(Value blob, int64_t dim, ArrayRef<int64_t> extents) {
  // A blob of the rank of images has another permutation, and a part of the
  // rows none.
  if (hasRankOf(blob.getType(), permutation) || isUniform(blob, dim) ||
      getShape(blob)[dim] != ShapedType::getNumElements(extents))
    return;
  if (dims.try_emplace(blob, FlattenedDim{dim, SmallVector<int64_t>(extents)})
          .second)
    worklist.push_back(blob);
}

/// Adds the blobs that share the flattened dimension of an operand or a result.
void FlattenedImages::addNeighbours(Operation *op, Value blob) {
  FlattenedDim flattened = dims.at(blob);
  if (FlatSymbolRefAttr name = getVariableName(op)) {
    if (variables.try_emplace(name.getAttr(), flattened).second)
      for (Operation *access : accesses[name.getAttr()])
        add(getAccessed(access), flattened.dim, flattened.extents);
    return;
  }
  std::optional<Labels> labels = getLabels(op);
  if (!labels)
    return;
  SmallVector<Value> blobs = getBlobs(op);
  for (auto [index, own] : llvm::enumerate(blobs)) {
    if (own != blob)
      continue;
    int64_t label = (*labels)[index][flattened.dim];
    for (auto [other, otherLabels] : llvm::zip_equal(blobs, *labels))
      if (auto it = llvm::find(otherLabels, label); it != otherLabels.end())
        add(other, it - otherLabels.begin(), flattened.extents);
  }
}

/// Whether all blobs of an op are flattened alike, and some are.
bool FlattenedImages::isConsistent(Operation *op) const {
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto flattened = getFlattened(reshape, permutation);
    const FlattenedDim *own = flattened ? get(flattened->first) : nullptr;
    return own && *own == flattened->second;
  }
  // A blob of the rank of images has their permutation.
  SmallVector<Value> blobs = getBlobs(op);
  if (llvm::none_of(blobs, [&](Value blob) { return get(blob); }) ||
      llvm::any_of(blobs, [&](Value blob) {
        return hasRankOf(blob.getType(), permutation);
      }))
    return false;
  std::optional<Labels> labels = getLabels(op);
  if (!labels)
    return false;
  DenseMap<int64_t, ArrayRef<int64_t>> extents;
  for (auto [blob, blobLabels] : llvm::zip_equal(blobs, *labels)) {
    const FlattenedDim *flattened = get(blob);
    for (auto [dim, label] : llvm::enumerate(blobLabels)) {
      if (isUniform(blob, dim))
        continue;
      ArrayRef<int64_t> own;
      if (flattened && flattened->dim == static_cast<int64_t>(dim))
        own = flattened->extents;
      if (extents.try_emplace(label, own).first->second != own)
        return false;
    }
  }
  return true;
}

void FlattenedImages::replace(Value blob, Value with) {
  if (auto it = dims.find(blob); it != dims.end()) {
    FlattenedDim flattened = it->second;
    dims.try_emplace(with, std::move(flattened));
  }
}

void FlattenedImages::erase(Operation *op) {
  ops.erase(op);
  for (Value result : op->getResults())
    dims.erase(result);
}

const FlattenedDim *FlattenedImages::get(Value blob) const {
  auto it = dims.find(blob);
  return it == dims.end() ? nullptr : &it->second;
}

const FlattenedDim *FlattenedImages::get(VariableOp variable) const {
  auto it = variables.find(variable.getSymNameAttr());
  return it == variables.end() ? nullptr : &it->second;
}

//===----------------------------------------------------------------------===//
// Permuting
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
FlattenedImages::getExpandedShape(ArrayRef<int64_t> shape,
                                  const FlattenedDim &flattened) const {
  SmallVector<int64_t> expanded(shape.take_front(flattened.dim));
  llvm::append_range(expanded, flattened.extents);
  llvm::append_range(expanded, shape.drop_front(flattened.dim + 1));
  return expanded;
}

SmallVector<int64_t>
FlattenedImages::getPermutation(ArrayRef<int64_t> shape,
                                const FlattenedDim &flattened) const {
  SmallVector<int64_t> expanded =
      getRange(shape.size() + flattened.extents.size() - 1);
  for (size_t i = 0; i < flattened.extents.size(); ++i)
    expanded[flattened.dim + i] = flattened.dim + permutation[i + 1] - 1;
  return expanded;
}

Value FlattenedImages::buildPermuted(OpBuilder &builder, Location loc,
                                     Value blob) const {
  const FlattenedDim &flattened = *get(blob);
  ArrayRef<int64_t> shape = getShape(blob);
  return buildExpandedPermutation(builder, loc, blob,
                                  getExpandedShape(shape, flattened),
                                  getPermutation(shape, flattened));
}

Value FlattenedImages::buildPlain(OpBuilder &builder, Location loc,
                                  Value permuted,
                                  const FlattenedDim &flattened) const {
  ArrayRef<int64_t> shape = getShape(permuted);
  SmallVector<int64_t> forward = getPermutation(shape, flattened);
  return buildExpandedPermutation(
      builder, loc, permuted,
      applyPermutation(getExpandedShape(shape, flattened), forward),
      invertPermutationVector(forward));
}

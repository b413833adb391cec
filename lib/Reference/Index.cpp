//===- Index.cpp - Reference of gathering and scattering ------------------===//

#include "Models.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>
#include <optional>

using namespace mlir;
using namespace mlir::job;

/// Calls `function(p, q)` with the places of each pair of elements that belong
/// together: p in the blob that has the dimension `axis`, q in the one that has
/// the indices' dimensions instead. p is -1 where the index is outside of the
/// dimension.
template <typename Function>
static void forEachPair(ArrayRef<int64_t> shape, const ReferenceTensor &indices,
                        int64_t axis, int64_t batchDims, Function function) {
  ArrayRef<int64_t> indexShape = indices.getShape();
  int64_t batch = llvm::product_of(shape.take_front(batchDims));
  int64_t outer = llvm::product_of(shape.slice(batchDims, axis - batchDims));
  int64_t inner = llvm::product_of(shape.drop_front(axis + 1));
  int64_t count = llvm::product_of(indexShape.drop_front(batchDims));
  int64_t extent = shape[axis], q = 0;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t j = 0; j < count; ++j) {
        int64_t index = indices.getIntegers()[b * count + j];
        bool isInside = index >= 0 && index < extent;
        for (int64_t i = 0; i < inner; ++i)
          function(isInside ? ((b * outer + o) * extent + index) * inner + i
                            : -1,
                   q++);
      }
}

static LogicalResult computeGather(GatherOp op, ReferenceOperands operands,
                                   ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  forEachPair(from.getShape(), *operands[1], op.getAxis(), op.getBatchDims(),
              [&](int64_t p, int64_t q) {
                if (from.isFloat())
                  to.getFloats()[q] =
                      p < 0 ? std::numeric_limits<double>::quiet_NaN()
                            : from.getFloats()[p];
                else
                  to.setInteger(q, p < 0 ? 0 : from.getIntegers()[p]);
              });
  return success();
}

/// Adds element `q` of `from` to element `p` of `to`.
static void addElement(const ReferenceTensor &from, int64_t q,
                       ReferenceTensor &to, int64_t p) {
  if (from.isFloat())
    to.getFloats()[p] += from.getFloats()[q];
  else
    // Unsigned, so that the overflow of an i64 is defined.
    to.setInteger(p, static_cast<uint64_t>(to.getIntegers()[p]) +
                         static_cast<uint64_t>(from.getIntegers()[q]));
}

static LogicalResult computeScatterAdd(ScatterAddOp op,
                                       ReferenceOperands operands,
                                       ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  forEachPair(to.getShape(), *operands[1], op.getAxis(), op.getBatchDims(),
              [&](int64_t p, int64_t q) {
                if (p >= 0)
                  addElement(from, q, to, p);
              });
  return success();
}

static LogicalResult computeGroupIndices(GroupIndicesOp op,
                                         ReferenceOperands operands,
                                         ReferenceResults results) {
  int64_t count = operands[0]->getShape().back(), extent = op.getExtent();
  for (int64_t row = 0; row * count < operands[0]->getNumElements(); ++row) {
    auto indices =
        ArrayRef(operands[0]->getIntegers()).slice(row * count, count);
    SmallVector<int64_t> places;
    for (int64_t place = 0; place < count; ++place)
      if (indices[place] >= 0 && indices[place] < extent)
        places.push_back(place);
    llvm::stable_sort(
        places, [&](int64_t x, int64_t y) { return indices[x] < indices[y]; });
    int64_t first = row * (extent + count);
    for (int64_t i = 0, end = 0; i < extent; ++i) {
      while (end < int64_t(places.size()) && indices[places[end]] <= i)
        ++end;
      results[0].setInteger(first + i, end);
    }
    places.resize(count, -1);
    for (int64_t i = 0; i < count; ++i)
      results[0].setInteger(first + extent + i, places[i]);
  }
  return success();
}

static LogicalResult computeSumGroups(SumGroupsOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  int64_t axis = op.getAxis();
  int64_t extent = to.getShape()[axis], count = from.getShape()[axis];
  int64_t inner = llvm::product_of(to.getShape().drop_front(axis + 1));
  int64_t slices = llvm::product_of(to.getShape().take_front(axis));
  int64_t batch = llvm::product_of(operands[1]->getShape().drop_back());
  for (int64_t slice = 0; slice < slices; ++slice) {
    auto groups =
        ArrayRef(operands[1]->getIntegers())
            .slice(slice / (slices / batch) * (extent + count), extent + count);
    int64_t begin = 0;
    for (int64_t i = 0; i < extent; ++i) {
      int64_t end = std::clamp<int64_t>(groups[i], 0, count);
      for (int64_t j = begin; j < end; ++j) {
        int64_t place = groups[extent + j];
        if (place < 0 || place >= count)
          continue;
        for (int64_t k = 0; k < inner; ++k)
          addElement(from, (slice * count + place) * inner + k, to,
                     (slice * extent + i) * inner + k);
      }
      begin = end;
    }
  }
  return success();
}

/// Whether element i comes before element j in a sorted row, whatever their
/// places.
static bool isBefore(const ReferenceTensor &x, int64_t i, int64_t j,
                     bool isDescending) {
  if (!x.isFloat()) {
    int64_t first = x.getIntegers()[i], second = x.getIntegers()[j];
    return isDescending ? first > second : first < second;
  }
  double first = x.getFloats()[i], second = x.getFloats()[j];
  if (std::isnan(first) || std::isnan(second))
    return !std::isnan(first);
  return isDescending ? first > second : first < second;
}

/// Sorts each run of `run` indices of the rows of `order`.
static void sortRuns(const ReferenceTensor &x, const ReferenceTensor &order,
                     int64_t run, bool isDescending, ReferenceTensor &to) {
  int64_t extent = x.getShape().back();
  for (int64_t row = 0, e = x.getNumElements(); row < e; row += extent)
    for (int64_t begin = 0; begin < extent; begin += run) {
      int64_t count = std::min(run, extent - begin);
      SmallVector<int64_t> indices(
          ArrayRef(order.getIntegers()).slice(row + begin, count));
      llvm::stable_sort(indices, [&](int64_t i, int64_t j) {
        return isBefore(x, row + i, row + j, isDescending);
      });
      for (auto [place, index] : llvm::enumerate(indices))
        to.setInteger(row + begin + place, index);
    }
}

static LogicalResult computeArgSort(ArgSortOp op, ReferenceOperands operands,
                                    ReferenceResults results) {
  int64_t extent = operands[0]->getShape().back();
  for (int64_t i = 0, e = operands[0]->getNumElements(); i < e; ++i)
    results[0].setInteger(i, i % extent);
  sortRuns(*operands[0], results[0], extent, op.getDescending(), results[0]);
  return success();
}

/// Runs that are not sorted, of which the op says nothing, are sorted as well.
static LogicalResult computeMergeRuns(MergeRunsOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  int64_t extent = operands[0]->getShape().back();
  int64_t run = std::min<int64_t>(op.getRun(), extent);
  sortRuns(*operands[0], *operands[1], std::min(8 * run, extent),
           op.getDescending(), results[0]);
  return success();
}

static bool isNonzero(const ReferenceTensor &tensor, int64_t i) {
  return tensor.isFloat() ? tensor.getFloats()[i] != 0
                          : tensor.getIntegers()[i] != 0;
}

/// Stores the index of element `i` of `from` as a row of `to`.
static void storeIndex(const ReferenceTensor &from, int64_t i,
                       ReferenceTensor &to, int64_t row) {
  SmallVector<int64_t> strides = getRowMajorStrides(from.getShape());
  for (auto [dim, stride] : llvm::enumerate(strides))
    to.setInteger(row * strides.size() + dim,
                  i / stride % from.getShape()[dim]);
}

static LogicalResult computeArgwhere(ArgwhereOp op, ReferenceOperands operands,
                                     ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  int64_t count = 0;
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i)
    if (isNonzero(from, i))
      storeIndex(from, i, results[0], count++);
  results[1].setInteger(0, count);
  return success();
}

static LogicalResult computeCountNonzero(CountNonzeroOp op,
                                         ReferenceOperands operands,
                                         ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  int64_t size = op.getBlockSize();
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i)
    results[0].setInteger(i / size, results[0].getIntegers()[i / size] +
                                        isNonzero(from, i));
  return success();
}

static LogicalResult computeArgwhereBlocks(ArgwhereBlocksOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  int64_t numElements = from.getNumElements(), size = op.getBlockSize();
  int64_t first = 0;
  for (auto [block, given] : llvm::enumerate(operands[1]->getIntegers())) {
    int64_t begin = block * size, end = std::min(begin + size, numElements);
    int64_t count = std::clamp<int64_t>(given, 0, end - begin);
    int64_t row = first;
    for (int64_t i = begin; i < end; ++i)
      if (isNonzero(from, i) && row < first + count)
        storeIndex(from, i, results[0], row++);
    first += count;
  }
  results[1].setInteger(0, first);
  return success();
}

/// Whether an element of a blob with the shape of `tensor` is before the count
/// in a dimension.
static bool isBeforeCount(const ReferenceTensor &tensor, int64_t element,
                          int64_t dim, int64_t count) {
  ArrayRef<int64_t> shape = tensor.getShape();
  return element / llvm::product_of(shape.drop_front(dim + 1)) % shape[dim] <
         count;
}

static LogicalResult computePadToStatic(PadToStaticOp op,
                                        ReferenceOperands operands,
                                        ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  int64_t dim = op.getOperand().getType().getBoundedDim();
  int64_t count = operands[1]->getIntegers()[0];
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i) {
    bool isThere = isBeforeCount(from, i, dim, count);
    if (auto value = dyn_cast<FloatAttr>(op.getValue()))
      to.getFloats()[i] =
          isThere ? from.getFloats()[i] : value.getValueAsDouble();
    else
      to.setInteger(i, isThere ? from.getIntegers()[i]
                               : cast<IntegerAttr>(op.getValue()).getInt());
  }
  return success();
}

static LogicalResult computeSliceToDynamic(SliceToDynamicOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  int64_t count = operands[1]->getIntegers()[0];
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i) {
    bool isThere = isBeforeCount(from, i, op.getDim(), count);
    if (from.isFloat())
      to.getFloats()[i] = isThere ? from.getFloats()[i] : 0;
    else
      to.setInteger(i, isThere ? from.getIntegers()[i] : 0);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ordinals of ids
//===----------------------------------------------------------------------===//

/// The first row of a hash table that holds `key` in its first column or is
/// free, of those that are tried from `first` on; none if all hold others.
static std::optional<int64_t> findRow(const ReferenceTensor &table,
                                      uint64_t first, int64_t key) {
  int64_t rows = table.getShape()[0], columns = table.getShape()[1];
  for (int64_t i = 0; i < rows; ++i) {
    int64_t row = (first % rows + i) % rows;
    int64_t found = table.getIntegers()[row * columns];
    if (found == key || found == 0)
      return row;
  }
  return std::nullopt;
}

namespace {
/// The table of an op, and the ids that are to be inserted into it.
struct OrdinalTable {
  const ReferenceTensor &table, &ids, &inserted;

  /// The row of `inserted` that gives a free slot to an id.
  std::optional<int64_t> findInserted(int64_t slot) const {
    std::optional<int64_t> row = findRow(inserted, slot, slot + 1);
    if (!row || inserted.getIntegers()[*row * 3] == 0)
      return std::nullopt;
    int64_t position = inserted.getIntegers()[*row * 3 + 1];
    if (position < 0 || position >= ids.getNumElements())
      return std::nullopt;
    return row;
  }
  int64_t getId(int64_t row) const {
    return ids.getIntegers()[inserted.getIntegers()[row * 3 + 1]];
  }
  /// The slot that an id has or gets, or the first one that is free; none for
  /// the id 0 and where no slot is free.
  std::optional<int64_t> findSlot(int64_t id) const {
    int64_t slots = table.getShape()[0];
    for (int64_t i = 0; id != 0 && i < slots; ++i) {
      int64_t slot = (static_cast<uint64_t>(id) % slots + i) % slots;
      int64_t found = table.getIntegers()[slot * 2];
      if (found == 0)
        if (std::optional<int64_t> row = findInserted(slot))
          found = getId(*row);
      if (found == id || found == 0)
        return slot;
    }
    return std::nullopt;
  }
  bool isFree(int64_t slot) const { return table.getIntegers()[slot * 2] == 0; }
};
} // namespace

static LogicalResult computeFindNewIds(FindNewIdsOp op,
                                       ReferenceOperands operands,
                                       ReferenceResults results) {
  ReferenceTensor &inserted = results[0];
  OrdinalTable ordinals{*operands[0], *operands[1], inserted};
  int64_t count = 0;
  for (auto [position, id] : llvm::enumerate(operands[1]->getIntegers())) {
    std::optional<int64_t> slot = ordinals.findSlot(id);
    if (!slot || !ordinals.isFree(*slot) || ordinals.findInserted(*slot))
      continue;
    int64_t row = *findRow(inserted, *slot, *slot + 1);
    inserted.setInteger(row * 3, *slot + 1);
    inserted.setInteger(row * 3 + 1, position);
    inserted.setInteger(row * 3 + 2, ++count);
  }
  return success();
}

/// The ordinal of the id in a row of inserted ids.
static int64_t getNewOrdinal(const ReferenceTensor &size,
                             const ReferenceTensor &inserted, int64_t row) {
  // Unsigned, so that an overflow is defined.
  return static_cast<uint64_t>(size.getIntegers()[0]) +
         static_cast<uint64_t>(inserted.getIntegers()[row * 3 + 2]);
}

static LogicalResult computeLookupOrdinals(LookupOrdinalsOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  OrdinalTable ordinals{*operands[0], *operands[2], *operands[3]};
  for (auto [i, id] : llvm::enumerate(operands[2]->getIntegers())) {
    std::optional<int64_t> slot = ordinals.findSlot(id);
    if (!slot)
      continue;
    if (!ordinals.isFree(*slot))
      results[0].setInteger(i, operands[0]->getIntegers()[*slot * 2 + 1]);
    else if (std::optional<int64_t> row = ordinals.findInserted(*slot))
      results[0].setInteger(i, getNewOrdinal(*operands[1], *operands[3], *row));
  }
  return success();
}

static LogicalResult computeInsertOrdinals(InsertOrdinalsOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  OrdinalTable ordinals{*operands[0], *operands[2], *operands[3]};
  for (int64_t slot = 0, e = operands[0]->getShape()[0]; slot < e; ++slot) {
    int64_t id = operands[0]->getIntegers()[slot * 2];
    int64_t ordinal = operands[0]->getIntegers()[slot * 2 + 1];
    if (ordinals.isFree(slot))
      if (std::optional<int64_t> row = ordinals.findInserted(slot)) {
        id = ordinals.getId(*row);
        ordinal = getNewOrdinal(*operands[1], *operands[3], *row);
      }
    results[0].setInteger(slot * 2, id);
    results[0].setInteger(slot * 2 + 1, ordinal);
  }
  return success();
}

void job::attachIndexReferences(MLIRContext *context) {
  GatherOp::attachInterface<ReferenceModel<GatherOp, computeGather>>(*context);
  ScatterAddOp::attachInterface<
      ReferenceModel<ScatterAddOp, computeScatterAdd>>(*context);
  GroupIndicesOp::attachInterface<
      ReferenceModel<GroupIndicesOp, computeGroupIndices>>(*context);
  SumGroupsOp::attachInterface<ReferenceModel<SumGroupsOp, computeSumGroups>>(
      *context);
  ArgSortOp::attachInterface<ReferenceModel<ArgSortOp, computeArgSort>>(
      *context);
  MergeRunsOp::attachInterface<ReferenceModel<MergeRunsOp, computeMergeRuns>>(
      *context);
  ArgwhereOp::attachInterface<ReferenceModel<ArgwhereOp, computeArgwhere>>(
      *context);
  CountNonzeroOp::attachInterface<
      ReferenceModel<CountNonzeroOp, computeCountNonzero>>(*context);
  ArgwhereBlocksOp::attachInterface<
      ReferenceModel<ArgwhereBlocksOp, computeArgwhereBlocks>>(*context);
  PadToStaticOp::attachInterface<
      ReferenceModel<PadToStaticOp, computePadToStatic>>(*context);
  SliceToDynamicOp::attachInterface<
      ReferenceModel<SliceToDynamicOp, computeSliceToDynamic>>(*context);
  FindNewIdsOp::attachInterface<
      ReferenceModel<FindNewIdsOp, computeFindNewIds>>(*context);
  LookupOrdinalsOp::attachInterface<
      ReferenceModel<LookupOrdinalsOp, computeLookupOrdinals>>(*context);
  InsertOrdinalsOp::attachInterface<
      ReferenceModel<InsertOrdinalsOp, computeInsertOrdinals>>(*context);
}

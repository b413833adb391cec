//===- Ordinals.cpp - Kernels of tables of ids ----------------------------===//
//
// Only job.find_new_ids is sequential, since an id may occur several times and
// two ids may want one slot. What it finds is in a table that is small where
// the ids are few, so that all slots and all ids are independent afterwards.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/JobOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// About what it takes to find a slot, in operations.
static constexpr int64_t kSearchCost = 64;
/// The same to see that a slot stays as it is.
static constexpr int64_t kSlotCost = 8;

static Value isEqual(const KernelBuilder &b, Value x, Value y) {
  return b.compare(arith::CmpIPredicate::eq, x, y);
}

/// Whether a search has found a place, or none (-1).
static Value isPlace(const KernelBuilder &b, Value found) {
  return b.compare(arith::CmpIPredicate::sge, found, b.index(0));
}
static Value isNoPlace(const KernelBuilder &b, Value found) {
  return b.compare(arith::CmpIPredicate::slt, found, b.index(0));
}

/// `then` where the condition holds, else `other`.
static Value choose(const KernelBuilder &b, Value condition,
                    function_ref<Value()> then, Value other) {
  return scf::IfOp::create(
             b.getBuilder(), b.getLoc(), condition,
             [&](OpBuilder &builder, Location loc) {
               scf::YieldOp::create(builder, loc, then());
             },
             [&](OpBuilder &builder, Location loc) {
               scf::YieldOp::create(builder, loc, other);
             })
      .getResult(0);
}

/// The first place of a ring of `extent` places, from `first` on, that matches;
/// -1 if none does. Runs of 1, 1, 2, 4, ... places are searched, and the runs
/// behind the one that has it are empty: the loops have bounds, and yet end
/// early.
static Value findInRing(const KernelBuilder &b, Value first, int64_t extent,
                        function_ref<Value(Value)> matches) {
  Value no = b.intConstant(b.getBuilder().getI1Type(), 0);
  return b.reduce(
      llvm::Log2_64_Ceil(extent) + 1, {b.index(0), b.index(-1)},
      [&](Value, ValueRange carried) -> SmallVector<Value> {
        Value begin = carried[0];
        Value end = b.min(b.max(b.add(begin, begin), 1), extent);
        end = b.select(isNoPlace(b, carried[1]), end, begin);
        Value found =
            b.reduce(begin, end, 1, carried[1],
                     [&](Value step, ValueRange inner) -> SmallVector<Value> {
                       Value place = b.add(first, step);
                       place = b.select(b.isBelow(place, extent), place,
                                        b.add(place, -extent));
                       Value isFound = choose(
                           b, isNoPlace(b, inner[0]),
                           [&] { return matches(place); }, no);
                       return {b.select(isFound, place, inner[0])};
                     })[0];
        return {end, found};
      })[1];
}

namespace {

/// A table, and the ids that are to be inserted into it.
class OrdinalTable {
public:
  OrdinalTable(const KernelBuilder &b, Value table, Value ids, Value inserted)
      : b(b), table(table), ids(b.flatten(ids)), inserted(inserted),
        type(cast<MemRefType>(table.getType()).getElementType()) {}

  Value getNoId() const { return b.intConstant(type, 0); }
  Value loadId(Value position) const { return b.load(ids, position); }
  Value loadKey(Value slot) const { return b.load(table, {slot, b.index(0)}); }
  Value loadOrdinal(Value slot) const {
    return b.load(table, {slot, b.index(1)});
  }
  Value isFree(Value slot) const {
    return isEqual(b, loadKey(slot), getNoId());
  }

  /// The row of `inserted` that gives a free slot to an id, or -1.
  Value findInserted(Value slot) const;
  /// The first row that is free, of those that are tried for a slot.
  Value findFreeRow(Value slot) const {
    return findInRing(b, getFirstRow(slot), getRows(), [&](Value row) {
      return isEqual(b, loadInserted(row, 0), getNoSlot());
    });
  }
  /// The id and the ordinal that a row of `inserted` has.
  Value loadInsertedId(Value row) const {
    return loadId(toIndex(loadInserted(row, 1)));
  }
  Value loadInsertedOrdinal(Value row, Value size) const {
    Value number = loadInserted(row, 2);
    if (type != number.getType())
      number = b.make<arith::TruncIOp>(type, number);
    return b.add(b.load(size, b.index(0)), number);
  }
  /// The slot that an id has or gets, or the first one that is free; -1 for the
  /// id 0 and where no slot is free.
  Value findSlot(Value id) const;

private:
  int64_t getRows() const {
    return cast<MemRefType>(inserted.getType()).getDimSize(0);
  }
  Value getNoSlot() const {
    return b.intConstant(b.getBuilder().getI64Type(), 0);
  }
  Value getFirstRow(Value slot) const { return b.rem(slot, getRows()); }
  Value loadInserted(Value row, int64_t column) const {
    return b.load(inserted, {row, b.index(column)});
  }
  Value toIndex(Value number) const {
    return b.make<arith::IndexCastOp>(b.getBuilder().getIndexType(), number);
  }

  const KernelBuilder &b;
  Value table, ids, inserted;
  Type type;
};

} // namespace

Value OrdinalTable::findInserted(Value slot) const {
  Value key =
      b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), b.add(slot, 1));
  Value first = getFirstRow(slot);
  // Mostly no id is inserted.
  Value isEmpty = isEqual(b, loadInserted(first, 0), getNoSlot());
  Value isUsed = b.xorI(isEmpty, b.intConstant(isEmpty.getType(), 1));
  return choose(
      b, isUsed,
      [&] {
        Value row = findInRing(b, first, getRows(), [&](Value row) {
          Value found = loadInserted(row, 0);
          return b.orI(isEqual(b, found, key), isEqual(b, found, getNoSlot()));
        });
        // Text may give positions that are none of the ids.
        Value safe = b.max(row, 0);
        Value isKey = isEqual(b, loadInserted(safe, 0), key);
        int64_t count = cast<MemRefType>(ids.getType()).getDimSize(0);
        Value isId = b.isBelow(toIndex(loadInserted(safe, 1)), count);
        return b.select(b.andI(isKey, isId), row, b.index(-1));
      },
      b.index(-1));
}

Value OrdinalTable::findSlot(Value id) const {
  int64_t slots = cast<MemRefType>(table.getType()).getDimSize(0);
  Value number = id;
  Type i64 = b.getBuilder().getI64Type();
  if (type != i64)
    number = b.make<arith::ExtSIOp>(i64, id);
  Value first =
      toIndex(b.make<arith::RemUIOp>(number, b.intConstant(i64, slots)));
  Value slot = findInRing(b, first, slots, [&](Value slot) {
    Value key = loadKey(slot);
    key = choose(
        b, isEqual(b, key, getNoId()),
        [&] {
          Value row = findInserted(slot);
          return choose(
              b, isPlace(b, row), [&] { return loadInsertedId(row); },
              getNoId());
        },
        key);
    return b.orI(isEqual(b, key, id), isEqual(b, key, getNoId()));
  });
  return b.select(isEqual(b, id, getNoId()), b.index(-1), slot);
}

namespace {

/// One item: the ids one after another.
struct FindNewIdsModel
    : LoopKernelOpInterface::ExternalModel<FindNewIdsModel, FindNewIdsOp> {
  int64_t getNumItems(Operation *, const TargetCosts &) const { return 1; }
  int64_t getItemCost(Operation *op, const TargetCosts &) const {
    auto find = cast<FindNewIdsOp>(op);
    return find.getIds().getType().getNumElements() * kSearchCost +
           find.getType().getNumElements();
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &,
                 Value item, ValueRange operands, ValueRange results) const;
};

/// Elements or slots that one item has `size` of.
struct OrdinalPieces {
  int64_t size, count;

  OrdinalPieces(int64_t count, int64_t cost, const TargetCosts &costs)
      : size(std::clamp<int64_t>(costs.itemElements / cost, 1, count)),
        count(count) {}
  int64_t getNumItems() const { return llvm::divideCeil(count, size); }
  void forEach(const KernelBuilder &b, Value item,
               function_ref<void(Value)> body) const {
    Value begin = b.mul(item, size);
    b.forEach(begin, b.min(b.add(begin, size), count), body);
  }
};

/// An op of which each item is a piece of Model::getCount(op) elements or slots
/// that take `cost` operations each.
template <typename Model, typename Op, int64_t cost>
struct PiecesModel : LoopKernelOpInterface::ExternalModel<Model, Op> {
  static OrdinalPieces getPieces(Operation *op, const TargetCosts &costs) {
    return {Model::getCount(cast<Op>(op)), cost, costs};
  }
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    return getPieces(op, costs).getNumItems();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    return getPieces(op, costs).size * cost;
  }
};

struct LookupOrdinalsModel
    : PiecesModel<LookupOrdinalsModel, LookupOrdinalsOp, kSearchCost> {
  static int64_t getCount(LookupOrdinalsOp op) {
    return op.getType().getNumElements();
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

struct InsertOrdinalsModel
    : PiecesModel<InsertOrdinalsModel, InsertOrdinalsOp, kSlotCost> {
  static int64_t getCount(InsertOrdinalsOp op) {
    return op.getType().getDimSize(0);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

} // namespace

void FindNewIdsModel::buildItem(Operation *op, OpBuilder &builder,
                                const TargetCosts &, Value, ValueRange operands,
                                ValueRange results) const {
  auto find = cast<FindNewIdsOp>(op);
  KernelBuilder b(builder, op->getLoc());
  Value inserted = results[0], flat = b.flatten(inserted);
  Type i64 = builder.getI64Type();
  b.loop(find.getType().getNumElements(),
         [&](Value i) { b.store(b.intConstant(i64, 0), flat, i); });
  OrdinalTable ordinals(b, operands[0], operands[1], inserted);
  auto insert = [&](Value slot, Value position, Value number) {
    // There are as many rows as twice the ids.
    Value row = b.max(ordinals.findFreeRow(slot), 0);
    auto store = [&](Value value, int64_t column) {
      b.store(value, inserted, {row, b.index(column)});
    };
    store(b.make<arith::IndexCastOp>(i64, b.add(slot, 1)), 0);
    store(b.make<arith::IndexCastOp>(i64, position), 1);
    store(number, 2);
  };
  b.reduce(find.getIds().getType().getNumElements(), b.intConstant(i64, 0),
           [&](Value i, ValueRange count) -> SmallVector<Value> {
             Value slot = ordinals.findSlot(ordinals.loadId(i));
             Value safe = b.max(slot, 0);
             Value isFree = b.andI(isPlace(b, slot), ordinals.isFree(safe));
             Value no = b.intConstant(builder.getI1Type(), 0);
             Value isNew = choose(
                 b, isFree,
                 [&] { return isNoPlace(b, ordinals.findInserted(safe)); }, no);
             return {choose(
                 b, isNew,
                 [&] {
                   Value number = b.add(count[0], b.intConstant(i64, 1));
                   insert(safe, i, number);
                   return number;
                 },
                 count[0])};
           });
}

void LookupOrdinalsModel::buildItem(Operation *op, OpBuilder &builder,
                                    const TargetCosts &costs, Value item,
                                    ValueRange operands,
                                    ValueRange results) const {
  KernelBuilder b(builder, op->getLoc());
  OrdinalTable ordinals(b, operands[0], operands[2], operands[3]);
  Value result = b.flatten(results[0]);
  getPieces(op, costs).forEach(b, item, [&](Value i) {
    Value slot = ordinals.findSlot(ordinals.loadId(i));
    Value safe = b.max(slot, 0);
    Value ordinal = choose(
        b, ordinals.isFree(safe),
        [&] {
          Value row = ordinals.findInserted(safe);
          return b.select(
              isNoPlace(b, row), ordinals.getNoId(),
              ordinals.loadInsertedOrdinal(b.max(row, 0), operands[1]));
        },
        ordinals.loadOrdinal(safe));
    b.store(b.select(isNoPlace(b, slot), ordinals.getNoId(), ordinal), result,
            i);
  });
}

void InsertOrdinalsModel::buildItem(Operation *op, OpBuilder &builder,
                                    const TargetCosts &costs, Value item,
                                    ValueRange operands,
                                    ValueRange results) const {
  KernelBuilder b(builder, op->getLoc());
  OrdinalTable ordinals(b, operands[0], operands[2], operands[3]);
  getPieces(op, costs).forEach(b, item, [&](Value slot) {
    auto store = [&](Value value, int64_t column) {
      b.store(value, results[0], {slot, b.index(column)});
    };
    store(ordinals.loadKey(slot), 0);
    store(ordinals.loadOrdinal(slot), 1);
    b.branch(ordinals.isFree(slot), [&] {
      Value row = ordinals.findInserted(slot);
      b.branch(isPlace(b, row), [&] {
        store(ordinals.loadInsertedId(row), 0);
        store(ordinals.loadInsertedOrdinal(row, operands[1]), 1);
      });
    });
  });
}

void job::attachOrdinalModels(MLIRContext *context) {
  FindNewIdsOp::attachInterface<FindNewIdsModel>(*context);
  LookupOrdinalsOp::attachInterface<LookupOrdinalsModel>(*context);
  InsertOrdinalsOp::attachInterface<InsertOrdinalsModel>(*context);
}

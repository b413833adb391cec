//===- FuseColumnSums.cpp - Sums of columns with reductions of rows -------===//

#include "Epilogues.h"
#include "Launches.h"
#include "NewKernels.h"

#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSECOLUMNSUMS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Columns are a multiple of what a warp has in vectors of four.
static constexpr int64_t kColumnUnit = 128;
/// Rows of a part are a multiple of this, so that as many teams of a block
/// share them, and at most so many, so that no team sums more than 128.
static constexpr int64_t kRowUnit = 8, kMaxRows = 8 * 128;

//===----------------------------------------------------------------------===//
// The parts
//===----------------------------------------------------------------------===//

/// The parts of so many rows: about as many as there are multiprocessors, half
/// of the cores. None if there are too few rows, or no good divisor.
static std::optional<int64_t> chooseParts(int64_t rows) {
  int64_t wanted = job::kCUDACosts.cores / 2;
  for (int64_t parts = wanted; parts > wanted / 2; --parts)
    if (rows % (parts * kRowUnit) == 0 && rows / parts <= kMaxRows)
      return parts;
  return std::nullopt;
}

namespace {

/// Builds the body of a kernel that has the rows of another one in parts.
class RowsBuilder {
public:
  /// Builds at the end of a block.
  RowsBuilder(Block *block, Location loc, int64_t parts)
      : b(OpBuilder::atBlockEnd(block)), loc(loc), parts(parts) {}

  void map(Value from, Value to) { mapping.map(from, to); }
  /// Rebuilds a pass. Results without rows, which are sums of columns, start
  /// from `sums`.
  ValueRange buildPass(const KernelPass &pass, ArrayRef<Value> sums = {});
  /// A tensor of the other body, which a pass may have computed.
  Value getWhole(Value tensor);

  OpBuilder b;

private:
  Value splitRows(Value tensor, AffineMap map, unsigned rowLoop);
  AffineMap splitMap(AffineMap map, unsigned rowLoop, bool isSum);

  Location loc;
  const int64_t parts;
  /// Of tensors of the other body to tensors of the same shape.
  IRMapping mapping;
  /// Results of passes to those with parts, and the dimension of their rows.
  DenseMap<Value, std::pair<Value, unsigned>> results;
};

} // namespace

static unsigned getRowLoop(const KernelPass &pass) {
  return llvm::find(pass.dims, 0u) - pass.dims.begin();
}

/// The groups of dimensions where `place` stands for two.
static SmallVector<ReassociationIndices> groupDims(int64_t rank,
                                                   unsigned place) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (unsigned dim : llvm::seq<unsigned>(0, rank)) {
    groups.push_back({next++});
    if (dim == place)
      groups.back().push_back(next++);
  }
  return groups;
}

Value RowsBuilder::getWhole(Value tensor) {
  if (Value known = mapping.lookupOrNull(tensor))
    return known;
  if (auto result = results.find(tensor); result != results.end()) {
    auto type = cast<RankedTensorType>(tensor.getType());
    auto [value, place] = result->second;
    return tensor::CollapseShapeOp::create(b, loc, type, value,
                                           groupDims(type.getRank(), place));
  }
  Operation *op = tensor.getDefiningOp();
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, getWhole(operand));
  Value clone = b.clone(*op, operands)->getResult(0);
  mapping.map(tensor, clone);
  return clone;
}

/// A tensor with the parts of the rows in front of the rows.
Value RowsBuilder::splitRows(Value tensor, AffineMap map, unsigned rowLoop) {
  auto exprs = map.getResults();
  auto found = llvm::find(exprs, b.getAffineDimExpr(rowLoop));
  if (auto result = results.find(tensor); result != results.end())
    return result->second.first;
  if (found == exprs.end())
    return getWhole(tensor);
  unsigned place = found - exprs.begin();
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    Value init = splitRows(fill.getDpsInitOperand(0)->get(), map, rowLoop);
    Value value = getWhole(fill.getInputs()[0]);
    return linalg::FillOp::create(b, loc, value, init).getResult(0);
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[place] /= parts;
  shape.insert(shape.begin() + place, parts);
  if (tensor.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()),
      getWhole(tensor), groupDims(type.getRank(), place));
}

/// The parts are the first loop.
AffineMap RowsBuilder::splitMap(AffineMap map, unsigned rowLoop, bool isSum) {
  SmallVector<AffineExpr> exprs;
  if (isSum)
    exprs.push_back(b.getAffineDimExpr(0));
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && dim.getPosition() == rowLoop)
      exprs.push_back(b.getAffineDimExpr(0));
    exprs.push_back(dim ? b.getAffineDimExpr(dim.getPosition() + 1) : expr);
  }
  return AffineMap::get(map.getNumDims() + 1, 0, exprs, b.getContext());
}

ValueRange RowsBuilder::buildPass(const KernelPass &pass,
                                  ArrayRef<Value> sums) {
  linalg::GenericOp op = pass.op;
  unsigned rowLoop = getRowLoop(pass);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    inputs.push_back(splitRows(operand->get(), map, rowLoop));
    maps.push_back(splitMap(map, rowLoop, /*isSum=*/false));
  }
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    maps.push_back(splitMap(map, rowLoop, !sums.empty()));
    if (sums.empty()) {
      inits.push_back(splitRows(operand.get(), map, rowLoop));
      continue;
    }
    auto fill = operand.get().getDefiningOp<linalg::FillOp>();
    inits.push_back(linalg::FillOp::create(b, loc,
                                           getWhole(fill.getInputs()[0]),
                                           sums[inits.size()])
                        .getResult(0));
  }
  SmallVector<utils::IteratorType> iterators{utils::IteratorType::parallel};
  llvm::append_range(iterators, op.getIteratorTypesArray());
  auto generic = linalg::GenericOp::create(b, op.getLoc(), TypeRange(inits),
                                           inputs, inits, maps, iterators);
  IRMapping regions;
  op.getRegion().cloneInto(&generic.getRegion(), regions);
  for (auto [from, to, init] : llvm::zip_equal(
           op.getResults(), generic.getResults(), op.getDpsInitsMutable())) {
    auto exprs = op.getMatchingIndexingMap(&init).getResults();
    auto found = llvm::find(exprs, b.getAffineDimExpr(rowLoop));
    if (found != exprs.end())
      results[from] = {to, static_cast<unsigned>(found - exprs.begin())};
  }
  return generic.getResults();
}

//===----------------------------------------------------------------------===//
// What to fuse
//===----------------------------------------------------------------------===//

namespace {

class ColumnSumFuser {
public:
  explicit ColumnSumFuser(ModuleOp module)
      : module(module), nests(symbols), table(symbols.getSymbolTable(module)) {}

  /// Returns the number of dispatches that joined another one.
  int64_t run();

private:
  bool isFree(DispatchOp dispatch);
  bool fuse(DispatchOp sums);
  bool canFuse(DispatchOp sums, DispatchOp rows);
  void build(DispatchOp sums, DispatchOp rows, int64_t parts);
  ExecutableOp buildJoin(DispatchOp sums, ArrayRef<MemRefType> types);

  ModuleOp module;
  SymbolTableCollection symbols;
  KernelNests nests;
  SymbolTable &table;
  /// Those of dispatches that are fused.
  llvm::SetVector<Operation *> kernels;
};

struct PlanFuseColumnSums
    : public plan::impl::PlanFuseColumnSumsBase<PlanFuseColumnSums> {
  void runOnOperation() override {
    int64_t fused = ColumnSumFuser(getOperation()).run();
    numFused += fused;
    if (fused == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace

/// Whether a kernel is compiled for its operands alone, and its body is that of
/// elements at any row.
bool ColumnSumFuser::isFree(DispatchOp dispatch) {
  const KernelNest *nest = nests.lookup(dispatch);
  ExecutableOp executable = nests.getExecutable(dispatch);
  return nest && nest->getRank() == 2 && nest->scalars.empty() &&
         !nest->rowDim && !dispatch.getChecks() && !dispatch.getEpilogue() &&
         !dispatch.getJoined() && executable.getVariants().empty() &&
         getTarget(dispatch) == job::kCUDATarget &&
         llvm::all_of(nest->passes, [](const KernelPass &pass) {
           linalg::GenericOp op = pass.op;
           return pass.hasDim(0) && !op.hasIndexSemantics();
         });
}

/// Whether a kernel computes sums of columns only, each from a fill of a buffer
/// of one dimension.
static bool isSumOfColumns(const KernelNest &nest) {
  return !nest.isItem.test(0) && nest.isItem.test(1) &&
         llvm::all_of(nest.passes, [](const KernelPass &pass) {
           linalg::GenericOp op = pass.op;
           return pass.dims.size() == 2 &&
                  llvm::all_of(
                      pass.inputs,
                      [](const KernelInput &input) { return !input.item; }) &&
                  llvm::all_of(pass.outputs, [&](const KernelOutput &output) {
                    unsigned number = output.result.getResultNumber();
                    auto fill = op.getDpsInits()[number]
                                    .getDefiningOp<linalg::FillOp>();
                    return output.reduction && output.destination && fill &&
                           isa<BlockArgument>(
                               fill.getDpsInitOperand(0)->get()) &&
                           output.result.hasOneUse() &&
                           isa<func::ReturnOp>(*output.result.user_begin());
                  });
         });
}

/// Whether a kernel reduces rows and has all rows as items.
static bool reducesRows(const KernelNest &nest) {
  return nest.isItem.test(0) && !nest.isItem.test(1) &&
         llvm::any_of(nest.passes, [](const KernelPass &pass) {
           return llvm::any_of(pass.outputs, [](const KernelOutput &output) {
             return output.reduction.has_value();
           });
         });
}

/// Whether the kernel of `rows` can compute the sums of another one: it reads
/// all that the sums are computed from.
bool ColumnSumFuser::canFuse(DispatchOp sums, DispatchOp rows) {
  if (!isFree(rows))
    return false;
  const KernelNest &sumsNest = *nests.lookup(sums),
                   &rowsNest = *nests.lookup(rows);
  if (!reducesRows(rowsNest) || sumsNest.extents != rowsNest.extents)
    return false;
  auto written = cast<PlanCommandOpInterface>(*rows).getWrittenOperands();
  for (const KernelPass &pass : sumsNest.passes)
    for (const KernelInput &input : pass.inputs) {
      Value buffer = sums->getOperand(input.access.argument);
      auto operands = rows->getOperands();
      auto found = llvm::find(operands, buffer);
      if (found == operands.end())
        return false;
      KernelAccess access = input.access;
      access.argument = found - operands.begin();
      auto isRead = [&](const KernelPass &other) {
        return llvm::any_of(other.inputs, [&](const KernelInput &read) {
          return !read.item && read.access == access;
        });
      };
      if (!rowsNest.isRead(access.argument) ||
          llvm::none_of(rowsNest.passes, isRead))
        return false;
      // What else the kernel writes is no part of it.
      for (OpOperand *operand : written)
        if (operand->get() != buffer &&
            getBufferRoot(operand->get()) == getBufferRoot(buffer))
          return false;
    }
  return llvm::none_of(sums.getOuts(), [&](Value result) {
    return llvm::any_of(rows->getOperands(), [&](Value buffer) {
      return getBufferRoot(buffer) == getBufferRoot(result);
    });
  });
}

bool ColumnSumFuser::fuse(DispatchOp sums) {
  if (!isFree(sums) || !sums.getInouts().empty() ||
      !isSumOfColumns(*nests.lookup(sums)))
    return false;
  ArrayRef<int64_t> extents = nests.lookup(sums)->extents;
  std::optional<int64_t> parts = chooseParts(extents[0]);
  if (!parts || extents[1] % kColumnUnit != 0)
    return false;
  auto command = cast<PlanCommandOpInterface>(*sums);
  CommandConflicts conflicts(symbols);
  for (Operation *op = sums->getNextNode(); op; op = op->getNextNode()) {
    auto other = dyn_cast<PlanCommandOpInterface>(op);
    if (!other && op->getNumRegions() == 0)
      continue;
    if (!isa<DispatchOp, CallOp, CopyOp, FillOp>(op) ||
        other.getQueue() != command.getQueue())
      return false;
    if (auto rows = dyn_cast<DispatchOp>(op); rows && canFuse(sums, rows)) {
      build(sums, rows, *parts);
      return true;
    }
    if (conflicts.mayConflict(command, other))
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The new kernels
//===----------------------------------------------------------------------===//

/// The kernel that adds the sums of all parts.
ExecutableOp ColumnSumFuser::buildJoin(DispatchOp sums,
                                       ArrayRef<MemRefType> types) {
  ExecutableOp kernel = nests.getExecutable(sums);
  const KernelNest &nest = *nests.lookup(sums);
  SmallVector<Type> arguments;
  for (MemRefType type : types)
    arguments.push_back(getTensorType(type));
  llvm::append_range(arguments, getTensorTypes(sums.getOuts()));
  func::FuncOp body =
      startKernel(table, kernel, "_join", arguments, types.size());
  OpBuilder b = OpBuilder::atBlockEnd(&body.getBody().front());
  Location loc = kernel.getLoc();
  SmallVector<Value> results(types.size());
  unsigned firstResult = sums.getIns().size();
  for (const KernelPass &pass : nest.passes)
    for (const KernelOutput &output : pass.outputs) {
      unsigned number = output.destination->argument - firstResult;
      results[number] =
          reduceColumns(b, loc, *output.reduction, body.getArgument(number),
                        body.getArgument(types.size() + number));
    }
  func::ReturnOp::create(b, loc, results);
  return cast<ExecutableOp>(body->getParentOp());
}

void ColumnSumFuser::build(DispatchOp sums, DispatchOp rows, int64_t parts) {
  if (auto remark =
          job::explainDone(sums.getLoc(), job::ExplainCategory::Kernels,
                           sums->getParentOfType<ProgramOp>().getSymName()))
    remark << "is computed by the kernel of "
           << cast<PlanCommandOpInterface>(*rows).getTitle() << ", in "
           << std::to_string(parts) << " parts, and a second stage";
  ExecutableOp sumsKernel = nests.getExecutable(sums),
               rowsKernel = nests.getExecutable(rows);
  const KernelNest &sumsNest = *nests.lookup(sums),
                   &rowsNest = *nests.lookup(rows);
  OpBuilder b(rows);
  Location loc = rows.getLoc();

  // The sums of the parts, one buffer for each result.
  SpaceAttr arena =
      SpaceAttr::get(b.getContext(), getDevice(rows), SpaceRole::Arena);
  SmallVector<MemRefType> types;
  SmallVector<Value> partial;
  for (Value result : sums.getOuts()) {
    auto type = cast<MemRefType>(result.getType());
    SmallVector<int64_t> shape{parts};
    llvm::append_range(shape, type.getShape());
    types.push_back(MemRefType::get(shape, type.getElementType()));
    partial.push_back(AllocOp::create(b, loc,
                                      getBufferType(types.back(), arena),
                                      /*offset=*/nullptr));
  }

  func::FuncOp from = rowsKernel.getBody();
  SmallVector<Type> arguments(from.getArgumentTypes());
  for (MemRefType type : types)
    arguments.push_back(getTensorType(type));
  func::FuncOp body = startKernel(table, rowsKernel, "_sums", arguments,
                                  from.getResultTypes().size() + types.size());
  RowsBuilder builder(&body.getBody().front(), rowsKernel.getLoc(), parts);
  // First the sums, whose operands the other passes may write.
  func::FuncOp sumsBody = sumsKernel.getBody();
  for (auto [number, buffer] : llvm::enumerate(sums.getIns()))
    builder.map(sumsBody.getArgument(number),
                body.getArgument(llvm::find(rows->getOperands(), buffer) -
                                 rows->operand_begin()));
  SmallVector<Value> sumResults(types.size());
  unsigned firstResult = sums.getIns().size(),
           firstPartial = from.getNumArguments();
  for (const KernelPass &pass : sumsNest.passes) {
    SmallVector<Value> inits;
    for (const KernelOutput &output : pass.outputs)
      inits.push_back(body.getArgument(firstPartial - firstResult +
                                       output.destination->argument));
    for (auto [output, value] :
         llvm::zip_equal(pass.outputs, builder.buildPass(pass, inits)))
      sumResults[output.destination->argument - firstResult] = value;
  }
  for (BlockArgument argument : from.getArguments())
    builder.map(argument, body.getArgument(argument.getArgNumber()));
  for (const KernelPass &pass : rowsNest.passes)
    builder.buildPass(pass);
  SmallVector<Value> results;
  for (Value result : from.getBody().front().getTerminator()->getOperands())
    results.push_back(builder.getWhole(result));
  llvm::append_range(results, sumResults);
  func::ReturnOp::create(builder.b, rowsKernel.getLoc(), results);

  ExecutableOp join = buildJoin(sums, types);
  auto count = [](DispatchOp dispatch) {
    return cast<PlanCommandOpInterface>(*dispatch).getOperationCount();
  };
  auto dispatch = [&](ExecutableOp kernel, int64_t flops, ValueRange ins,
                      ValueRange inouts, ValueRange outs, Location loc) {
    DispatchOp::create(b, loc, FlatSymbolRefAttr::get(kernel.getSymNameAttr()),
                       b.getI64IntegerAttr(flops), ins, inouts, outs,
                       /*scalars=*/nullptr, /*checks=*/nullptr,
                       /*epilogue=*/nullptr, /*joined=*/nullptr,
                       rows.getQueueAttr());
  };
  SmallVector<Value> outs(rows.getOuts());
  llvm::append_range(outs, partial);
  dispatch(cast<ExecutableOp>(body->getParentOp()), count(sums) + count(rows),
           rows.getIns(), rows.getInouts(), outs, loc);
  int64_t joined = 0;
  for (MemRefType type : types)
    joined += type.getNumElements();
  dispatch(join, joined, partial, {}, sums.getOuts(), sums.getLoc());
  kernels.insert(sumsKernel);
  kernels.insert(rowsKernel);
  sums.erase();
  rows.erase();
}

int64_t ColumnSumFuser::run() {
  int64_t fused = 0;
  for (auto program : module.getOps<ProgramOp>()) {
    SmallVector<DispatchOp> dispatches = getOpsOfProgram<DispatchOp>(program);
    for (DispatchOp dispatch : llvm::reverse(dispatches))
      fused += fuse(dispatch);
  }
  SymbolUserMap remaining(symbols, module);
  for (Operation *kernel : kernels)
    if (remaining.useEmpty(kernel))
      table.erase(kernel);
  return fused;
}

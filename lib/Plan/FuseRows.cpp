//===- FuseRows.cpp - Small matrix products with kernels of their rows ----===//
//
// A small matrix product and the kernels around it that compute row by row
// (a dropout before it, a loss behind it, the product that is the gradient of
// its operand, the mask of a relu) are a chain of launches that compute little.
// One kernel computes them all: its items are the rows.
//
// Each command becomes a body on whole buffers, with its rows as the first loop
// of every pass. The passes of all are those of the new kernel, whose rules
// (KernelNest.h) decide what may be in one.
//
//===----------------------------------------------------------------------===//

#include "Epilogues.h"
#include "Launches.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"
#include "jobrt/calls/matmul.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSEROWS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Bytes of its second factor that a product may read for each row: about as
/// many as a multiprocessor reads while a kernel starts.
static constexpr int64_t kMaxFactorBytes = 64 << 10;
/// Commands after a product that are looked at.
static constexpr int64_t kMaxDistance = 32;

//===----------------------------------------------------------------------===//
// Bodies of commands
//===----------------------------------------------------------------------===//

namespace {

/// A command, and the body of a kernel that computes it row by row.
struct Member {
  ~Member() {
    if (sums && sums.use_empty())
      sums.erase();
  }

  Operation *command;
  /// For each argument of the body the buffer that it reads, or null, and the
  /// one that it writes, or null: operands of the command.
  SmallVector<Value> sources, targets;
  /// A buffer of the arena that only the new kernel has: the sums of a product
  /// before they are rounded.
  AllocOp sums;
  /// The body of a product, which is in no executable.
  OwningOpRef<func::FuncOp> product;
  std::optional<KernelNest> productNest;
  /// The body of any command.
  func::FuncOp body;
  const KernelNest *nest;
  /// Results of the only pass, by number, that are sums over the rows of
  /// another result, and that one: they stay behind.
  SmallVector<std::pair<unsigned, unsigned>> columnSums;
};

} // namespace

static jobrt::calls::CublasLtMatMul getProduct(CallOp call) {
  auto attr = dyn_cast<CublasLtMatMulAttr>(call.getConfigAttr());
  return attr ? attr.getConfig() : jobrt::calls::CublasLtMatMul{.m = 0};
}

/// Whether a call is a product of rows that a kernel may compute as well.
static bool isSmallProduct(CallOp call) {
  jobrt::calls::CublasLtMatMul config = getProduct(call);
  if (config.m == 0 || config.batch != 1 || config.transpose_a || config.beta ||
      call.getChecked() ||
      (config.epilogue != int64_t(jobrt::calls::Epilogue::kNone) &&
       config.epilogue != int64_t(jobrt::calls::Epilogue::kBias)))
    return false;
  int64_t bytes = getElementBytes(call.getIns()[0].getType());
  return config.n <= kMaxFactorBytes / bytes / config.k &&
         config.m * config.n * config.k * bytes <= job::kCUDACosts.launchBytes;
}

static Type getElement(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getElementType();
}

/// A value in f32: sums have this type.
static Value widen(OpBuilder &b, Location loc, Value value) {
  Type f32 = b.getF32Type();
  return value.getType() == f32
             ? value
             : arith::ExtFOp::create(b, loc, f32, value).getResult();
}

/// A kernel's body that computes a small product. With `sums`, the type of its
/// sums, these are a further result.
static OwningOpRef<func::FuncOp> buildProduct(CallOp call, Type sums) {
  jobrt::calls::CublasLtMatMul config = getProduct(call);
  OpBuilder b(call.getContext());
  Location loc = call.getLoc();
  SmallVector<Type> types;
  for (Value buffer : llvm::concat<Value>(SmallVector<Value>(call.getIns()),
                                          SmallVector<Value>(call.getOuts()))) {
    auto type = cast<MemRefType>(buffer.getType());
    types.push_back(
        RankedTensorType::get(type.getShape(), type.getElementType()));
  }
  size_t numIns = types.size() - 1;
  if (sums)
    types.push_back(sums);
  auto body = func::FuncOp::create(
      b, loc, kBodyName,
      b.getFunctionType(types, ArrayRef(types).drop_front(numIns)));
  b.setInsertionPointToEnd(body.addEntryBlock());
  Value a = body.getArgument(0), factor = body.getArgument(1),
        out = body.getArgument(numIns), sum = body.getArguments().back();
  // Neighbouring threads have neighbours of the longer of the two dimensions.
  bool isDeep = config.k >= config.n;
  AffineExpr row = b.getAffineDimExpr(0),
             column = b.getAffineDimExpr(isDeep ? 1 : 2),
             depth = b.getAffineDimExpr(isDeep ? 2 : 1);
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(3, 0, exprs, b.getContext());
  };
  using utils::IteratorType;
  SmallVector<IteratorType> iterators(3, IteratorType::parallel);
  iterators[isDeep ? 2 : 1] = IteratorType::reduction;
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  Value init = linalg::FillOp::create(b, loc, zero, sum).getResult(0);
  SmallVector<Value> results{
      linalg::GenericOp::create(
          b, loc, sum.getType(), ValueRange{a, factor}, init,
          {map({row, depth}),
           config.transpose_b ? map({column, depth}) : map({depth, column}),
           map({row, column})},
          iterators,
          [&](OpBuilder &inner, Location, ValueRange elements) {
            Value term = arith::MulFOp::create(inner, loc,
                                               widen(inner, loc, elements[0]),
                                               widen(inner, loc, elements[1]));
            linalg::YieldOp::create(
                inner, loc,
                arith::AddFOp::create(inner, loc, elements[2], term)
                    .getResult());
          })
          .getResult(0)};
  bool hasBias = config.epilogue == int64_t(jobrt::calls::Epilogue::kBias);
  if (hasBias || sums) {
    AffineMap all = b.getMultiDimIdentityMap(2);
    SmallVector<Value> inputs{results.front()};
    SmallVector<AffineMap> maps{all};
    if (hasBias) {
      inputs.push_back(body.getArgument(2));
      maps.push_back(AffineMap::get(2, 0, b.getAffineDimExpr(1)));
    }
    maps.push_back(all);
    auto rounded = linalg::GenericOp::create(
        b, loc, out.getType(), inputs, out, maps,
        SmallVector<IteratorType>(2, IteratorType::parallel),
        [&](OpBuilder &inner, Location, ValueRange elements) {
          Value value = elements[0];
          if (hasBias)
            value = arith::AddFOp::create(inner, loc, value,
                                          widen(inner, loc, elements[1]));
          if (sums)
            value = arith::TruncFOp::create(inner, loc, getElement(out), value);
          linalg::YieldOp::create(inner, loc, value);
        });
    results.insert(results.begin(), rounded.getResult(0));
    results.resize(sums ? 2 : 1);
  }
  func::ReturnOp::create(b, loc, results);
  return body;
}

/// The results of a kernel's only pass that are sums over the rows of another
/// of its results; none if some are other reductions.
static std::optional<SmallVector<std::pair<unsigned, unsigned>>>
findColumnSums(const KernelNest &nest) {
  SmallVector<std::pair<unsigned, unsigned>> found;
  if (nest.passes.size() != 1 || nest.getRank() < 2)
    return std::nullopt;
  const KernelPass &pass = nest.passes.front();
  linalg::GenericOp op = pass.op;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if ((type == utils::IteratorType::reduction) != (pass.dims[loop] == 0))
      return std::nullopt;
  for (auto [number, output] : llvm::enumerate(pass.outputs)) {
    if (!output.reduction)
      continue;
    const KernelReduction &reduction = *output.reduction;
    const auto *other =
        llvm::find_if(pass.outputs, [&](const KernelOutput &rows) {
          return !rows.reduction && rows.destination &&
                 llvm::is_contained(reduction.combiner->getOperands(),
                                    rows.yielded);
        });
    if (other == pass.outputs.end() || !output.destination)
      return std::nullopt;
    found.push_back({number, other - pass.outputs.begin()});
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The new body
//===----------------------------------------------------------------------===//

namespace {

/// How a group uses a buffer.
struct BufferUse {
  bool isFirstRead = false, isWritten = false;
};

/// Builds the body of the kernel that computes the rows of some members.
class RowsBuilder {
public:
  RowsBuilder(ArrayRef<const Member *> members, int64_t rows)
      : members(members), rows(rows) {}

  /// Builds the body at the end of a block. Fails if some command does not
  /// compute row by row what it computes from buffers that others write.
  FailureOr<func::FuncOp> build(OpBuilder &b, Location loc);

  /// The operands of the kernel, in the order of its arguments.
  SmallVector<Value> ins, inouts, outs;

private:
  void classify();
  LogicalResult buildPass(const Member &member, const KernelPass &pass);
  FailureOr<AffineMap> getMap(const Member &member, const KernelPass &pass,
                              const KernelAccess &access, Value buffer);
  Value getWhole(Value tensor, IRMapping &mapping);
  /// Whether the rows of the member are a part of its first dimension, and of
  /// how many elements each is then.
  static int64_t getRowSize(const Member &member, int64_t rows) {
    int64_t extent = member.nest->extents[0];
    return member.nest->getRank() == 1 && extent != rows ? extent / rows : 1;
  }

  ArrayRef<const Member *> members;
  const int64_t rows;
  llvm::MapVector<Value, BufferUse> uses;
  OpBuilder *b = nullptr;
  /// The argument that a buffer is, and what is in it now.
  DenseMap<Value, Value> arguments, current;
  /// Of values of the member's body to those of the new one.
  IRMapping mapping;
  /// The arguments that passes of the member have written.
  llvm::SmallBitVector changed;
};

} // namespace

void RowsBuilder::classify() {
  for (const Member *member : members)
    for (auto [source, target] :
         llvm::zip_equal(member->sources, member->targets)) {
      if (source)
        uses.insert({source, {/*isFirstRead=*/true, /*isWritten=*/false}});
      if (target)
        uses.insert({target, {}}).first->second.isWritten = true;
    }
  for (auto [buffer, use] : uses)
    (!use.isWritten ? ins : use.isFirstRead ? inouts : outs).push_back(buffer);
}

/// The indexing map of an access on the whole buffer. One that the group writes
/// has the rows as its first dimension.
FailureOr<AffineMap> RowsBuilder::getMap(const Member &member,
                                         const KernelPass &pass,
                                         const KernelAccess &access,
                                         Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t rowSize = getRowSize(member, rows);
  // The loops of the new pass with their extents and strides.
  SmallVector<std::array<int64_t, 3>> loops;
  for (auto [loop, dim] : llvm::enumerate(pass.dims)) {
    int64_t extent = member.nest->extents[dim], stride = access.strides[dim];
    auto number = static_cast<int64_t>(loop);
    if (rowSize > 1) {
      loops.push_back({0, rows, stride * rowSize});
      loops.push_back({1, rowSize, stride});
    } else {
      loops.push_back({number, extent, stride});
    }
  }
  if (access.offset != 0)
    return failure();
  SmallVector<AffineExpr> exprs;
  int64_t stride = 1;
  for (int64_t extent : llvm::reverse(type.getShape())) {
    auto *found = llvm::find_if(loops, [&](const auto &loop) {
      return extent > 1 && loop[1] == extent && loop[2] == stride;
    });
    if (found == loops.end()) {
      if (extent > 1)
        return failure();
      exprs.push_back(b->getAffineConstantExpr(0));
    } else {
      exprs.push_back(b->getAffineDimExpr((*found)[0]));
      loops.erase(found);
    }
    stride *= extent;
  }
  std::reverse(exprs.begin(), exprs.end());
  // Loops that move nothing are left.
  if (llvm::any_of(
          loops, [](const auto &loop) { return loop[1] > 1 && loop[2] != 0; }))
    return failure();
  unsigned rowLoop =
      rowSize > 1 ? 0 : llvm::find(pass.dims, 0u) - pass.dims.begin();
  if (uses.lookup(buffer).isWritten &&
      (exprs.empty() || exprs.front() != b->getAffineDimExpr(rowLoop)))
    return failure();
  return AffineMap::get(rowSize > 1 ? 2 : pass.dims.size(), 0, exprs,
                        b->getContext());
}

/// A tensor of the member's body that is in no buffer.
Value RowsBuilder::getWhole(Value tensor, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  for (Value operand : op->getOperands())
    if (!getWhole(operand, mapping))
      return {};
  b->clone(*op, mapping);
  return mapping.lookup(tensor);
}

LogicalResult RowsBuilder::buildPass(const Member &member,
                                     const KernelPass &pass) {
  linalg::GenericOp op = pass.op;
  Location loc = op.getLoc();
  int64_t rowSize = getRowSize(member, rows);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(operand);
    const auto *input =
        llvm::find_if(pass.inputs, [&](const KernelInput &input) {
          return input.element == element;
        });
    if (input == pass.inputs.end() || input->item) {
      // The value of an item may be in a buffer of another shape now.
      Value tensor = getWhole(operand->get(), mapping);
      if (!tensor || tensor.getType() != operand->get().getType() ||
          rowSize > 1)
        return failure();
      inputs.push_back(tensor);
      maps.push_back(op.getMatchingIndexingMap(operand));
      continue;
    }
    // What an earlier pass has put in the place of an argument is in its
    // target.
    unsigned argument = input->access.argument;
    Value buffer = changed.test(argument) ? member.targets[argument]
                                          : member.sources[argument];
    FailureOr<AffineMap> map = getMap(member, pass, input->access, buffer);
    if (failed(map))
      return failure();
    inputs.push_back(current.lookup(buffer));
    maps.push_back(*map);
  }
  SmallVector<unsigned> kept;
  for (auto [number, output] : llvm::enumerate(pass.outputs)) {
    if (llvm::any_of(member.columnSums,
                     [&](auto sum) { return sum.first == number; }))
      continue;
    kept.push_back(number);
    OpOperand *init = op.getDpsInitOperand(number);
    auto fill = init->get().getDefiningOp<linalg::FillOp>();
    if (!output.destination) {
      Value tensor = getWhole(init->get(), mapping);
      if (!tensor || rowSize > 1)
        return failure();
      inits.push_back(tensor);
      maps.push_back(op.getMatchingIndexingMap(init));
      continue;
    }
    Value buffer = member.targets[output.destination->argument];
    FailureOr<AffineMap> map =
        getMap(member, pass, *output.destination, buffer);
    if (failed(map))
      return failure();
    Value whole = arguments.lookup(buffer);
    if (fill) {
      Value value = getWhole(fill.getInputs()[0], mapping);
      whole = linalg::FillOp::create(*b, loc, value, whole).getResult(0);
    }
    inits.push_back(whole);
    maps.push_back(*map);
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (rowSize > 1)
    iterators.push_back(utils::IteratorType::parallel);
  // Without the sums no pass reduces rows.
  if (!member.columnSums.empty())
    llvm::fill(iterators, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(*b, loc, TypeRange(inits), inputs,
                                           inits, maps, iterators);
  IRMapping inner;
  op.getRegion().cloneInto(&generic.getRegion(), inner);
  Block &block = generic.getRegion().front();
  Operation *yield = block.getTerminator();
  SmallVector<Value> yielded;
  for (unsigned number : kept)
    yielded.push_back(yield->getOperand(number));
  yield->setOperands(yielded);
  if (!member.columnSums.empty()) {
    // What combines the sums has no other use.
    for (auto [number, rowsOf] : member.columnSums) {
      Operation *combiner =
          inner.lookup(pass.outputs[number].reduction->combiner);
      if (!combiner->use_empty())
        return failure();
      combiner->erase();
    }
    unsigned numInputs = inputs.size();
    for (auto [number, rowsOf] : llvm::reverse(member.columnSums))
      block.eraseArgument(numInputs + number);
  }
  if (rowSize > 1)
    for (auto index :
         llvm::make_early_inc_range(block.getOps<linalg::IndexOp>())) {
      OpBuilder at(index);
      Value row = linalg::IndexOp::create(at, loc, 0),
            place = linalg::IndexOp::create(at, loc, 1),
            size = arith::ConstantIndexOp::create(at, loc, rowSize);
      Value begin = arith::MulIOp::create(at, loc, row, size);
      index.replaceAllUsesWith(
          arith::AddIOp::create(at, loc, begin, place).getResult());
      index.erase();
    }
  for (auto [number, value] : llvm::zip_equal(kept, generic.getResults())) {
    const KernelOutput &output = pass.outputs[number];
    mapping.map(output.result, value);
    if (!output.destination)
      continue;
    unsigned argument = output.destination->argument;
    current[member.targets[argument]] = value;
    changed.set(argument);
  }
  return success();
}

FailureOr<func::FuncOp> RowsBuilder::build(OpBuilder &builder, Location loc) {
  b = &builder;
  classify();
  SmallVector<Type> types;
  SmallVector<Value> operands;
  for (ArrayRef<Value> kind : {ArrayRef(ins), ArrayRef(inouts), ArrayRef(outs)})
    llvm::append_range(operands, kind);
  for (Value buffer : operands) {
    auto type = cast<MemRefType>(buffer.getType());
    types.push_back(
        RankedTensorType::get(type.getShape(), type.getElementType()));
  }
  auto body = func::FuncOp::create(
      *b, loc, kBodyName,
      b->getFunctionType(types, ArrayRef(types).drop_front(ins.size())));
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPointToEnd(body.addEntryBlock());
  for (auto [buffer, argument] : llvm::zip_equal(operands, body.getArguments()))
    arguments[buffer] = current[buffer] = argument;
  for (const Member *member : members) {
    mapping.clear();
    // What results that are in no buffer start from.
    func::FuncOp source = member->body;
    for (auto [number, target] : llvm::enumerate(member->targets))
      if (target)
        mapping.map(source.getArgument(number), arguments.lookup(target));
    changed.clear();
    changed.resize(member->targets.size());
    for (const KernelPass &pass : member->nest->passes)
      if (failed(buildPass(*member, pass)))
        return failure();
  }
  SmallVector<Value> results;
  for (Value buffer : ArrayRef(operands).drop_front(ins.size()))
    results.push_back(current.lookup(buffer));
  func::ReturnOp::create(*b, loc, results);
  return body;
}

//===----------------------------------------------------------------------===//
// What to fuse
//===----------------------------------------------------------------------===//

namespace {

class RowFuser {
public:
  explicit RowFuser(ModuleOp module)
      : module(module), nests(symbols), table(symbols.getSymbolTable(module)) {}

  /// Returns the number of commands that are in kernels with others.
  int64_t run();

private:
  std::unique_ptr<Member> getMember(Operation *op, int64_t rows);
  std::unique_ptr<Member> getProductMember(CallOp call);
  std::unique_ptr<Member> getKernelMember(DispatchOp dispatch, int64_t rows);
  int64_t fuse(CallOp product);
  bool accesses(Operation *op, ArrayRef<Value> buffers, bool isWrite);
  bool mayConflict(const Member &member, Operation *other);
  bool moveResults(Member &member, ArrayRef<Operation *> skipped);
  void settleResults(Member &member, bool isFused);
  bool mayFuse(ArrayRef<const Member *> members, int64_t rows);
  FailureOr<func::FuncOp> buildBody(RowsBuilder &builder, OpBuilder &b,
                                    int64_t rows, Location loc);
  void replace(ArrayRef<const Member *> members, CallOp product, int64_t rows);
  SmallVector<Value> getColumnSums(const Member &member);
  void buildColumnSums(const Member &member, OpBuilder &at);

  ModuleOp module;
  SymbolTableCollection symbols;
  KernelNests nests;
  SymbolTable &table;
  /// Those of dispatches that are fused.
  llvm::SetVector<Operation *> kernels;
  /// Commands that are in kernels with others, and no more.
  llvm::DenseSet<Operation *> erased;
};

struct PlanFuseRows : public plan::impl::PlanFuseRowsBase<PlanFuseRows> {
  void runOnOperation() override {
    int64_t fused = RowFuser(getOperation()).run();
    numFused += fused;
    if (fused == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace

std::unique_ptr<Member> RowFuser::getProductMember(CallOp call) {
  if (!isSmallProduct(call))
    return {};
  auto member = std::make_unique<Member>();
  Value out = call.getOuts().front();
  Type sums;
  if (Type f32 = Float32Type::get(call.getContext()); getElement(out) != f32) {
    auto type = cast<MemRefType>(out.getType());
    sums = RankedTensorType::get(type.getShape(), f32);
    OpBuilder b(call);
    SpaceAttr arena =
        SpaceAttr::get(b.getContext(), getDevice(call), SpaceRole::Arena);
    member->sums = AllocOp::create(
        b, call.getLoc(),
        getBufferType(MemRefType::get(type.getShape(), f32), arena),
        /*offset=*/nullptr);
  }
  member->product = buildProduct(call, sums);
  member->body = *member->product;
  FailureOr<KernelNest> nest = KernelNest::get(member->body);
  if (failed(nest))
    return {};
  member->productNest = std::move(*nest);
  member->nest = &*member->productNest;
  llvm::append_range(member->sources, call.getIns());
  member->targets.resize(call.getIns().size());
  member->targets.push_back(out);
  if (sums)
    member->targets.push_back(member->sums);
  member->sources.resize(member->targets.size());
  return member;
}

std::unique_ptr<Member> RowFuser::getKernelMember(DispatchOp dispatch,
                                                  int64_t rows) {
  const KernelNest *nest = nests.lookup(dispatch);
  ExecutableOp executable = nests.getExecutable(dispatch);
  if (!nest || nest->rowDim || !nest->scalars.empty() || nest->getRank() == 0 ||
      dispatch.getChecks() || dispatch.getEpilogue() || dispatch.getJoined() ||
      !executable.getVariants().empty())
    return {};
  job::OpCost cost = job::getOpCost(dispatch);
  int64_t limit = job::kCUDACosts.launchBytes;
  if (cost.bytesRead + cost.bytesWritten > limit || cost.flops > limit)
    return {};
  auto member = std::make_unique<Member>();
  // Every pass has the rows, as items or in one dimension with what is in them.
  int64_t extent = nest->extents[0];
  bool isFlat = nest->getRank() == 1 && nest->passes.size() == 1 &&
                nest->isItem.test(0) && extent % rows == 0;
  if (!isFlat) {
    if (extent != rows ||
        !llvm::all_of(nest->passes,
                      [](const KernelPass &pass) { return pass.hasDim(0); }))
      return {};
    if (!nest->isItem.test(0)) {
      auto sums = findColumnSums(*nest);
      if (!sums || sums->size() == nest->passes.front().outputs.size())
        return {};
      member->columnSums = std::move(*sums);
    }
  }
  member->body = executable.getBody();
  member->nest = nest;
  llvm::append_range(member->sources, dispatch.getIns());
  llvm::append_range(member->sources, dispatch.getInouts());
  member->sources.resize(dispatch->getNumOperands());
  member->targets.resize(dispatch.getIns().size());
  llvm::append_range(member->targets, dispatch.getInouts());
  llvm::append_range(member->targets, dispatch.getOuts());
  return member;
}

/// A command on a GPU that may be computed row by row.
std::unique_ptr<Member> RowFuser::getMember(Operation *op, int64_t rows) {
  if (getTarget(cast<PlanCommandOpInterface>(op)) != job::kCUDATarget)
    return {};
  std::unique_ptr<Member> member;
  if (auto call = dyn_cast<CallOp>(op)) {
    if (getProduct(call).m == rows)
      member = getProductMember(call);
  } else if (auto dispatch = dyn_cast<DispatchOp>(op)) {
    member = getKernelMember(dispatch, rows);
  }
  if (!member)
    return {};
  member->command = op;
  // The sums stay behind, in a kernel of their own.
  for (auto [number, rowsOf] : member->columnSums) {
    unsigned argument =
        member->nest->passes.front().outputs[number].destination->argument;
    member->targets[argument] = {};
  }
  return member;
}

/// Whether a command reads or writes bytes of one of some buffers.
bool RowFuser::accesses(Operation *op, ArrayRef<Value> buffers, bool isWrite) {
  SmallVector<OpOperand *> written =
      cast<PlanCommandOpInterface>(op).getWrittenOperands();
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isa<MemRefType>(operand.get().getType()) &&
           (!isWrite || llvm::is_contained(written, &operand)) &&
           llvm::any_of(buffers, [&](Value buffer) {
             return buffer && mayOverlap(buffer, operand.get(), symbols);
           });
  });
}

/// Whether a kernel with a member and another command have to stay in order. A
/// kernel needs no workspace of a call.
bool RowFuser::mayConflict(const Member &member, Operation *other) {
  return accesses(other, member.sources, /*isWrite=*/true) ||
         accesses(other, member.targets, /*isWrite=*/false);
}

/// The buffers of the sums that stay behind.
SmallVector<Value> RowFuser::getColumnSums(const Member &member) {
  return llvm::map_to_vector(member.columnSums, [&](auto sum) {
    const KernelOutput &output = member.nest->passes.front().outputs[sum.first];
    return member.command->getOperand(output.destination->argument);
  });
}

/// Whether all users of a buffer of the arena are commands beside it, to which
/// it may be another one.
static bool isFree(AllocOp buffer) {
  return !buffer.getOffset() &&
         llvm::all_of(buffer->getUsers(), [&](Operation *user) {
           return isa<PlanCommandOpInterface>(user) &&
                  user->getBlock() == buffer->getBlock();
         });
}

/// Gives a member, which is to run before some commands, buffers of its own for
/// what it writes over operands of theirs. Returns whether it may then.
bool RowFuser::moveResults(Member &member, ArrayRef<Operation *> skipped) {
  for (auto [source, target] :
       llvm::zip_equal(member.sources, member.targets)) {
    auto buffer = target ? target.getDefiningOp<AllocOp>() : AllocOp();
    if (source == target && buffer && isFree(buffer) &&
        llvm::any_of(skipped, [&](Operation *other) {
          return accesses(other, target, /*isWrite=*/false);
        })) {
      OpBuilder b(member.command);
      target = cast<AllocOp>(b.clone(*buffer)).getResult();
    }
  }
  if (llvm::none_of(skipped, [&](Operation *other) {
        return mayConflict(member, other);
      }))
    return true;
  settleResults(member, /*isFused=*/false);
  return false;
}

/// Makes later commands read the buffers of its own that a member has, or
/// removes these if it stays as it is.
void RowFuser::settleResults(Member &member, bool isFused) {
  for (auto [source, target] :
       llvm::zip_equal(member.sources, member.targets)) {
    if (!source || !target || source == target)
      continue;
    if (isFused)
      source.replaceUsesWithIf(target, [&](OpOperand &use) {
        return member.command->isBeforeInBlock(use.getOwner());
      });
    else
      target.getDefiningOp()->erase();
  }
}

/// Whether one kernel can compute some commands.
bool RowFuser::mayFuse(ArrayRef<const Member *> members, int64_t rows) {
  // Buffers of one place have to be one operand.
  llvm::MapVector<Value, bool> buffers;
  for (const Member *member : members)
    for (auto [source, target] :
         llvm::zip_equal(member->sources, member->targets)) {
      if (source)
        buffers.insert({source, false});
      if (target)
        buffers[target] = true;
    }
  for (auto [a, isWritten] : buffers)
    for (auto [other, isOtherWritten] : buffers)
      if (a != other && (isWritten || isOtherWritten) &&
          mayOverlap(a, other, symbols))
        return false;
  OpBuilder b(module.getContext());
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(b, module.getLoc());
  b.setInsertionPointToEnd(scratch->getBody());
  RowsBuilder builder(members, rows);
  return succeeded(buildBody(builder, b, rows, module.getLoc()));
}

/// The body, if it obeys the rules of kernels and its items are the rows.
FailureOr<func::FuncOp> RowFuser::buildBody(RowsBuilder &builder, OpBuilder &b,
                                            int64_t rows, Location loc) {
  FailureOr<func::FuncOp> body = builder.build(b, loc);
  if (failed(body))
    return failure();
  // What it does not obey is no error of the text.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<KernelNest> nest = KernelNest::get(*body);
  if (failed(nest) || nest->rowDim || nest->extents[0] != rows ||
      nest->isItem.find_first() != 0 || nest->isItem.count() != 1)
    return failure();
  for (unsigned argument : llvm::seq<unsigned>(
           builder.ins.size(), builder.ins.size() + builder.inouts.size()))
    if (!nest->isUpdatedInPlace(argument))
      return failure();
  return body;
}

//===----------------------------------------------------------------------===//
// The new commands
//===----------------------------------------------------------------------===//

/// Adds up the columns of what the new kernel writes.
void RowFuser::buildColumnSums(const Member &member, OpBuilder &at) {
  auto dispatch = cast<DispatchOp>(member.command);
  const KernelPass &pass = member.nest->passes.front();
  ExecutableOp like = nests.getExecutable(dispatch);
  Location loc = dispatch.getLoc();
  for (auto [number, rowsOf] : member.columnSums) {
    const KernelOutput &sum = pass.outputs[number],
                       &term = pass.outputs[rowsOf];
    Value terms = member.targets[term.destination->argument],
          out = dispatch->getOperand(sum.destination->argument);
    OpBuilder b(like);
    auto executable =
        ExecutableOp::create(b, loc, (like.getSymName() + "_columns").str());
    table.insert(executable);
    b.setInsertionPointToStart(&executable.getRegion().emplaceBlock());
    SmallVector<Type> types;
    for (Value buffer : {terms, out}) {
      auto type = cast<MemRefType>(buffer.getType());
      types.push_back(
          RankedTensorType::get(type.getShape(), type.getElementType()));
    }
    auto body = func::FuncOp::create(b, loc, kBodyName,
                                     b.getFunctionType(types, types.back()));
    b.setInsertionPointToEnd(body.addEntryBlock());
    int64_t rank = cast<RankedTensorType>(types[0]).getRank();
    const KernelReduction &reduction = *sum.reduction;
    Value initial = arith::ConstantOp::create(b, loc, reduction.initial);
    Value init = linalg::FillOp::create(b, loc, initial, body.getArgument(1))
                     .getResult(0);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    iterators[0] = utils::IteratorType::reduction;
    SmallVector<AffineExpr> columns;
    for (int64_t dim : llvm::seq<int64_t>(1, rank))
      columns.push_back(b.getAffineDimExpr(dim));
    auto generic = linalg::GenericOp::create(
        b, loc, types[1], body.getArgument(0), init,
        {b.getMultiDimIdentityMap(rank),
         AffineMap::get(rank, 0, columns, b.getContext())},
        iterators, [&](OpBuilder &inner, Location, ValueRange elements) {
          IRMapping operands;
          for (Value operand : reduction.combiner->getOperands())
            operands.map(operand, operand == reduction.accumulator
                                      ? elements[1]
                                      : elements[0]);
          Operation *combined = inner.clone(*reduction.combiner, operands);
          linalg::YieldOp::create(inner, loc, combined->getResults());
        });
    func::ReturnOp::create(b, loc, generic.getResults());
    DispatchOp::create(
        at, loc, FlatSymbolRefAttr::get(executable.getSymNameAttr()),
        b.getI64IntegerAttr(cast<RankedTensorType>(types[0]).getNumElements()),
        terms, /*inouts=*/ValueRange(), out, /*scalars=*/nullptr,
        /*checks=*/nullptr, /*epilogue=*/nullptr, /*joined=*/nullptr,
        dispatch.getQueueAttr());
  }
}

/// Puts one dispatch in the place of a product, for the commands of all
/// members.
void RowFuser::replace(ArrayRef<const Member *> members, CallOp product,
                       int64_t rows) {
  SmallVector<Location> locs;
  int64_t flops = 0;
  for (const Member *member : members) {
    locs.push_back(member->command->getLoc());
    flops += cast<PlanCommandOpInterface>(member->command).getOperationCount();
    for (ArrayRef<Value> buffers :
         {ArrayRef(member->sources), ArrayRef(member->targets)})
      for (Value buffer : buffers)
        if (buffer)
          defineBefore(buffer, product);
  }
  OpBuilder b(module.getContext());
  Location loc = b.getFusedLoc(locs);
  if (auto remark =
          job::explainDone(product.getLoc(), job::ExplainCategory::Kernels,
                           product->getParentOfType<ProgramOp>().getSymName()))
    remark << "is computed by one kernel with "
           << std::to_string(members.size() - 1) << " other commands, "
           << std::to_string(rows) << " rows one by one";
  b.setInsertionPointToEnd(module.getBody());
  std::string name = "rows";
  for (const Member *member : members)
    if (auto dispatch = dyn_cast<DispatchOp>(member->command)) {
      name = (dispatch.getKernel() + "_rows").str();
      b.setInsertionPoint(nests.getExecutable(dispatch));
      break;
    }
  auto executable = ExecutableOp::create(b, loc, name);
  table.insert(executable);
  b.setInsertionPointToStart(&executable.getRegion().emplaceBlock());
  RowsBuilder builder(members, rows);
  FailureOr<func::FuncOp> body = buildBody(builder, b, rows, loc);
  assert(succeeded(body) && "it has been tried");
  (void)body;
  b.setInsertionPoint(product);
  auto fused = DispatchOp::create(
      b, loc, FlatSymbolRefAttr::get(executable.getSymNameAttr()),
      b.getI64IntegerAttr(flops), builder.ins, builder.inouts, builder.outs,
      /*scalars=*/nullptr, /*checks=*/nullptr,
      /*epilogue=*/nullptr, /*joined=*/nullptr, product.getQueueAttr());
  for (const Member *member : members) {
    // Where the member was, or behind what it is computed by now.
    if (!member->columnSums.empty()) {
      if (member->command->isBeforeInBlock(fused))
        b.setInsertionPointAfter(fused);
      else
        b.setInsertionPoint(member->command);
      buildColumnSums(*member, b);
    }
    if (auto dispatch = dyn_cast<DispatchOp>(member->command))
      kernels.insert(nests.getExecutable(dispatch));
    Value workspace;
    if (auto call = dyn_cast<CallOp>(member->command))
      workspace = call.getWorkspace();
    erased.insert(member->command);
    member->command->erase();
    if (workspace && workspace.use_empty())
      workspace.getDefiningOp()->erase();
  }
}

/// Fuses a product with what computes its rows before and after it. Returns how
/// many commands are in the new kernel.
int64_t RowFuser::fuse(CallOp product) {
  int64_t rows = getProduct(product).m;
  std::vector<std::unique_ptr<Member>> members;
  members.push_back(getMember(product, rows));
  if (!members.front())
    return 0;
  auto queue = cast<PlanCommandOpInterface>(*product).getQueue();
  auto isTied = [](Operation *op) {
    auto dispatch = dyn_cast_if_present<DispatchOp>(op);
    return dispatch && (dispatch.getEpilogue() || dispatch.getJoined());
  };
  auto getRefs = [&] {
    return llvm::map_to_vector(members, [](const auto &member) {
      return (const Member *)member.get();
    });
  };
  for (bool isAfter : {true, false}) {
    SmallVector<Operation *> skipped;
    Operation *op = product;
    for (int64_t distance = 0; distance < kMaxDistance;) {
      op = isAfter ? op->getNextNode() : op->getPrevNode();
      if (!op || op->getNumRegions() > 0)
        break;
      auto command = dyn_cast<PlanCommandOpInterface>(op);
      if (!command)
        continue;
      if (!isa<DispatchOp, CallOp, CopyOp, FillOp>(op) ||
          command.getQueue() != queue || isTied(op))
        break;
      ++distance;
      // It accesses what a member writes, or the other way round, and may move
      // past what is between them.
      std::unique_ptr<Member> member;
      if (llvm::any_of(members, [&](const auto &other) {
            return mayConflict(*other, op);
          }))
        member = getMember(op, rows);
      bool isMoved = false;
      if (member && llvm::any_of(skipped, [&](Operation *other) {
            return mayConflict(*member, other);
          })) {
        isMoved = isAfter && moveResults(*member, skipped);
        if (!isMoved)
          member.reset();
      }
      // Sums of columns are there behind the product only.
      if (member && !isAfter && llvm::any_of(skipped, [&](Operation *other) {
            return accesses(other, getColumnSums(*member), /*isWrite=*/false);
          }))
        member.reset();
      if (!member) {
        skipped.push_back(op);
        continue;
      }
      auto place = isAfter ? members.end() : members.begin();
      auto added = members.insert(place, std::move(member));
      bool isFused = mayFuse(getRefs(), rows);
      if (isMoved)
        settleResults(**added, isFused);
      if (!isFused) {
        members.erase(added);
        skipped.push_back(op);
      }
    }
  }
  if (members.size() < 2)
    return 0;
  replace(getRefs(), product, rows);
  return members.size();
}

int64_t RowFuser::run() {
  int64_t fused = 0;
  for (auto program : module.getOps<ProgramOp>())
    for (CallOp call : getOpsOfProgram<CallOp>(program))
      if (!erased.contains(call))
        fused += fuse(call);
  SymbolUserMap remaining(symbols, module);
  for (Operation *kernel : kernels)
    if (remaining.useEmpty(kernel))
      table.erase(kernel);
  return fused;
}

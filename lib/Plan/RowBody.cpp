//===- RowBody.cpp - Commands as bodies that go row by row ----------------===//
//
// Each command becomes passes on whole buffers, with its rows as the first
// loop.
//
//===----------------------------------------------------------------------===//

#include "RowBody.h"

#include "Epilogues.h"
#include "NewKernels.h"

#include "JobDialect/Support/Targets.h"
#include "jobrt/calls/matmul.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::plan;

/// Bytes of its second factor that a product may read for each row: about as
/// many as a multiprocessor reads while a kernel starts.
static constexpr int64_t kMaxFactorBytes = 64 << 10;

//===----------------------------------------------------------------------===//
// Bodies of commands
//===----------------------------------------------------------------------===//

static jobrt::calls::CublasLtMatMul getProduct(CallOp call) {
  auto attr = dyn_cast<CublasLtMatMulAttr>(call.getConfigAttr());
  return attr ? attr.getConfig() : jobrt::calls::CublasLtMatMul{.m = 0};
}

/// Whether the buffers of a product without an epilogue, or with that of a
/// bias, are matrices of its shapes. A person may have written others, which
/// plan-verify refuses unless they have the same number of elements.
static bool areMatrices(CallOp call,
                        const jobrt::calls::CublasLtMatMul &config) {
  auto has = [](Value buffer, ArrayRef<int64_t> shape) {
    return cast<MemRefType>(buffer.getType()).getShape() == shape;
  };
  bool hasBias = config.epilogue == int64_t(jobrt::calls::Epilogue::kBias);
  OperandRange ins = call.getIns(), outs = call.getOuts();
  return ins.size() == (hasBias ? 3 : 2) && outs.size() == 1 &&
         has(ins[0], {config.m, config.k}) &&
         (config.transpose_b ? has(ins[1], {config.n, config.k})
                             : has(ins[1], {config.k, config.n})) &&
         (!hasBias || has(ins[2], {config.n})) &&
         has(outs[0], {config.m, config.n});
}

std::optional<int64_t> plan::getRowsOfSmallProduct(CallOp call) {
  jobrt::calls::CublasLtMatMul config = getProduct(call);
  if (config.m == 0 || config.batch != 1 || config.transpose_a || config.beta ||
      call.getChecked() ||
      (config.epilogue != int64_t(jobrt::calls::Epilogue::kNone) &&
       config.epilogue != int64_t(jobrt::calls::Epilogue::kBias)) ||
      !areMatrices(call, config))
    return std::nullopt;
  int64_t bytes = getElementBytes(call.getIns()[0].getType());
  if (config.n > kMaxFactorBytes / bytes / config.k ||
      config.m * config.n * config.k * bytes > job::kCUDACosts.launchBytes)
    return std::nullopt;
  return config.m;
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

OwningOpRef<func::FuncOp> plan::buildProduct(CallOp call, Type sums) {
  jobrt::calls::CublasLtMatMul config = getProduct(call);
  OpBuilder b(call.getContext());
  Location loc = call.getLoc();
  SmallVector<Type> types = getTensorTypes(call.getIns());
  size_t numIns = types.size();
  types.push_back(getTensorType(call.getOuts().front().getType()));
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

std::optional<SmallVector<std::pair<unsigned, unsigned>>>
plan::findColumnSums(const KernelNest &nest) {
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
    // The columns of the sums are those of the terms, in order.
    const KernelAccess &sums = *output.destination,
                       &terms = *other->destination;
    ArrayRef<int64_t> columns =
        nest.arguments[terms.argument].getShape().drop_front();
    if (nest.arguments[sums.argument].getShape() != columns ||
        sums.offset != 0 || terms.offset != 0 ||
        ArrayRef(sums.strides).drop_front() !=
            ArrayRef(terms.strides).drop_front())
      return std::nullopt;
    found.push_back({number, other - pass.outputs.begin()});
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The new body
//===----------------------------------------------------------------------===//

void RowBodyBuilder::classify() {
  for (const RowMember *member : members)
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
FailureOr<AffineMap> RowBodyBuilder::getMap(const RowMember &member,
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
      return loop[1] == extent && (extent == 1 || loop[2] == stride);
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
Value RowBodyBuilder::getWhole(Value tensor) {
  if (Value known = mapping.lookupOrNull(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  for (Value operand : op->getOperands())
    if (!getWhole(operand))
      return {};
  b->clone(*op, mapping);
  return mapping.lookup(tensor);
}

LogicalResult RowBodyBuilder::buildPass(const RowMember &member,
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
      Value tensor = getWhole(operand->get());
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
      Value tensor = getWhole(init->get());
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
      Value value = getWhole(fill.getInputs()[0]);
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
  // Each loop has its extent from an operand.
  llvm::SmallBitVector hasExtent(iterators.size());
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        hasExtent.set(loop.getPosition());
  if (!hasExtent.all())
    return failure();
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

FailureOr<func::FuncOp> RowBodyBuilder::build(OpBuilder &builder,
                                              Location loc) {
  b = &builder;
  classify();
  SmallVector<Value> operands;
  for (ArrayRef<Value> kind : {ArrayRef(ins), ArrayRef(inouts), ArrayRef(outs)})
    llvm::append_range(operands, kind);
  SmallVector<Type> types = getTensorTypes(operands);
  auto body = func::FuncOp::create(
      *b, loc, kBodyName,
      b->getFunctionType(types, ArrayRef(types).drop_front(ins.size())));
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPointToEnd(body.addEntryBlock());
  for (auto [buffer, argument] : llvm::zip_equal(operands, body.getArguments()))
    arguments[buffer] = current[buffer] = argument;
  for (const RowMember *member : members) {
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

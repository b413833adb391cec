//===- ImportKernel.cpp - Kernels that users write as ops -----------------===//

#include "JobDialect/Conversion/LinalgToJob.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Indices are counted in i64.
static Type getElementType(Type type) {
  return isa<IndexType>(type) ? IntegerType::get(type.getContext(), 64) : type;
}

BlobType job::getBlobType(RankedTensorType type,
                          function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape.push_back(1);
  return BlobType::getChecked(emitError, shape,
                              getElementType(type.getElementType()));
}

static LogicalResult getBlobTypes(func::FuncOp kernel, TypeRange types,
                                  StringRef what,
                                  SmallVectorImpl<Type> &blobs) {
  for (auto [index, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return kernel.emitError() << "expects " << what << " " << index
                                << " to be a tensor but got " << type;
    BlobType blob = getBlobType(tensor, [&, index = index] {
      return kernel.emitError() << what << " " << index << " ";
    });
    if (!blob)
      return failure();
    blobs.push_back(blob);
  }
  return success();
}

LogicalResult job::getKernelTypes(func::FuncOp kernel,
                                  SmallVectorImpl<Type> &inputs,
                                  SmallVectorImpl<Type> &outputs) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError()
           << "expects a function with a body of one block but got "
           << kernel.getBody().getBlocks().size() << " blocks";
  return failure(
      failed(
          getBlobTypes(kernel, kernel.getArgumentTypes(), "input", inputs)) ||
      failed(getBlobTypes(kernel, kernel.getResultTypes(), "output", outputs)));
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

namespace {

/// An operation of arith or math and the op with its meaning, whose operands
/// and result have one type.
struct Elementwise {
  StringLiteral name, job;
};

} // namespace

static constexpr Elementwise kElementwise[] = {
    {"arith.addf", "job.add"},
    {"arith.addi", "job.add"},
    {"arith.subf", "job.sub"},
    {"arith.subi", "job.sub"},
    {"arith.mulf", "job.mul"},
    {"arith.muli", "job.mul"},
    {"arith.divf", "job.div"},
    {"arith.negf", "job.neg"},
    {"arith.maximumf", "job.maximum"},
    {"arith.maxsi", "job.maximum"},
    {"arith.minimumf", "job.minimum"},
    {"arith.minsi", "job.minimum"},
    {"arith.floordivsi", "job.floor_div"},
    {"arith.andi", "job.logical_and"},
    {"arith.ori", "job.logical_or"},
    {"math.absf", "job.abs"},
    {"math.absi", "job.abs"},
    {"math.exp", "job.exp"},
    {"math.expm1", "job.expm1"},
    {"math.log", "job.log"},
    {"math.log1p", "job.log1p"},
    {"math.sqrt", "job.sqrt"},
    {"math.rsqrt", "job.rsqrt"},
    {"math.cos", "job.cos"},
    {"math.sin", "job.sin"},
    {"math.tan", "job.tan"},
    {"math.acos", "job.acos"},
    {"math.asin", "job.asin"},
    {"math.atan", "job.atan"},
    {"math.atan2", "job.atan2"},
    {"math.powf", "job.pow"},
    {"math.cosh", "job.cosh"},
    {"math.sinh", "job.sinh"},
    {"math.tanh", "job.tanh"},
    {"math.acosh", "job.acosh"},
    {"math.asinh", "job.asinh"},
    {"math.atanh", "job.atanh"},
    {"math.erf", "job.erf"},
    {"math.erfc", "job.erfc"},
    {"math.floor", "job.floor"},
    {"math.ceil", "job.ceil"},
    {"math.roundeven", "job.round"}};

static StringRef findElementwise(Operation *op) {
  for (const Elementwise &each : kElementwise)
    if (op->getName().getStringRef() == each.name)
      return each.job;
  return {};
}

/// Comparisons that are false for NaN, and `une`.
static std::optional<ComparePredicate> convert(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return ComparePredicate::EQ;
  case arith::CmpFPredicate::UNE:
    return ComparePredicate::NE;
  case arith::CmpFPredicate::OLT:
    return ComparePredicate::LT;
  case arith::CmpFPredicate::OLE:
    return ComparePredicate::LE;
  case arith::CmpFPredicate::OGT:
    return ComparePredicate::GT;
  case arith::CmpFPredicate::OGE:
    return ComparePredicate::GE;
  default:
    return std::nullopt;
  }
}

static std::optional<ComparePredicate> convert(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return ComparePredicate::EQ;
  case arith::CmpIPredicate::ne:
    return ComparePredicate::NE;
  case arith::CmpIPredicate::slt:
    return ComparePredicate::LT;
  case arith::CmpIPredicate::sle:
    return ComparePredicate::LE;
  case arith::CmpIPredicate::sgt:
    return ComparePredicate::GT;
  case arith::CmpIPredicate::sge:
    return ComparePredicate::GE;
  default:
    return std::nullopt;
  }
}

/// Whether job.cast has the meaning of a conversion: an i1 is 0 or 1 there, and
/// one to i1 is `x != 0`.
static bool isCast(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
           arith::FPToSIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
           arith::IndexCastOp>(op))
    return false;
  Type from = getElementTypeOrSelf(op->getOperand(0)),
       to = getElementTypeOrSelf(op->getResult(0));
  return !to.isInteger(1) &&
         from.isInteger(1) == isa<arith::UIToFPOp, arith::ExtUIOp>(op);
}

//===----------------------------------------------------------------------===//
// KernelImporter
//===----------------------------------------------------------------------===//

namespace {

class KernelImporter {
public:
  KernelImporter(OpBuilder &builder, std::optional<Location> loc)
      : builder(builder), loc(loc) {}

  LogicalResult run(func::FuncOp kernel, ValueRange operands,
                    SmallVectorImpl<Value> &results);

private:
  using Shape = ArrayRef<int64_t>;

  Location getLoc(Operation *op) const { return loc ? *loc : op->getLoc(); }
  BlobType getType(Value value, Shape shape) {
    return BlobType::get(shape,
                         getElementType(getElementTypeOrSelf(value.getType())));
  }

  FailureOr<Value> getBlob(Operation *user, Value value, Shape shape);
  LogicalResult importOp(Operation *op);
  LogicalResult importElementwise(Operation *op, Shape shape);
  LogicalResult importGeneric(linalg::GenericOp op);
  FailureOr<Value> importReduction(linalg::GenericOp op, unsigned number,
                                   ArrayRef<int64_t> axes, Shape domain);
  FailureOr<Value> getInDomain(linalg::GenericOp op, OpOperand &operand,
                               Shape domain);
  Value buildTranspose(Location loc, Value blob, ArrayRef<int64_t> permutation);
  Value buildReduction(Operation *combiner, Value operand,
                       ArrayRef<int64_t> axes);

  OpBuilder &builder;
  std::optional<Location> loc;
  /// The blobs of tensors, and, while the body of a structured operation is
  /// imported, of its scalars, one element for each point of the domain.
  DenseMap<Value, Value> blobs;
};

} // namespace

static LogicalResult emitUnknown(Operation *op) {
  return op->emitError()
         << "expects an operation of linalg, tensor, arith or "
            "math that an op of the job dialect has the meaning "
            "of but got '"
         << op->getName() << "'";
}

/// A constant scalar stands for all elements.
FailureOr<Value> KernelImporter::getBlob(Operation *user, Value value,
                                         Shape shape) {
  if (Value blob = blobs.lookup(value))
    return blob;
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (constant && !isa<TensorType>(value.getType())) {
    Type element = getElementType(value.getType());
    Attribute number = constant.getValue();
    if (auto integer = dyn_cast<IntegerAttr>(number))
      number =
          builder.getIntegerAttr(element, integer.getValue().getSExtValue());
    auto type = RankedTensorType::get(shape, element);
    return Value(ConstantOp::create(builder, getLoc(user),
                                    DenseElementsAttr::get(type, number)));
  }
  Operation *definition = value.getDefiningOp();
  return user->emitError()
         << "expects an operand with elements but got the result of '"
         << (definition ? definition->getName().getStringRef() : "func.func")
         << "'";
}

LogicalResult KernelImporter::importElementwise(Operation *op, Shape shape) {
  if (isa<arith::ConstantOp>(op))
    return success(); // Where it is used.
  std::optional<ComparePredicate> predicate;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    predicate = convert(compare.getPredicate());
  else if (auto compare = dyn_cast<arith::CmpIOp>(op))
    predicate = convert(compare.getPredicate());
  StringRef name = findElementwise(op);
  Type element = op->getNumOperands()
                     ? getElementTypeOrSelf(op->getOperand(0).getType())
                     : Type();
  // Of i1 there are logic and selections, and of integers no bits.
  bool isLogic = isa<arith::AndIOp, arith::OrIOp>(op);
  if (!name.empty() ? isLogic != element.isInteger(1)
                    : (predicate && element.isInteger(1)))
    return emitUnknown(op);
  if (name.empty() && !predicate && !isa<arith::SelectOp>(op) && !isCast(op))
    return emitUnknown(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> blob = getBlob(op, operand, shape);
    if (failed(blob))
      return failure();
    operands.push_back(*blob);
  }
  Location at = getLoc(op);
  Value result;
  if (!name.empty()) {
    OperationState state(at, name);
    state.addOperands(operands);
    state.addTypes(operands.front().getType());
    result = builder.create(state)->getResult(0);
  } else if (predicate) {
    result =
        CompareOp::create(builder, at, *predicate, operands[0], operands[1]);
  } else if (isa<arith::SelectOp>(op)) {
    result = SelectOp::create(builder, at, operands[1].getType(), operands[0],
                              operands[1], operands[2]);
  } else {
    result = CastOp::create(
        builder, at,
        getType(op->getResult(0),
                cast<BlobType>(operands.front().getType()).getShape()),
        operands.front());
  }
  blobs[op->getResult(0)] = result;
  return success();
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

Value KernelImporter::buildTranspose(Location at, Value blob,
                                     ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return blob;
  return TransposeOp::create(builder, at, blob, permutation);
}

/// An operand of a structured operation, one element for each point.
FailureOr<Value> KernelImporter::getInDomain(linalg::GenericOp op,
                                             OpOperand &operand, Shape domain) {
  FailureOr<Value> blob = getBlob(op, operand.get(), domain);
  if (failed(blob) || !isa<TensorType>(operand.get().getType()))
    return blob;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation())
    return op.emitError()
           << "expects indexing maps whose results are different "
              "dimensions but got "
           << AffineMapAttr::get(map);
  SmallVector<int64_t> dims, order;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
    order.push_back(index);
  }
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  llvm::sort(dims);
  if (dims.empty())
    dims.push_back(0); // The only element of a blob of shape `1`.
  Location at = getLoc(op);
  Value value = buildTranspose(at, *blob, order);
  auto type = cast<BlobType>(value.getType());
  if (type.getShape() == domain)
    return value;
  return Value(BroadcastInDimOp::create(
      builder, at, BlobType::get(domain, type.getElementType()), value, dims));
}

Value KernelImporter::buildReduction(Operation *combiner, Value operand,
                                     ArrayRef<int64_t> axes) {
  Location at = getLoc(combiner);
  return llvm::TypeSwitch<Operation *, Value>(combiner)
      .Case<arith::AddFOp, arith::AddIOp>(
          [&](auto) { return ReduceSumOp::create(builder, at, operand, axes); })
      .Case<arith::MulFOp, arith::MulIOp>([&](auto) {
        return ReduceProdOp::create(builder, at, operand, axes);
      })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [&](auto) { return ReduceMaxOp::create(builder, at, operand, axes); })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [&](auto) { return ReduceMinOp::create(builder, at, operand, axes); })
      .Default([](Operation *) { return Value(); });
}

/// Whether combining with `value` changes no number.
static bool isIdentity(Operation *combiner, Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType())) {
    APFloat number = elements.getSplatValue<APFloat>();
    if (isa<arith::AddFOp>(combiner))
      return number.isZero();
    if (isa<arith::MulFOp>(combiner))
      return number.isExactlyValue(1.0);
    return number.isInfinity() &&
           number.isNegative() == isa<arith::MaximumFOp>(combiner);
  }
  APInt number = elements.getSplatValue<APInt>();
  if (isa<arith::AddIOp>(combiner))
    return number.isZero();
  if (isa<arith::MulIOp>(combiner))
    return number.isOne();
  return isa<arith::MaxSIOp>(combiner) ? number.isMinSignedValue()
                                       : number.isMaxSignedValue();
}

/// The reduction of result `number`, from what its body combines with the
/// output, and the output itself.
FailureOr<Value> KernelImporter::importReduction(linalg::GenericOp op,
                                                 unsigned number,
                                                 ArrayRef<int64_t> axes,
                                                 Shape domain) {
  Value yielded = op.getBody()->getTerminator()->getOperand(number);
  BlockArgument sum = op.getRegionOutputArgs()[number];
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !sum.hasOneUse() ||
      *sum.user_begin() != combiner || !yielded.hasOneUse())
    return op.emitError() << "expects output " << number
                          << " to be a sum, product, maximum or minimum of it "
                             "and a term but got another body";
  Value term = combiner->getOperand(combiner->getOperand(0) == sum ? 1 : 0);
  FailureOr<Value> terms = getBlob(combiner, term, domain);
  if (failed(terms))
    return failure();
  Value reduced = buildReduction(combiner, *terms, axes);
  if (!reduced)
    return combiner->emitError() << "expects a reduction by a sum, product, "
                                    "maximum or minimum but got '"
                                 << combiner->getName() << "'";
  return reduced;
}

LogicalResult KernelImporter::importGeneric(linalg::GenericOp op) {
  SmallVector<int64_t> domain = op.getStaticLoopRanges(), axes;
  if (llvm::any_of(domain, ShapedType::isDynamic))
    return op.emitError() << "expects tensors of static shape but got "
                          << op.getOperandTypes();
  bool isScalar = domain.empty();
  if (isScalar)
    domain.push_back(1);
  for (auto [dim, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::reduction)
      axes.push_back(dim);
  Location at = getLoc(op);
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty() || (op.isDpsInit(&operand) && !axes.empty()))
      continue;
    FailureOr<Value> blob = getInDomain(op, operand, domain);
    if (failed(blob))
      return failure();
    blobs[argument] = *blob;
  }
  for (Operation &each : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(each)) {
      blobs[index] =
          IotaOp::create(builder, at, getType(index, domain), index.getDim());
      continue;
    }
    // The reduction combines with the output.
    if (!axes.empty() && llvm::any_of(each.getOperands(), [&](Value value) {
          return llvm::is_contained(op.getRegionOutputArgs(), value);
        }))
      continue;
    if (failed(importElementwise(&each, domain)))
      return failure();
  }
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    AffineMap map = op.getIndexingMapMatchingResult(result);
    SmallVector<int64_t> kept;
    for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
      if (!llvm::is_contained(axes, dim))
        kept.push_back(dim);
    SmallVector<int64_t> permutation;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      auto it = dim ? llvm::find(kept, dim.getPosition()) : kept.end();
      if (it != kept.end())
        permutation.push_back(it - kept.begin());
    }
    if (permutation.size() != map.getNumResults() ||
        permutation.size() != kept.size())
      return op.emitError() << "expects an output with the dimensions that are "
                               "not reduced, in any order, but got "
                            << AffineMapAttr::get(map);
    if (axes.empty()) {
      FailureOr<Value> value = getBlob(
          op, op.getBody()->getTerminator()->getOperand(number), domain);
      if (failed(value))
        return failure();
      blobs[result] =
          isScalar ? *value : buildTranspose(at, *value, permutation);
      continue;
    }
    FailureOr<Value> reduced = importReduction(op, number, axes, domain);
    if (failed(reduced))
      return failure();
    Value init = op.getDpsInits()[number];
    FailureOr<Value> first = getBlob(op, init, getType(init, {1}).getShape());
    if (failed(first))
      return failure();
    Value value = buildTranspose(at, *reduced, permutation);
    Operation *combiner =
        op.getBody()->getTerminator()->getOperand(number).getDefiningOp();
    if (!isIdentity(combiner, *first)) {
      OperationState state(getLoc(combiner), findElementwise(combiner));
      state.addOperands({*first, value});
      state.addTypes(value.getType());
      value = builder.create(state)->getResult(0);
    }
    blobs[result] = value;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Other operations on tensors
//===----------------------------------------------------------------------===//

LogicalResult KernelImporter::importOp(Operation *op) {
  for (Value result : op->getResults())
    if (auto tensor = dyn_cast<RankedTensorType>(result.getType());
        tensor && !getBlobType(tensor, [&] { return op->emitError(); }))
      return failure();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return importGeneric(generic);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!type)
      return success();
    if (!elements || isa<IndexType>(type.getElementType()))
      return emitUnknown(op);
    if (type.getRank() == 0)
      elements = elements.reshape(type.clone({1}));
    blobs[constant] = ConstantOp::create(builder, getLoc(op), elements);
    return success();
  }
  if (isa<tensor::EmptyOp>(op))
    return success();
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    FailureOr<Value> blob = getBlob(op, op->getOperand(0), {1});
    if (failed(blob))
      return failure();
    Value result = op->getResult(0);
    BlobType type = getBlobType(cast<RankedTensorType>(result.getType()),
                                [&] { return op->emitError(); });
    blobs[result] = ReshapeOp::create(builder, getLoc(op), type, *blob);
    return success();
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    auto isStatic = [](ArrayRef<int64_t> numbers) {
      return llvm::none_of(numbers, ShapedType::isDynamic);
    };
    if (!isStatic(slice.getStaticOffsets()) ||
        !isStatic(slice.getStaticSizes()) ||
        !isStatic(slice.getStaticStrides()) ||
        llvm::any_of(slice.getStaticStrides(),
                     [](int64_t stride) { return stride <= 0; }) ||
        slice.getSourceType().getRank() == 0)
      return emitUnknown(op);
    FailureOr<Value> blob = getBlob(op, slice.getSource(), {1});
    if (failed(blob))
      return failure();
    BlobType type =
        getBlobType(slice.getType(), [&] { return op->emitError(); });
    Value part =
        SliceOp::create(builder, getLoc(op), *blob, slice.getStaticOffsets(),
                        slice.getStaticSizes(), slice.getStaticStrides());
    blobs[slice] = part.getType() == type
                       ? part
                       : ReshapeOp::create(builder, getLoc(op), type, part);
    return success();
  }
  if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
      isa<RankedTensorType>(op->getResult(0).getType())) {
    BlobType type =
        getBlobType(cast<RankedTensorType>(op->getResult(0).getType()),
                    [&] { return op->emitError(); });
    // A scalar condition selects a tensor as a whole.
    if (llvm::all_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      return importElementwise(op, type.getShape());
  }
  return emitUnknown(op);
}

LogicalResult KernelImporter::run(func::FuncOp kernel, ValueRange operands,
                                  SmallVectorImpl<Value> &results) {
  SmallVector<linalg::LinalgOp> named;
  kernel.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op))
      named.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return emitUnknown(op);
  }
  Block &block = kernel.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), operands))
    blobs[argument] = operand;
  for (Operation &op : block.without_terminator())
    if (failed(importOp(&op)))
      return failure();
  if (!isa<func::ReturnOp>(block.getTerminator()))
    return emitUnknown(block.getTerminator());
  for (Value value : block.getTerminator()->getOperands()) {
    FailureOr<Value> blob = getBlob(block.getTerminator(), value, {1});
    if (failed(blob))
      return failure();
    results.push_back(*blob);
  }
  return success();
}

LogicalResult job::importKernel(OpBuilder &builder, func::FuncOp kernel,
                                ValueRange operands,
                                std::optional<Location> loc,
                                SmallVectorImpl<Value> &results) {
  return KernelImporter(builder, loc).run(kernel, operands, results);
}

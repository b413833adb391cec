//===- JobStructureOps.cpp - Jobs, variables, kernels ---------------------===//

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/IR/Permutations.h"
#include "JobDialect/IR/ResultStructure.h"
#include "JobDialect/Support/Suggestions.h"

#include "Inference.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type, JobKind kind) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = TypeAttr::get(type);
  properties.kind = JobKindAttr::get(builder.getContext(), kind);
  Region *body = state.addRegion();
  Block &block = body->emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, state.location);
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  MLIRContext *context = parser.getContext();
  if (parser.parseSymbolName(properties.sym_name))
    return failure();

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs))
    return failure();
  SmallVector<Type> argumentTypes;
  for (OpAsmParser::Argument &argument : arguments)
    argumentTypes.push_back(argument.type);
  properties.function_type =
      TypeAttr::get(FunctionType::get(context, argumentTypes, resultTypes));

  // The parser offers the names of kinds to an editor.
  constexpr StringRef kinds[] = {"train", "predict", "init"};
  StringRef kindName;
  SMLoc kindLoc;
  if (parser.parseKeyword("kind") || parser.getCurrentLocation(&kindLoc))
    return failure();
  if (failed(parser.parseOptionalKeyword(&kindName, kinds))) {
    if (parser.parseKeyword(&kindName))
      return failure();
    InFlightDiagnostic error =
        parser.emitError(kindLoc)
        << "expects a kind of train, predict or init but got " << kindName;
    suggestName(error, kindName, kinds);
    return error;
  }
  properties.kind = JobKindAttr::get(context, *symbolizeJobKind(kindName));

  NamedAttrList attributes;
  SMLoc attributesLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(attributes))
    return failure();
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    // Whether it is `expected`; an error if it is of another kind.
    bool isFailed = false;
    auto take = [&](StringRef expected, auto &property, StringRef kind) {
      if (name != expected)
        return false;
      property =
          dyn_cast<std::decay_t<decltype(property)>>(attribute.getValue());
      if (!property) {
        parser.emitError(attributesLoc)
            << "expects " << name << " to be " << kind;
        isFailed = true;
      }
      return true;
    };
    if (take("placement", properties.placement, "a #job.placement") ||
        take("precision", properties.precision, "a type") ||
        take("result_structure", properties.result_structure, "a string") ||
        take("step_counter", properties.step_counter, "a symbol") ||
        take("in_place", properties.in_place, "true or false") ||
        take("fuse_updates", properties.fuse_updates, "true or false") ||
        take("packing", properties.packing, "an array of strategies") ||
        take("workspace_limit", properties.workspace_limit, "an integer") ||
        take("tf32", properties.tf32, "true or false") ||
        take("excluded_libraries", properties.excluded_libraries,
             "an array of names")) {
      if (isFailed)
        return failure();
    } else if (llvm::is_contained({"sym_name", "function_type", "kind",
                                   "arg_attrs", "res_attrs"},
                                  name)) {
      return parser.emitError(attributesLoc)
             << "expects " << name
             << " in the signature but got it as an attribute";
    } else {
      result.addAttribute(attribute.getName(), attribute.getValue());
    }
  }
  call_interface_impl::addArgAndResultAttrs(
      parser.getBuilder(), result, arguments, resultAttrs,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments,
                            /*enableNameShadowing=*/false);
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  printer << " kind " << stringifyJobKind(getKind());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getKindAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

LogicalResult FuncOp::verifyType() {
  auto expectBlobs = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types))
      if (!isa<BlobType>(type))
        return emitOpError() << "expects " << what << ' ' << index
                             << " to be a blob but got " << type;
    return success();
  };
  if (failed(expectBlobs(getArgumentTypes(), "argument")) ||
      failed(expectBlobs(getResultTypes(), "result")))
    return failure();
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (cast<BlobType>(type).isBounded())
      return emitOpError() << "expects argument " << index
                           << " to have a static shape but got " << type;
  return success();
}

/// Checks the attributes of one argument or result, which `what` names.
static LogicalResult verifyBlobAttributes(FuncOp func, const Twine &what,
                                          BlobType type,
                                          DictionaryAttr attributes) {
  if (!attributes)
    return success();
  auto expectKind = [&](StringRef name, bool isKind,
                        StringRef kind) -> LogicalResult {
    if (isKind)
      return success();
    return func.emitOpError()
           << "expects " << name << " of " << what << " to be a " << kind
           << " but got " << attributes.get(name);
  };
  for (NamedAttribute attr : attributes)
    if (attr.getName().strref().starts_with("job.") &&
        attr.getName() != FuncOp::getNameAttrName() &&
        attr.getName() != FuncOp::getBlobPlacementAttrName() &&
        attr.getName() != FuncOp::getBlobShardingAttrName() &&
        attr.getName() != FuncOp::getObserverAttrName()) {
      InFlightDiagnostic error = func.emitOpError()
                                 << "expects a job.name, job.placement, "
                                    "job.sharding or job.observer of "
                                 << what << " but got " << attr.getName();
      suggestName(
          error, attr.getName(),
          {FuncOp::getNameAttrName(), FuncOp::getBlobPlacementAttrName(),
           FuncOp::getBlobShardingAttrName(), FuncOp::getObserverAttrName()});
      return error;
    }
  Attribute name = attributes.get(FuncOp::getNameAttrName());
  Attribute placement = attributes.get(FuncOp::getBlobPlacementAttrName());
  Attribute sharding = attributes.get(FuncOp::getBlobShardingAttrName());
  Attribute observer = attributes.get(FuncOp::getObserverAttrName());
  if (failed(expectKind(FuncOp::getNameAttrName(),
                        !name || isa<StringAttr>(name), "string")) ||
      failed(expectKind(FuncOp::getObserverAttrName(),
                        !observer || isa<StringAttr>(observer), "string")) ||
      failed(expectKind(FuncOp::getBlobPlacementAttrName(),
                        !placement || isa<PlacementAttr>(placement),
                        "#job.placement")) ||
      failed(expectKind(FuncOp::getBlobShardingAttrName(),
                        !sharding || isa<ShardingAttr>(sharding),
                        "#job.sharding")))
    return failure();
  if (!sharding)
    return success();
  auto devices =
      placement ? cast<PlacementAttr>(placement) : func.getPlacementAttr();
  return cast<ShardingAttr>(sharding).verifyBlob(
      [&] { return func.emitOpError() << what << ' '; }, type, devices);
}

LogicalResult FuncOp::verify() {
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyBlobAttributes(*this, "argument " + Twine(index),
                                    cast<BlobType>(type),
                                    getArgAttrDict(index))))
      return failure();
  for (auto [index, type] : llvm::enumerate(getResultTypes()))
    if (failed(verifyBlobAttributes(*this, "result " + Twine(index),
                                    cast<BlobType>(type),
                                    getResultAttrDict(index))))
      return failure();
  if (failed(verifyResultStructure([&] { return emitOpError(); },
                                   getResultStructureAttr(),
                                   getResultTypes().size())))
    return failure();
  Operation &last = getBody().front().back();
  if (!isa<ReturnOp>(last))
    return emitOpError() << "expects the body to end in job.return but got "
                         << last.getName();
  return success();
}

std::string FuncOp::getArgumentName(unsigned index) {
  if (auto name = getArgAttrOfType<StringAttr>(index, getNameAttrName()))
    return name.str();
  return "arg" + std::to_string(index);
}

std::string FuncOp::getResultName(unsigned index) {
  if (auto name = getResultAttrOfType<StringAttr>(index, getNameAttrName()))
    return name.str();
  return "result" + std::to_string(index);
}

ReturnOp FuncOp::getReturn() {
  return cast<ReturnOp>(getBody().front().getTerminator());
}

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  ArrayRef<Type> expected = func.getResultTypes();
  if (expected.size() != getNumOperands())
    return emitOpError() << "expects " << expected.size() << " operands as @"
                         << func.getSymName() << " has results but got "
                         << getNumOperands();
  for (auto [index, type] : llvm::enumerate(getOperandTypes()))
    if (type != expected[index])
      return emitOpError() << "expects operand " << index << " of type "
                           << expected[index] << " but got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

BlobType VariableOp::getDeclaredType() {
  auto type = cast<BlobType>(getType());
  std::optional<ArrayRef<int64_t>> permutation = getPermutation();
  if (!permutation || getExpandedShape())
    return type;
  return getPermutedType(type, invertPermutationVector(*permutation));
}

LogicalResult VariableOp::verify() {
  if (!isa_and_nonnull<ModuleOp>((*this)->getParentOp()))
    return emitOpError() << "expects to be directly in a module";
  if (cast<BlobType>(getType()).isBounded())
    return emitOpError() << "expects a variable to have a static shape but got "
                         << getType();
  if (getTrainable() && !cast<BlobType>(getType()).isFloat())
    return emitOpError() << "expects a trainable variable to be of floats but "
                            "got "
                         << getType();
  if (failed(verifyStoredOrder([&] { return emitOpError(); },
                               cast<BlobType>(getType()).getShape(),
                               getPermutation(), getExpandedShape())))
    return failure();
  if (auto dense = dyn_cast<DenseInitAttr>(getInitializer())) {
    // No vector, and no encoding.
    RankedTensorType type = getDeclaredType().getTensorType();
    if (dense.getValues().getType() != type)
      return emitOpError() << "expects initial values of type " << type
                           << " but got " << dense.getValues().getType();
  }
  ShardingAttr sharding = getShardingAttr();
  if (!sharding)
    return success();
  if (llvm::any_of(sharding.getAxes(), [](AxisSharding axis) {
        return axis.kind == AxisSharding::Kind::Partial;
      }))
    return emitOpError() << "expects a variable to be split or broadcast but "
                            "got a partial sum (P)";
  return sharding.verifyBlob([&] { return emitOpError(); }, getType(),
                             getPlacementAttr());
}

/// Looks the variable up and compares its type with that of the use.
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr symbol,
                                       Type used,
                                       SymbolTableCollection &symbolTable) {
  auto variable = symbolTable.lookupNearestSymbolFrom<VariableOp>(op, symbol);
  if (!variable) {
    InFlightDiagnostic error = op->emitOpError()
                               << "expects a variable but got " << symbol
                               << ", which is none";
    suggestSymbol<VariableOp>(error, op, symbol);
    return error;
  }
  if (variable.getType() != used) {
    InFlightDiagnostic diagnostic =
        op->emitOpError() << "expects type " << variable.getType()
                          << " of variable " << symbol << " but got " << used;
    diagnostic.attachNote(variable.getLoc()) << "the variable is defined here";
    return diagnostic;
  }
  return success();
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyVariableUse(*this, getVariableAttr(), getResult().getType(),
                           symbolTable);
}

void ReadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), getVariableAttr(),
                       VariableResource::get());
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyVariableUse(*this, getVariableAttr(), getValue().getType(),
                           symbolTable);
}

void AssignOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), getVariableAttr(),
                       VariableResource::get());
}

LogicalResult UpdateOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyVariableUse(*this, getVariableAttr(), getGradient().getType(),
                           symbolTable);
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

void ConstantOp::build(OpBuilder &builder, OperationState &state, BlobType type,
                       double value) {
  Type element = type.getElementType();
  Attribute attr;
  if (isa<FloatType>(element))
    attr = builder.getFloatAttr(element, value);
  else
    attr = builder.getIntegerAttr(element, static_cast<int64_t>(value));
  build(builder, state, type,
        DenseElementsAttr::get(type.getTensorType(), attr));
}

LogicalResult
ConstantOp::inferReturnTypes(MLIRContext *context,
                             std::optional<Location> location, Adaptor adaptor,
                             SmallVectorImpl<Type> &inferredReturnTypes) {
  ShapedType type = adaptor.getValue().getShapedType();
  FailureOr<BlobType> blob =
      makeBlob(inferenceError<ConstantOp>(context, location), type.getShape(),
               type.getElementType());
  if (failed(blob))
    return failure();
  inferredReturnTypes.push_back(*blob);
  return success();
}

LogicalResult ConstantOp::verify() {
  if (!isa<DenseElementsAttr>(getValue()))
    return emitOpError() << "expects a dense attribute but got " << getValue();
  // No vector, and no encoding.
  RankedTensorType type = getResult().getType().getTensorType();
  if (getValue().getShapedType() != type)
    return emitOpError() << "expects a value of type " << type << " but got "
                         << getValue().getShapedType();
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// Equal elements need not be moved.
bool ConstantOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  auto value = dyn_cast<DenseElementsAttr>(getValue());
  return value && value.isSplat() && hasRankOf(getType(), permutation);
}

SmallVector<Value> ConstantOp::buildPermuted(OpBuilder &builder, ValueRange,
                                             ArrayRef<int64_t> permutation) {
  BlobType type = getPermutedType(getType(), permutation);
  auto value = cast<DenseElementsAttr>(getValue());
  return {ConstantOp::create(builder, getLoc(),
                             value.resizeSplat(type.getTensorType()))};
}

std::optional<double> ConstantOp::getSplat() {
  auto elements = cast<DenseElementsAttr>(getValue());
  if (!elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType())) {
    APFloat value = elements.getSplatValue<APFloat>();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
  APInt value = elements.getSplatValue<APInt>();
  Type element = elements.getElementType();
  if (element.isInteger(1) || element.isUnsignedInteger())
    return static_cast<double>(value.getZExtValue());
  return static_cast<double>(value.getSExtValue());
}

void StepOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), VariableResource::get());
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  auto parseInput = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(arguments.back().type));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parser.parseOptionalArrowTypeList(result.types))
    return failure();
  SmallVector<Type> types;
  for (OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  if (parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  // The region is isolated: it may use the names of the outside again.
  return parser.parseRegion(*result.addRegion(), arguments,
                            /*enableNameShadowing=*/true);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          auto [argument, input] = pair;
                          printer.printRegionArgument(argument, {},
                                                      /*omitType=*/true);
                          printer << " = " << input << " : " << input.getType();
                        });
  printer << ')';
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Ops in the region of a kernel or of a gradient.
static LogicalResult verifyPureOps(Block &block, StringRef parent) {
  for (Operation &op : block.without_terminator())
    if (!isMemoryEffectFree(&op) || op.getNumRegions() != 0)
      return op.emitOpError() << "expects to stand outside of a " << parent
                              << ", whose ops have no effects and no regions";
  return success();
}

LogicalResult KernelOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError() << "expects the region's arguments to have the types "
                            "of the inputs, "
                         << getInputs().getTypes() << ", but got "
                         << block.getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "expects the region to end in job.yield but got "
                         << block.back().getName();
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError() << "expects job.yield to have the types of the "
                            "results, "
                         << getResultTypes() << ", but got "
                         << yield.getOperandTypes();
  return verifyPureOps(block, getOperationName());
}

//===----------------------------------------------------------------------===//
// CustomGradientOp
//===----------------------------------------------------------------------===//

LogicalResult CustomGradientOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  llvm::append_range(inferredReturnTypes, adaptor.getValues().getTypes());
  return success();
}

static bool isFloat(Type type) { return cast<BlobType>(type).isFloat(); }

LogicalResult CustomGradientOp::verify() {
  SmallVector<Type> arguments(getInputs().getTypes()), gradients;
  llvm::append_range(arguments, getValues().getTypes());
  llvm::copy_if(getValues().getTypes(), std::back_inserter(arguments), isFloat);
  llvm::copy_if(getInputs().getTypes(), std::back_inserter(gradients), isFloat);
  Block &block = getGradient().front();
  if (block.getArgumentTypes() != TypeRange(arguments))
    return emitOpError() << "expects the region's arguments to have the types "
                            "of the inputs, the values and the gradients of "
                            "values of floats, "
                         << arguments << ", but got "
                         << block.getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "expects the region to end in job.yield but got "
                         << block.back().getName();
  if (yield.getOperandTypes() != TypeRange(gradients))
    return emitOpError() << "expects job.yield to have the types of the inputs "
                            "of floats, "
                         << gradients << ", but got "
                         << yield.getOperandTypes();
  return verifyPureOps(block, getOperationName());
}

#define GET_OP_CLASSES
#include "JobDialect/IR/JobOps.cpp.inc"

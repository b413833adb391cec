//===- CallEpilogues.cpp - Kernels that library calls compute too ---------===//

#include "CallEpilogues.h"

#include "JobDialect/Conversion/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::plan;

/// What an element of the type `narrow` is computed in f32 from, or was before
/// it was rounded; the element itself if it is in neither form. Conversions of
/// other types are a part of what is computed.
static Value skipConversions(Value value, Type narrow) {
  while (true) {
    auto narrowed = value.getDefiningOp<arith::TruncFOp>();
    auto widened = value.getDefiningOp<arith::ExtFOp>();
    if (narrowed && narrowed.getType() == narrow)
      value = narrowed.getIn();
    else if (widened && widened.getIn().getType() == narrow)
      value = widened.getIn();
    else
      return value;
  }
}

/// `value` if it is 0 where another value is negative and that value elsewhere:
/// the other value. Null if it is not.
static Value matchRelu(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return {};
  Value operand = select.getFalseValue();
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (compare && compare.getPredicate() == arith::CmpFPredicate::OLT &&
      compare.getLhs() == operand &&
      matchPattern(compare.getRhs(), m_PosZeroFloat()) &&
      matchPattern(select.getTrueValue(), m_PosZeroFloat()))
    return operand;
  return {};
}

namespace {

/// Compares what a kernel computes with what a function of the compiler's own
/// library builds.
class FunctionMatcher {
public:
  /// Whether `value` is what `build` makes of values in f32: these, or nothing.
  std::optional<SmallVector<Value>>
  match(Value value, unsigned numOperands,
        function_ref<Value(const job::KernelBuilder &, ValueRange)> build);

private:
  bool isSame(Value expected, Value actual);

  /// What stands for each value of the expected function.
  DenseMap<Value, Value> actuals;
};

} // namespace

bool FunctionMatcher::isSame(Value expected, Value actual) {
  auto [it, isNew] = actuals.try_emplace(expected, actual);
  Operation *op = expected.getDefiningOp(), *other = actual.getDefiningOp();
  // Constants may be there several times.
  if (!isNew && !(op && op->hasTrait<OpTrait::ConstantLike>()))
    return it->second == actual;
  if (expected.getType() != actual.getType())
    return false;
  if (!op)
    return true;
  return other && op->getName() == other->getName() &&
         op->getAttrDictionary() == other->getAttrDictionary() &&
         op->getNumOperands() == other->getNumOperands() &&
         llvm::all_of(llvm::zip_equal(op->getOperands(), other->getOperands()),
                      [&](auto pair) {
                        return isSame(std::get<0>(pair), std::get<1>(pair));
                      });
}

std::optional<SmallVector<Value>> FunctionMatcher::match(
    Value value, unsigned numOperands,
    function_ref<Value(const job::KernelBuilder &, ValueRange)> build) {
  actuals.clear();
  Block block;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointToStart(&block);
  Type type = builder.getF32Type();
  Location loc = value.getLoc();
  for (unsigned i = 0; i < numOperands; ++i)
    block.addArgument(type, loc);
  Value expected = build({builder, loc, type}, block.getArguments());
  if (!isSame(expected, value))
    return std::nullopt;
  return llvm::map_to_vector(block.getArguments(), [&](Value argument) {
    return actuals.lookup(argument);
  });
}

/// `value` if it is the gelu by tanh of another value: that value.
static Value matchGelu(Value value) {
  auto operands = FunctionMatcher().match(
      value, 1, [](const job::KernelBuilder &b, ValueRange x) {
        return job::buildGeluTanh(b, x[0]);
      });
  return operands ? operands->front() : Value();
}

namespace {
/// An epilogue of a call, and which result of a kernel is the call's first one.
struct ScalarEpilogue {
  jobrt::calls::Epilogue kind;
  unsigned result = 0;
};
} // namespace

using jobrt::calls::Epilogue;

/// The epilogue that computes `values` from an element of the product and one
/// of an operand, which may be null, if there is one. The function computes in
/// f32 and rounds once, where the kernel rounds the sum with a bias as well.
static std::optional<ScalarEpilogue>
matchScalars(ArrayRef<Value> values, Value product, Value operand) {
  Type narrow = product.getType();
  auto skip = [&](Value value) { return skipConversions(value, narrow); };
  auto isBiased = [&](Value value) {
    auto add = value.getDefiningOp<arith::AddFOp>();
    if (!add)
      return false;
    Value lhs = skip(add.getLhs()), rhs = skip(add.getRhs());
    return (lhs == product && rhs == operand) ||
           (lhs == operand && rhs == product);
  };
  if (values.size() == 2) {
    for (unsigned result : {0, 1}) {
      Value input = matchGelu(skip(values[result]));
      if (operand && input && skip(input) == skip(values[1 - result]) &&
          isBiased(skip(input)))
        return ScalarEpilogue{Epilogue::kBiasGeluInput, result};
    }
    return std::nullopt;
  }
  Value value = skip(values.front());
  Value reluInput = matchRelu(value);
  if (!operand) {
    if (reluInput && skip(reluInput) == product)
      return ScalarEpilogue{Epilogue::kRelu};
    return std::nullopt;
  }
  if (isBiased(value))
    return ScalarEpilogue{Epilogue::kBias};
  if (reluInput) {
    if (isBiased(skip(reluInput)))
      return ScalarEpilogue{Epilogue::kBiasRelu};
    return std::nullopt;
  }
  if (Value input = matchGelu(value)) {
    if (isBiased(skip(input)))
      return ScalarEpilogue{Epilogue::kBiasGelu};
    return std::nullopt;
  }
  auto factors = FunctionMatcher().match(
      value, 2, [](const job::KernelBuilder &b, ValueRange x) {
        return b.mul(x[0], job::buildGeluTanhSlope(b, x[1]));
      });
  if (factors && skip(factors->front()) == product &&
      skip(factors->back()) == operand)
    return ScalarEpilogue{Epilogue::kGeluGrad};
  return std::nullopt;
}

/// Whether an element of the product meets the element of the bias that has the
/// number of its column, of `columns`. The elements of `run` neighbours are of
/// one column: the positions of a channel.
static bool isPerColumn(const KernelNest &nest, const KernelAccess &product,
                        const KernelAccess &bias, int64_t columns,
                        int64_t run) {
  if (product.offset != 0 || bias.offset != 0)
    return false;
  for (auto [extent, stride, biasStride] :
       llvm::zip_equal(nest.extents, product.strides, bias.strides)) {
    if (extent == 1)
      continue;
    bool isRow = stride % (columns * run) == 0;
    bool isInRun = stride * extent <= run;
    bool isColumn = stride % run == 0 && stride * extent <= columns * run;
    if (isRow || isInRun ? biasStride != 0
                         : !isColumn || biasStride != stride / run)
      return false;
  }
  return true;
}

/// Whether two buffers are the same memory: of one without an offset, all of
/// it.
static bool isSameMemory(Value a, Value b, SymbolTableCollection &symbols) {
  auto isWhole = [](Value buffer) {
    auto bytes = [](Value value) {
      return getBufferBytes(cast<MemRefType>(value.getType()));
    };
    return bytes(buffer) == bytes(getBufferRoot(buffer)->getResult(0));
  };
  if (getBufferRoot(a) == getBufferRoot(b) && isWhole(a) && isWhole(b))
    return true;
  return areSame(getBufferPlace(a, symbols), getBufferPlace(b, symbols));
}

std::optional<CallEpilogue>
plan::findCallEpilogue(CallOp call, DispatchOp dispatch, KernelNests &nests) {
  if (call.getOuts().size() != 1 || dispatch.getIns().size() > 1 ||
      dispatch.getInouts().size() != 1 || dispatch.getOuts().size() > 1 ||
      dispatch.getChecks())
    return std::nullopt;
  SymbolTableCollection &symbols = nests.getSymbols();
  if (!isSameMemory(call.getOuts().front(), dispatch.getInouts().front(),
                    symbols))
    return std::nullopt;
  const KernelNest *nest = nests.lookup(dispatch);
  if (!nest || nest->passes.size() != 1 || !nest->scalars.empty())
    return std::nullopt;
  // The arguments of a body are first what it reads, then what it updates, then
  // what it writes.
  const KernelPass &pass = nest->passes.front();
  unsigned numIns = dispatch.getIns().size(),
           numOuts = 1 + dispatch.getOuts().size();
  if (pass.inputs.size() != numIns + 1 || pass.outputs.size() != numOuts)
    return std::nullopt;
  const KernelInput *ofOperand = nullptr, *ofProduct = nullptr;
  for (const KernelInput &input : pass.inputs)
    if (!input.item)
      (input.access.argument < numIns ? ofOperand : ofProduct) = &input;
  if (bool(ofOperand) != (numIns == 1) || !ofProduct)
    return std::nullopt;
  const KernelAccess &product = ofProduct->access;
  auto isSameElement = [&](const KernelAccess &access) {
    return access.offset == product.offset && access.strides == product.strides;
  };
  SmallVector<Value> values;
  for (const KernelOutput &output : pass.outputs) {
    if (output.reduction || output.filled || !output.destination ||
        !isSameElement(*output.destination))
      return std::nullopt;
    values.push_back(output.yielded);
  }
  std::optional<ScalarEpilogue> scalars =
      matchScalars(values, ofProduct->element,
                   ofOperand ? Value(ofOperand->element) : Value());
  if (!scalars)
    return std::nullopt;
  auto config = dyn_cast_if_present<CallConfigAttrInterface>(
      call.getConfig().getWithEpilogue(scalars->kind));
  if (!config)
    return std::nullopt;
  CallEpilogue epilogue{config, {}, {}};
  // The function's arrays have the type of the product.
  Type type = getElementTypeOrSelf(call.getOuts().front().getType());
  auto hasType = [&](Value buffer) {
    return getElementTypeOrSelf(buffer.getType()) == type;
  };
  if (ofOperand) {
    // It is the operand after those of the call.
    Value operand = dispatch.getIns().front();
    epilogue.operands.push_back(operand);
    int64_t columns = config.getBuffers()[call.getIns().size()].extents.front();
    if (!hasType(operand) ||
        (scalars->kind == Epilogue::kGeluGrad
             ? !isSameElement(ofOperand->access)
             : !isPerColumn(*nest, product, ofOperand->access, columns,
                            config.getBiasRun())))
      return std::nullopt;
  }
  // The result of the function, then its second array.
  for (unsigned i = 0; i < numOuts; ++i) {
    const KernelOutput &output = pass.outputs[(scalars->result + i) % numOuts];
    epilogue.outs.push_back(dispatch->getOperand(output.destination->argument));
    if (!hasType(epilogue.outs.back()))
      return std::nullopt;
  }
  return epilogue;
}

std::optional<CallEpilogue> plan::findCallAddition(CallOp call,
                                                   DispatchOp dispatch,
                                                   unsigned product,
                                                   KernelNests &nests) {
  SmallVector<OpOperand *> written = dispatch.getWrittenOperands();
  if (call.getOuts().size() != 1 || written.size() != 1 ||
      dispatch.getChecks() ||
      !isSameMemory(call.getOuts().front(), dispatch->getOperand(product),
                    nests.getSymbols()))
    return std::nullopt;
  const KernelNest *nest = nests.lookup(dispatch);
  if (!nest || nest->passes.size() != 1 || !nest->scalars.empty())
    return std::nullopt;
  const KernelPass &pass = nest->passes.front();
  if (pass.outputs.size() != 1 || pass.inputs.size() > 3)
    return std::nullopt;
  const KernelOutput &output = pass.outputs.front();
  const KernelInput *ofProduct =
      llvm::find_if(pass.inputs, [&](const KernelInput &input) {
        return !input.item && input.access.argument == product;
      });
  if (output.reduction || output.filled || !output.destination ||
      ofProduct == pass.inputs.end())
    return std::nullopt;
  Type narrow = ofProduct->element.getType();
  auto skip = [&](Value value) { return skipConversions(value, narrow); };
  auto add = skip(output.yielded).getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  auto isSameElement = [&](const KernelAccess &access) {
    return access.offset == ofProduct->access.offset &&
           access.strides == ofProduct->access.strides;
  };

  // What is added as it is, and a bias.
  Value lhs = skip(add.getLhs()), rhs = skip(add.getRhs());
  const KernelInput *ofAddend = nullptr, *ofBias = nullptr;
  for (const KernelInput &input : pass.inputs) {
    if (&input == ofProduct)
      continue;
    bool isAdded = lhs == input.element || rhs == input.element;
    const KernelInput *&role =
        isAdded && isSameElement(input.access) ? ofAddend : ofBias;
    if (input.item || role)
      return std::nullopt;
    role = &input;
  }
  if (!ofAddend || !isSameElement(*output.destination))
    return std::nullopt;
  Value biased = lhs == ofAddend->element ? rhs : lhs;
  if (ofBias) {
    auto scalars = matchScalars(biased, ofProduct->element, ofBias->element);
    if (!scalars || scalars->kind != Epilogue::kBias)
      return std::nullopt;
  } else if (biased != ofProduct->element) {
    return std::nullopt;
  }

  Type type = output.yielded.getType();
  CallEpilogue addition{dyn_cast_if_present<CallConfigAttrInterface>(
                            call.getConfig().getWithAddend(type != narrow)),
                        {dispatch->getOperand(ofAddend->access.argument)},
                        {written.front()->get()}};
  if (addition.config && ofBias)
    addition.config = dyn_cast_if_present<CallConfigAttrInterface>(
        addition.config.getWithEpilogue(Epilogue::kBias));
  if (!addition.config)
    return std::nullopt;
  // All arrays but the factors have the type of the sum, and no array has more
  // elements than the product.
  auto isLikeSum = [&](Value buffer) {
    auto memref = cast<MemRefType>(buffer.getType());
    auto ofCall = cast<MemRefType>(call.getOuts().front().getType());
    return memref.getElementType() == type &&
           memref.getNumElements() == ofCall.getNumElements();
  };
  if (!isLikeSum(addition.operands.front()) ||
      !isLikeSum(addition.outs.front()) || (type != narrow && !type.isF32()))
    return std::nullopt;
  if (!ofBias)
    return addition;
  Value bias = dispatch->getOperand(ofBias->access.argument);
  addition.operands.push_back(bias);
  int64_t columns =
      addition.config.getBuffers()[call.getIns().size() + 1].extents.front();
  if (getElementTypeOrSelf(bias.getType()) != type ||
      !isPerColumn(*nest, ofProduct->access, ofBias->access, columns,
                   addition.config.getBiasRun()))
    return std::nullopt;
  return addition;
}

//===- CallEpilogues.cpp - Kernels that library calls compute too ---------===//

#include "CallEpilogues.h"

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

/// The epilogue that computes `value` from an element of the product and one of
/// the bias, null if there is none. The function computes in f32 and rounds
/// once, where the kernel rounds the sum as well.
static std::optional<jobrt::calls::Epilogue>
matchScalars(Value value, Value product, Value bias) {
  Type narrow = product.getType();
  value = skipConversions(value, narrow);
  Value operand = matchRelu(value);
  if (operand)
    operand = skipConversions(operand, narrow);
  if (!bias) {
    if (operand == product)
      return jobrt::calls::Epilogue::kRelu;
    return std::nullopt;
  }
  auto kind = jobrt::calls::Epilogue::kBias;
  if (operand) {
    kind = jobrt::calls::Epilogue::kBiasRelu;
    value = operand;
  }
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  auto isSum = [&](Value lhs, Value rhs) {
    return skipConversions(add.getLhs(), narrow) == lhs &&
           skipConversions(add.getRhs(), narrow) == rhs;
  };
  if (isSum(product, bias) || isSum(bias, product))
    return kind;
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

/// Whether two buffers are the same memory. Of one without an offset, that is
/// all of it.
static bool isSameMemory(Value a, Value b, SymbolTableCollection &symbols) {
  Operation *root = getBufferRoot(a);
  auto alloc = dyn_cast<AllocOp>(root);
  if (!alloc || alloc.getOffset())
    return areSame(getBufferPlace(a, symbols), getBufferPlace(b, symbols));
  auto isWhole = [&](Value buffer) {
    return getBufferRoot(buffer) == root &&
           getBufferBytes(cast<MemRefType>(buffer.getType())) ==
               getBufferBytes(alloc.getType());
  };
  return isWhole(a) && isWhole(b);
}

std::optional<CallEpilogue>
plan::findCallEpilogue(CallOp call, DispatchOp dispatch, KernelNests &nests) {
  if (call.getOuts().size() != 1 || dispatch.getIns().size() > 1 ||
      dispatch.getInouts().size() != 1 || !dispatch.getOuts().empty() ||
      dispatch.getChecks())
    return std::nullopt;
  SymbolTableCollection &symbols = nests.getSymbols();
  Value bias = dispatch.getIns().empty() ? Value() : dispatch.getIns().front();
  if (!isSameMemory(call.getOuts().front(), dispatch.getInouts().front(),
                    symbols))
    return std::nullopt;
  const KernelNest *nest = nests.lookup(dispatch);
  if (!nest || nest->passes.size() != 1 || !nest->scalars.empty())
    return std::nullopt;
  const KernelPass &pass = nest->passes.front();
  if (pass.inputs.size() != (bias ? 2 : 1) || pass.outputs.size() != 1)
    return std::nullopt;
  const KernelOutput &output = pass.outputs.front();
  // The arguments of a body are first what it reads, then what it updates.
  const KernelInput *ofBias = nullptr, *ofProduct = nullptr;
  for (const KernelInput &input : pass.inputs)
    if (!input.item)
      (bias && input.access.argument == 0 ? ofBias : ofProduct) = &input;
  if (bool(ofBias) != bool(bias) || !ofProduct || output.reduction ||
      output.filled || output.destination != ofProduct->access)
    return std::nullopt;
  std::optional<jobrt::calls::Epilogue> kind =
      matchScalars(output.yielded, ofProduct->element,
                   ofBias ? Value(ofBias->element) : Value());
  if (!kind)
    return std::nullopt;
  auto config = dyn_cast_if_present<CallConfigAttrInterface>(
      call.getConfig().getWithEpilogue(*kind));
  if (!config)
    return std::nullopt;
  // The function reads a bias of the type of the product.
  if (bias && getElementTypeOrSelf(bias.getType()) !=
                  getElementTypeOrSelf(call.getOuts().front().getType()))
    return std::nullopt;
  if (ofBias) {
    // It is the operand after those of the call.
    int64_t columns = config.getBuffers()[call.getIns().size()].extents.front();
    if (!isPerColumn(*nest, ofProduct->access, ofBias->access, columns,
                     config.getBiasRun()))
      return std::nullopt;
  }
  return CallEpilogue{config, bias};
}

//===- HoverText.cpp - What a hover adds on an op or array ----------------===//

#include "HoverText.h"

#include "ParsedText.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Units.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace joblsp;

/// The type of a blob or a buffer; null for any other.
static ShapedType getArrayType(Type type) {
  if (isa<job::BlobType>(type))
    return cast<ShapedType>(type);
  auto memref = dyn_cast<MemRefType>(type);
  return memref && plan::isBufferType(memref) ? ShapedType(memref)
                                              : ShapedType();
}

static int64_t getBytes(ShapedType type) {
  auto blob = dyn_cast<job::BlobType>(type);
  return blob ? blob.getBytes() : plan::getBufferBytes(type);
}

/// A line on one array: "- result `100x784xf32`: 78,400 elements, ...".
static void describeArray(llvm::raw_ostream &os, StringRef what, Type type) {
  ShapedType array = getArrayType(type);
  if (!array)
    return;
  os << "- " << what << " `";
  auto blob = dyn_cast<job::BlobType>(type);
  bool isBounded = blob && blob.isBounded();
  for (auto [dim, extent] : llvm::enumerate(array.getShape())) {
    if (isBounded && static_cast<int64_t>(dim) == blob.getBoundedDim())
      os << "<=";
    os << extent << 'x';
  }
  int64_t bytes = getBytes(array);
  os << array.getElementType() << "`: " << (isBounded ? "at most " : "")
     << job::formatDigits(array.getNumElements()) << " elements, "
     << job::formatDigits(bytes) << " bytes";
  if (bytes >= 1024)
    os << " (" << job::formatBytes(bytes) << ")";
  os << '\n';
}

/// Lines on what an op costs and where the user wrote it.
static void describeCost(llvm::raw_ostream &os, Operation *op) {
  job::OpCost cost = job::getOpCost(op);
  int64_t moved = cost.bytesRead + cost.bytesWritten;
  if (moved)
    os << "- reads " << job::formatDigits(cost.bytesRead) << " bytes, writes "
       << job::formatDigits(cost.bytesWritten) << " bytes\n";
  if (cost.flops) {
    os << "- FLOPs: " << job::formatDigits(cost.flops);
    if (moved)
      os << llvm::format(", %.3g a byte", double(cost.flops) / double(moved));
    os << '\n';
  }
}

static std::string describeOp(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool several = op->getNumOperands() > 1;
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    describeArray(os, several ? "operand " + std::to_string(index) : "operand",
                  operand.getType());
  several = op->getNumResults() > 1;
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    describeArray(os, several ? "result " + std::to_string(index) : "result",
                  result.getType());
  if (auto variable = dyn_cast<job::VariableOp>(op))
    describeArray(os, "variable", variable.getType());
  if (auto variable = dyn_cast<plan::VariableOp>(op))
    describeArray(os, "variable", variable.getType());
  describeCost(os, op);
  return text;
}

static std::string describeValue(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  describeArray(os, isa<job::BlobType>(value.getType()) ? "blob" : "buffer",
                value.getType());
  if (Operation *op = value.getDefiningOp())
    describeCost(os, op);
  return text;
}

std::string joblsp::getHoverText(TextParser &parser,
                                 const std::shared_ptr<const Text> &text,
                                 LineColumn position) {
  size_t offset = text->getOffset(position);
  auto [begin, end] = text->getChunk(offset);
  ParsedText &parsed = parser.parse(text, begin, end);
  const char *place = parsed.getText().data() + (offset - begin);
  auto contains = [&](llvm::SMRange range) {
    return range.Start.getPointer() <= place && place < range.End.getPointer();
  };
  auto isAt = [&](const AsmParserState::SMDefinition &definition) {
    return contains(definition.loc) || llvm::any_of(definition.uses, contains);
  };
  const AsmParserState &state = parsed.getState();
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs()) {
    if (contains(op.loc) || llvm::any_of(op.symbolUses, contains))
      return describeOp(op.op);
    for (const auto &group : op.resultGroups)
      if (isAt(group.definition))
        return describeValue(op.op->getResult(group.startIndex));
  }
  for (const AsmParserState::BlockDefinition &definition : state.getBlockDefs())
    for (auto [index, argument] : llvm::enumerate(definition.arguments))
      if (isAt(argument))
        return describeValue(definition.block->getArgument(index));
  return "";
}

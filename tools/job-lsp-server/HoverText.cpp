//===- HoverText.cpp - What we say on a text that parses ------------------===//

#include "HoverText.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/IR/AttributeNames.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Suggestions.h"
#include "JobDialect/Support/Units.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace joblsp;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace joblsp {

/// A module with the places of what is in it.
class ParsedText {
public:
  ParsedText(const DialectRegistry &registry, StringRef text)
      : context(registry, MLIRContext::Threading::DISABLED) {
    // The server that stands behind has its own handler and shows errors.
    ScopedDiagnosticHandler ignore(&context,
                                   [](Diagnostic &) { return success(); });
    sourceMgr.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                                 llvm::SMLoc());
    if (failed(parseAsmSourceFile(sourceMgr, &block, &context, &state)))
      block.clear();
  }

  std::string describe(size_t offset);
  /// Calls `handle` for each diagnostic on a name, with the offset of its op.
  void verifyNames(llvm::function_ref<void(const Diagnostic &, size_t)> handle);

private:
  MLIRContext context;
  llvm::SourceMgr sourceMgr;
  Block block;
  AsmParserState state;
};

} // namespace joblsp

std::string ParsedText::describe(size_t offset) {
  if (block.empty())
    return "";
  const char *place =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID())->getBufferStart() +
      offset;
  auto contains = [&](llvm::SMRange range) {
    return range.Start.getPointer() <= place && place < range.End.getPointer();
  };
  auto isAt = [&](const AsmParserState::SMDefinition &definition) {
    return contains(definition.loc) || llvm::any_of(definition.uses, contains);
  };
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

void ParsedText::verifyNames(
    llvm::function_ref<void(const Diagnostic &, size_t)> handle) {
  unsigned file = sourceMgr.getMainFileID();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (auto loc = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      if (llvm::SMLoc place = sourceMgr.FindLocForLineAndColumn(
              file, loc.getLine(), loc.getColumn());
          place.isValid())
        handle(diagnostic,
               place.getPointer() -
                   sourceMgr.getMemoryBuffer(file)->getBufferStart());
    return success();
  });
  for (Operation &op : block)
    for (StringRef dialect : {"job", "plan"})
      (void)job::verifyAttributeNames(&op, dialect);
}

//===----------------------------------------------------------------------===//
// HoverText
//===----------------------------------------------------------------------===//

HoverText::HoverText(const DialectRegistry &registry) : registry(registry) {}
HoverText::~HoverText() = default;

ParsedText &HoverText::parse(const std::shared_ptr<const Text> &text,
                             size_t begin, size_t end) {
  if (parsedText != text || parsedBegin != begin || !parsed) {
    parsed =
        std::make_unique<ParsedText>(registry, text->str().slice(begin, end));
    parsedText = text;
    parsedBegin = begin;
  }
  return *parsed;
}

std::string HoverText::describe(const std::shared_ptr<const Text> &text,
                                LineColumn position) {
  size_t offset = text->getOffset(position);
  auto [begin, end] = text->getChunk(offset);
  return parse(text, begin, end).describe(offset - begin);
}

llvm::json::Array
HoverText::verifyNames(StringRef uri, const std::shared_ptr<const Text> &text) {
  llvm::json::Array diagnostics;
  size_t chunk = 0;
  auto add = [&](const Diagnostic &diagnostic, size_t offset) {
    offset += chunk;
    StringRef name = text->str().drop_front(offset).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    llvm::json::Object range = getRange(*text, offset, offset + name.size());
    llvm::json::Array notes;
    for (const Diagnostic &note : diagnostic.getNotes())
      if (job::parseSuggestion(note.str()))
        notes.push_back(llvm::json::Object{
            {"location",
             llvm::json::Object{{"uri", uri.str()},
                                {"range", llvm::json::Object(range)}}},
            {"message", note.str()}});
    diagnostics.push_back(
        llvm::json::Object{{"range", std::move(range)},
                           {"severity", 1},
                           {"source", "job"},
                           {"message", diagnostic.str()},
                           {"relatedInformation", std::move(notes)}});
  };
  while (true) {
    auto [begin, end] = text->getChunk(chunk);
    parse(text, begin, end).verifyNames(add);
    if (end == text->str().size())
      return diagnostics;
    // The marker begins at `end`.
    chunk = end + StringRef("// -----").size();
  }
}

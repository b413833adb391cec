//===- ResultStructure.cpp - The nesting of a job's results ---------------===//

#include "JobDialect/IR/ResultStructure.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

/// The loader of artifacts accepts no deeper JSON.
static constexpr int kMaxDepth = 64;

/// The deepest nesting of lists and objects, without the recursion of a parser.
static int getDepth(StringRef text) {
  int depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!inString && (c == ']' || c == '}'))
      --depth;
  }
  return deepest;
}

static bool isStructure(const json::Value &value, int64_t numResults) {
  auto areStructures = [&](const json::Array &values) {
    return llvm::all_of(values, [&](const json::Value &element) {
      return isStructure(element, numResults);
    });
  };
  if (value.kind() == json::Value::Null)
    return true;
  if (std::optional<int64_t> index = value.getAsInteger())
    return *index >= 0 && *index < numResults;
  if (const json::Array *list = value.getAsArray())
    return areStructures(*list);
  const json::Object *object = value.getAsObject();
  if (!object || object->size() != 1)
    return false;
  if (const json::Array *tuple = object->getArray("tuple"))
    return areStructures(*tuple);
  const json::Object *dict = object->getObject("dict");
  return dict && llvm::all_of(*dict, [&](const auto &member) {
           return isStructure(member.second, numResults);
         });
}

LogicalResult
job::verifyResultStructure(function_ref<InFlightDiagnostic()> emitError,
                           StringAttr text, int64_t numResults) {
  if (!text)
    return success();
  if (int depth = getDepth(text); depth > kMaxDepth)
    return emitError() << "expects a result_structure of at most " << kMaxDepth
                       << " levels but got " << depth;
  llvm::Expected<json::Value> value = json::parse(text);
  if (value && isStructure(*value, numResults))
    return success();
  llvm::consumeError(value.takeError());
  return emitError() << "expects the nesting of " << numResults
                     << " results as result_structure but got " << text;
}

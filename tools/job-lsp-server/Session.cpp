//===- Session.cpp - Follows the messages of editor and server ------------===//

#include "Session.h"

#include "Completion.h"
#include "FixIts.h"
#include "HoverText.h"
#include "NameDiagnostics.h"
#include "Names.h"

#include "JobDialect/Target/Artifact.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LSP/Logging.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/raw_ostream.h"

using namespace joblsp;
namespace json = llvm::json;
namespace lsp = llvm::lsp;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Parts of messages
//===----------------------------------------------------------------------===//

static std::string getText(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The file that a URI names, however it is written; empty for a URI that the
/// server refuses.
static std::string getFile(StringRef uri) {
  llvm::Expected<lsp::URIForFile> file = lsp::URIForFile::fromURI(uri);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  return file->file().str();
}

/// The member of a member; null if there is none.
static const json::Value *getMember(const json::Object &object, StringRef outer,
                                    StringRef inner) {
  const json::Object *members = object.getObject(outer);
  return members ? members->get(inner) : nullptr;
}

static StringRef getURI(const json::Object &params) {
  const json::Value *uri = getMember(params, "textDocument", "uri");
  return uri ? uri->getAsString().value_or("") : "";
}

namespace {
/// Converts the positions in a message, which are in `snapshot` unless the
/// message names another file.
class PositionConverter {
public:
  PositionConverter(StringRef file, const Text &text,
                    LineColumn (Text::*convert)(LineColumn) const)
      : file(file), text(text), convert(convert) {}

  void visit(json::Value &value, bool isHere = true) const;

private:
  void visit(json::Object &object, bool isHere) const;

  StringRef file;
  const Text &text;
  LineColumn (Text::*convert)(LineColumn) const;
};
} // namespace

void PositionConverter::visit(json::Value &value, bool isHere) const {
  if (json::Array *array = value.getAsArray())
    for (json::Value &element : *array)
      visit(element, isHere);
  else if (std::optional<LineColumn> position = getLineColumn(&value)) {
    if (isHere)
      value = toJSON((text.*convert)(*position));
  } else if (json::Object *object = value.getAsObject()) {
    visit(*object, isHere);
  }
}

void PositionConverter::visit(json::Object &object, bool isHere) const {
  if (std::optional<StringRef> uri = object.getString("uri"))
    isHere = getFile(*uri) == file;
  for (auto &[key, value] : object) {
    json::Object *changes =
        StringRef(key) == "changes" ? value.getAsObject() : nullptr;
    if (!changes) {
      visit(value, isHere);
      continue;
    }
    for (auto &[uri, edits] : *changes)
      visit(edits, getFile(uri) == file);
  }
}

//===----------------------------------------------------------------------===//
// From the editor to the server
//===----------------------------------------------------------------------===//

/// The text after changes; null if one of them is malformed.
static std::shared_ptr<const Text>
applyChanges(std::shared_ptr<const Text> text, const json::Array &changes) {
  for (const json::Value &value : changes) {
    const json::Object *change = value.getAsObject();
    std::optional<StringRef> inserted =
        change ? change->getString("text") : std::nullopt;
    if (!inserted)
      return nullptr;
    const json::Object *range = change->getObject("range");
    if (!range) {
      text = std::make_shared<const Text>(inserted->str());
      continue;
    }
    std::optional<LineColumn> start = getLineColumn(range->get("start"));
    std::optional<LineColumn> end = getLineColumn(range->get("end"));
    if (!start || !end)
      return nullptr;
    size_t begin = text->getOffset(*start);
    std::string contents = text->str().str();
    contents.replace(begin, std::max(text->getOffset(*end), begin) - begin,
                     inserted->str());
    text = std::make_shared<const Text>(std::move(contents));
  }
  return text;
}

/// A text for the server, which crashes on a diagnostic behind a carriage
/// return. To the parser that is a space, but for a comment, which would end
/// there.
static std::string getServerText(const Text &text) {
  std::string contents = text.str().str();
  llvm::replace(contents, '\r', ' ');
  return contents;
}

/// Takes note of a new text and gives it a number. The server gets whole texts.
bool Session::takeTextChange(StringRef method, json::Object &params) {
  json::Object *document = params.getObject("textDocument");
  std::string file = getFile(getURI(params));
  if (!document || file.empty())
    return true; // the server says what is wrong
  if (method == "textDocument/didClose") {
    texts.erase(file);
    return true;
  }
  TextPtr text;
  if (method == "textDocument/didOpen") {
    std::optional<StringRef> contents = document->getString("text");
    if (!contents)
      return true; // the server says what is wrong
    text = std::make_shared<const Text>(contents->str());
    (*document)["text"] = getServerText(*text);
  } else {
    auto it = texts.find(file);
    const json::Array *changes = params.getArray("contentChanges");
    if (it != texts.end() && changes)
      text = applyChanges(it->second, *changes);
    if (!text) {
      lsp::Logger::error("expects changes of an open file but got: {0}",
                         json::Value(json::Object(params)));
      return false;
    }
    params["contentChanges"] =
        json::Array{json::Object{{"text", getServerText(*text)}}};
  }
  texts[file] = text;
  std::lock_guard<std::mutex> lock(mutex);
  Version &version = versions[++versionCount];
  version.snapshot = {std::move(file), std::move(text)};
  if (const json::Value *number = document->get("version"))
    version.number = *number;
  (*document)["version"] = versionCount;
  return true;
}

bool Session::takeRequest(json::Value &message) {
  json::Object *object = message.getAsObject();
  std::optional<StringRef> method =
      object ? object->getString("method") : std::nullopt;
  json::Object *params = method ? object->getObject("params") : nullptr;
  if (!params)
    return true;
  const json::Value *id = object->get("id");
  if (!id) {
    bool isTextChange = *method == "textDocument/didOpen" ||
                        *method == "textDocument/didChange" ||
                        *method == "textDocument/didClose";
    return !isTextChange || takeTextChange(*method, *params);
  }
  Request request{method->str(),
                  {getFile(getURI(*params)), nullptr},
                  json::Value(json::Object(*params))};
  if (*method == "initialize") {
    if (const json::Object *capabilities = params->getObject("capabilities"))
      if (const json::Object *document =
              capabilities->getObject("textDocument"))
        if (const json::Object *completion = document->getObject("completion"))
          if (const json::Value *value =
                  getMember(*completion, "completionItem", "snippetSupport"))
            hasSnippets = value->getAsBoolean().value_or(false);
  } else {
    auto it = texts.find(request.snapshot.file);
    if (it == texts.end())
      return true;
    request.snapshot.text = it->second;
    json::Value converted(std::move(*params));
    PositionConverter(request.snapshot.file, *it->second, &Text::toBytes)
        .visit(converted);
    (*object)["params"] = std::move(converted);
  }
  std::lock_guard<std::mutex> lock(mutex);
  requests[getText(*id)] = std::move(request);
  return true;
}

//===----------------------------------------------------------------------===//
// From the server to the editor
//===----------------------------------------------------------------------===//

/// What we add to the capabilities of MLIR's server.
static void completeCapabilities(json::Object &result) {
  json::Object *info = result.getObject("serverInfo");
  if (info)
    *info = json::Object{{"name", "job-lsp-server"},
                         {"version", mlir::job::getCompilerVersion()}};
  json::Object *capabilities = result.getObject("capabilities");
  json::Object *completion =
      capabilities ? capabilities->getObject("completionProvider") : nullptr;
  if (!completion)
    return;
  // Names of ops have a dot, so a dot must not accept what is selected.
  completion->erase("allCommitCharacters");
  if (json::Array *characters = completion->getArray("triggerCharacters"))
    for (StringRef character : {"@", "{"})
      characters->push_back(character);
}

void Session::completeLocations(const Request &request, json::Object &answer,
                                bool isDefinition) {
  json::Array *result = answer.getArray("result");
  const json::Object &params = *request.params.getAsObject();
  std::optional<LineColumn> position = getLineColumn(params.get("position"));
  if (!result || !result->empty() || !position)
    return;
  auto find = isDefinition ? findDefinition : findReferences;
  *result = find(getURI(params), *request.snapshot.text, *position);
}

void Session::completeHover(const Request &request, json::Object &answer) {
  json::Object *result = answer.getObject("result");
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  std::optional<StringRef> value =
      contents ? contents->getString("value") : std::nullopt;
  std::optional<LineColumn> position =
      getLineColumn(request.params.getAsObject()->get("position"));
  if (!value || !position)
    return;
  std::string text = getHoverText(parser, request.snapshot.text, *position);
  if (!text.empty())
    (*contents)["value"] = value->rtrim().str() + "\n\n" + text;
}

void Session::completeCodeActions(const Request &request,
                                  json::Object &answer) {
  json::Array *result = answer.getArray("result");
  const json::Object &params = *request.params.getAsObject();
  const json::Value *value = getMember(params, "context", "diagnostics");
  const json::Array *diagnostics = value ? value->getAsArray() : nullptr;
  if (!result || !diagnostics)
    return;
  // The editor may ask for some kinds only.
  const json::Value *only = getMember(params, "context", "only");
  const json::Array *kinds = only ? only->getAsArray() : nullptr;
  if (kinds && !llvm::any_of(*kinds, [](const json::Value &kind) {
        StringRef name = kind.getAsString().value_or("");
        return name.empty() || name == "quickfix";
      }))
    return;
  json::Array actions =
      getFixIts(getURI(params), *request.snapshot.text, *diagnostics);
  for (json::Value &action : *result)
    actions.push_back(std::move(action));
  *result = std::move(actions);
}

void Session::completeResult(const Request &request, json::Object &answer) {
  if (request.method == "initialize") {
    if (json::Object *result = answer.getObject("result"))
      completeCapabilities(*result);
    return;
  }
  if (json::Value *result = answer.get("result"))
    PositionConverter(request.snapshot.file, *request.snapshot.text,
                      &Text::toUTF16)
        .visit(*result);
  bool isDefinition = request.method == "textDocument/definition";
  if (isDefinition || request.method == "textDocument/references") {
    completeLocations(request, answer, isDefinition);
  } else if (request.method == "textDocument/hover") {
    completeHover(request, answer);
  } else if (request.method == "textDocument/codeAction") {
    completeCodeActions(request, answer);
  } else if (request.method == "textDocument/completion") {
    json::Object *result = answer.getObject("result");
    std::optional<LineColumn> position =
        getLineColumn(request.params.getAsObject()->get("position"));
    if (result && position)
      addCompletions(*result, *request.snapshot.text, *position, hasSnippets);
  }
}

void Session::takeDiagnostics(json::Object &params) {
  std::optional<int64_t> number = params.getInteger("version");
  Version version;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = number ? versions.find(*number) : versions.end();
    if (it == versions.end())
      return;
    version = it->second;
    it->second.isPublished = true;
    // Diagnostics come in the order of the versions. The last version stays: on
    // its close the server clears its diagnostics.
    std::erase_if(versions, [&](const auto &entry) {
      return entry.first < *number &&
             entry.second.snapshot.file == version.snapshot.file;
    });
  }
  if (json::Value *diagnostics = params.get("diagnostics"))
    PositionConverter(version.snapshot.file, *version.snapshot.text,
                      &Text::toUTF16)
        .visit(*diagnostics);
  // A file that is closed has no diagnostics any more.
  json::Array *diagnostics = params.getArray("diagnostics");
  if (diagnostics && diagnostics->empty() && !version.isPublished)
    *diagnostics = getNameDiagnostics(
        parser, params.getString("uri").value_or(""), version.snapshot.text);
  if (version.number.getAsInteger())
    params["version"] = version.number;
  else
    params.erase("version");
}

void Session::takeAnswer(json::Value &message) {
  json::Object *object = message.getAsObject();
  if (!object)
    return;
  if (std::optional<StringRef> method = object->getString("method")) {
    json::Object *params = object->getObject("params");
    if (*method == "textDocument/publishDiagnostics" && params)
      takeDiagnostics(*params);
    return;
  }
  const json::Value *id = object->get("id");
  if (!id)
    return;
  Request request;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = requests.find(getText(*id));
    if (it == requests.end())
      return;
    request = std::move(it->second);
    requests.erase(it);
  }
  completeResult(request, *object);
}

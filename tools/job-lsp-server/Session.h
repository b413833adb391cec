//===- Session.h - Follows the messages of editor and server ----*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_SESSION_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_SESSION_H

#include "ParsedText.h"
#include "Text.h"

#include "mlir/IR/DialectRegistry.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace joblsp {

/// Stands between an editor and MLIR's server. It keeps the texts of the open
/// files, converts positions, and adds to the server's answers. Each of the two
/// public methods is called by one thread.
class Session {
public:
  explicit Session(const mlir::DialectRegistry &registry) : parser(registry) {}

  /// Prepares a message of the editor for the server. False if the server must
  /// not see it.
  bool takeRequest(llvm::json::Value &message);
  /// Completes a message of the server for the editor.
  void takeAnswer(llvm::json::Value &message);

private:
  using TextPtr = std::shared_ptr<const Text>;

  /// A text at some time, and the name of its file.
  struct Snapshot {
    std::string file;
    TextPtr text;
  };

  /// A request without an answer.
  struct Request {
    std::string method;
    Snapshot snapshot;
    /// As the editor sent them.
    llvm::json::Value params = nullptr;
  };

  /// A text whose diagnostics are to come.
  struct Version {
    Snapshot snapshot;
    /// The editor's number of the version.
    llvm::json::Value number = nullptr;
    /// Whether its diagnostics have come; the next ones clear them.
    bool isPublished = false;
  };

  bool takeTextChange(llvm::StringRef method, llvm::json::Object &params);
  void takeDiagnostics(llvm::json::Object &params);
  void completeResult(const Request &request, llvm::json::Object &answer);
  void completeLocations(const Request &request, llvm::json::Object &answer,
                         bool isDefinition);
  void completeHover(const Request &request, llvm::json::Object &answer);
  void completeCodeActions(const Request &request, llvm::json::Object &answer);

  /// Texts of the open files by name; the editor's thread only.
  std::map<std::string, TextPtr> texts;
  /// The server's thread only.
  TextParser parser;
  std::atomic<bool> hasSnippets = false;

  std::mutex mutex;
  // Guarded by the mutex.
  /// By the text of the id.
  std::map<std::string, Request> requests;
  /// By the number that the server knows a version by.
  std::map<int64_t, Version> versions;
  int64_t versionCount = 0;
};

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_SESSION_H

//===- DrawSvg.cpp - DOT text as a picture --------------------------------===//

#include "JobDialect/Analysis/Graph.h"
#include "JobDialect/Support/SystemError.h"
#include "JobDialect/Support/TemporaryFiles.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <csignal>
#include <thread>

using namespace mlir;
using namespace mlir::job;

bool job::hasDot() { return bool(llvm::sys::findProgramByName("dot")); }

/// Runs `program` until it ends, or kills it after `seconds`; its status, or
/// none for one that was killed here. LLVM's own time limit is an alarm, which
/// in a process with threads may reach another one than that which waits.
static std::optional<int> run(StringRef program, ArrayRef<StringRef> arguments,
                              ArrayRef<std::optional<StringRef>> redirects,
                              unsigned seconds, std::string &error) {
  using namespace std::chrono;
  steady_clock::time_point deadline =
      steady_clock::now() + std::chrono::seconds(seconds);
  bool isExecutionFailed = false;
  llvm::sys::ProcessInfo process = llvm::sys::ExecuteNoWait(
      program, arguments, /*Env=*/std::nullopt, redirects, /*MemoryLimit=*/0,
      &error, &isExecutionFailed);
  if (isExecutionFailed)
    return -1;
  while (true) {
    llvm::sys::ProcessInfo ended =
        llvm::sys::Wait(process, /*SecondsToWait=*/0, &error);
    if (ended.Pid != 0)
      return ended.ReturnCode;
    if (steady_clock::now() >= deadline)
      break;
    std::this_thread::sleep_for(milliseconds(5));
  }
  ::kill(process.Pid, SIGKILL);
  llvm::sys::Wait(process, /*SecondsToWait=*/std::nullopt);
  return std::nullopt;
}

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

FailureOr<std::string> job::drawSvg(StringRef dotText, Location loc,
                                    unsigned seconds) {
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName("dot");
  if (!program)
    return emitError(loc, "expects Graphviz's program 'dot' on PATH");
  TemporaryFiles files;
  std::string input, output, messages;
  for (auto [path, suffix] :
       {std::pair(&input, "dot"), {&output, "svg"}, {&messages, "txt"}})
    if (llvm::Error error = files.create(suffix).moveInto(*path))
      return emitError(loc) << llvm::toString(std::move(error));
  std::error_code code;
  llvm::raw_fd_ostream os(input, code);
  if (!code) {
    os << dotText;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return emitError(loc) << "cannot write '" << input
                          << "': " << describeSystemError(code);

  std::string error;
  std::optional<int> status =
      run(*program, {*program, "-Tsvg"},
          {StringRef(input), StringRef(output), StringRef(messages)}, seconds,
          error);
  if (!status)
    return emitError(loc, "expects '")
           << *program << "' to end within " << seconds << " seconds";
  if (*status != 0) {
    // A program that does not run has no messages of its own.
    std::string text = readFile(messages);
    return emitError(loc, "'") << *program << "' failed with status " << *status
                               << ": " << StringRef(text + error).trim();
  }
  return readFile(output);
}

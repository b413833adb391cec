//===- job-lsp-server.cpp - A language server for jobs and programs -------===//
//
// MLIR's language server with our dialects. It has no hooks, so it runs between
// two pipes in this process: one thread hands it what the editor says and keeps
// the texts of open files, another hands its answers back and adds to those on
// hovers, completions and code actions (Session.h).
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "../common/Startup.h"

#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Support/SystemError.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Logging.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>

using namespace joblsp;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

namespace {

/// What the command line says about messages; the rest is the server's.
struct Options {
  lsp::JSONStreamStyle style = lsp::JSONStreamStyle::Standard;
  bool isPretty = false, isHelp = false;
  std::vector<char *> serverArguments;
};

} // namespace

static Options parseOptions(int argc, char **argv) {
  Options options;
  options.serverArguments.push_back(argv[0]);
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument(argv[i]);
    llvm::StringRef name = argument.drop_while([](char c) { return c == '-'; });
    if (name == "lit-test") {
      options.style = lsp::JSONStreamStyle::Delimited;
      options.isPretty = true;
    } else if (name == "pretty") {
      options.isPretty = true;
    } else if (name == "input-style=delimited") {
      options.style = lsp::JSONStreamStyle::Delimited;
    } else if (name == "input-style=standard") {
      options.style = lsp::JSONStreamStyle::Standard;
    } else {
      options.isHelp |= name == "help" || name == "help-hidden" ||
                        name == "help-list" || name == "h" || name == "version";
      options.serverArguments.push_back(argv[i]);
    }
  }
  return options;
}

/// Sends a message on. False when it is no message of JSON-RPC.
static bool forward(json::Value message, lsp::JSONTransport &transport) {
  json::Object *object = message.getAsObject();
  if (!object)
    return false;
  auto get = [&](llvm::StringRef name) -> json::Value {
    const json::Value *value = object->get(name);
    return value ? *value : json::Value(nullptr);
  };
  const json::Value *id = object->get("id");
  if (std::optional<llvm::StringRef> method = object->getString("method")) {
    if (id)
      transport.call(*method, get("params"), *id);
    else
      transport.notify(*method, get("params"));
    return true;
  }
  if (!id)
    return false;
  if (const json::Object *error = object->getObject("error"))
    transport.reply(*id, llvm::make_error<lsp::LSPError>(
                             error->getString("message").value_or("").str(),
                             static_cast<lsp::ErrorCode>(
                                 error->getInteger("code").value_or(0))));
  else
    transport.reply(*id, get("result"));
  return true;
}

/// Reads messages, passes each to `observe`, which may change it or drop it by
/// returning false, and sends it on, until the input ends or the reader of the
/// output is gone. Closes both.
static void pump(int in, lsp::JSONStreamStyle style, int out, bool isPretty,
                 llvm::function_ref<bool(json::Value &)> observe) {
  std::FILE *file = ::fdopen(in, "r");
  lsp::JSONTransportInputOverFile input(file, style);
  llvm::raw_fd_ostream output(out, /*shouldClose=*/true);
  lsp::JSONTransport transport(/*In=*/nullptr, output, isPretty);
  while (!input.isEndOfInput() && !input.hasError() && !output.has_error()) {
    std::string text;
    if (failed(input.readMessage(text)))
      continue;
    llvm::Expected<json::Value> message = json::parse(text);
    if (!message) {
      lsp::Logger::error("expects JSON but got: {0}",
                         llvm::toString(message.takeError()));
      continue;
    }
    if (!observe(*message))
      continue;
    if (!forward(std::move(*message), transport))
      lsp::Logger::error("expects a message of JSON-RPC but got: {0}",
                         llvm::StringRef(text).trim());
  }
  output.clear_error(); // else the destructor ends the process
  std::fclose(file);
}

static int runServer(const Options &options, mlir::DialectRegistry &registry) {
  // vscode-languageclient and other clients append it.
  llvm::cl::opt<bool> stdio(
      "stdio", llvm::cl::desc("Ignored: the server always communicates on "
                              "standard input and output"));
  std::vector<char *> arguments = options.serverArguments;
  arguments.push_back(nullptr);
  return failed(mlir::MlirLspServerMain(arguments.size() - 1, arguments.data(),
                                        registry));
}

int main(int argc, char **argv) {
  jobmlir::reportOutputErrors("job-lsp-server");
  jobmlir::setVersion();
  Options options = parseOptions(argc, argv);
  mlir::DialectRegistry registry;
  mlir::job::registerAllDialects(registry);
  if (options.isHelp)
    return runServer(options, registry);

  // The editor keeps our old standard streams; the server gets the pipes.
  int editorIn = ::dup(STDIN_FILENO), editorOut = ::dup(STDOUT_FILENO);
  int toServer[2], fromServer[2];
  if (editorIn < 0 || editorOut < 0 || ::pipe(toServer) || ::pipe(fromServer) ||
      ::dup2(toServer[0], STDIN_FILENO) < 0 ||
      ::dup2(fromServer[1], STDOUT_FILENO) < 0) {
    std::error_code code(errno, std::generic_category());
    llvm::errs() << "job-lsp-server: error: cannot set up pipes: "
                 << mlir::job::describeSystemError(code) << '\n';
    return 1;
  }
  ::close(toServer[0]);
  ::close(fromServer[1]);
  // Either side may go first.
  std::signal(SIGPIPE, SIG_IGN);

  auto session = std::make_shared<Session>(registry);
  std::thread requests([session, editorIn, out = toServer[1],
                        style = options.style] {
    pump(editorIn, style, out, /*isPretty=*/false,
         [&](json::Value &message) { return session->takeRequest(message); });
  });
  std::thread answers(
      [session, editorOut, in = fromServer[0], isPretty = options.isPretty] {
        pump(in, lsp::JSONStreamStyle::Standard, editorOut, isPretty,
             [&](json::Value &message) {
               session->takeAnswer(message);
               return true;
             });
      });

  int status = runServer(options, registry);
  llvm::outs().flush();
  ::close(STDOUT_FILENO); // the end of the answers
  answers.join();
  // After `exit` the editor may keep its side open; the thread that still waits
  // for it is in stdio, which a return from main() would clean up.
  requests.detach();
  llvm::sys::Process::Exit(status, /*NoCleanup=*/true);
}

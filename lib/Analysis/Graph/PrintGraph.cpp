//===- PrintGraph.cpp - Draw jobs and programs ----------------------------===//

#include "JobDialect/Analysis/Graph.h"
#include "JobDialect/Analysis/Passes.h"
#include "JobDialect/Support/OutputFile.h"

#include "GraphModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBPRINTGRAPH
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// What there is to draw, for an error.
static std::string listNames(ModuleOp module) {
  SmallVector<std::string> names;
  for (Operation &op : *module.getBody())
    if (isa<FuncOp, plan::ProgramOp>(op))
      names.push_back(
          ("'" + SymbolTable::getSymbolName(&op).getValue() + "'").str());
  return names.empty() ? "none" : llvm::join(names, ", ");
}

FailureOr<std::string> job::formatGraph(ModuleOp module, StringRef entry,
                                        bool joinUpdates) {
  std::vector<Graph> graphs;
  for (Operation &op : *module.getBody()) {
    if (auto func = dyn_cast<FuncOp>(op)) {
      if (entry.empty() || func.getSymName() == entry)
        graphs.push_back(buildGraph(func, joinUpdates));
    } else if (auto program = dyn_cast<plan::ProgramOp>(op)) {
      if (entry.empty() || program.getSymName() == entry)
        graphs.push_back(buildGraph(program, joinUpdates));
    }
  }
  if (!graphs.empty())
    return formatDot(graphs);
  if (entry.empty())
    return emitError(module.getLoc(), "expects a job or a program to draw");
  return emitError(module.getLoc(), "expects a job or a program '")
         << entry << "' to draw but got " << listNames(module);
}

namespace {

struct PrintGraphPass : public job::impl::JobPrintGraphBase<PrintGraphPass> {
  using JobPrintGraphBase::JobPrintGraphBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    FailureOr<std::string> text = formatGraph(module, entry, !updates);
    if (failed(text))
      return signalPassFailure();
    SmallString<128> path(output);
    bool isDrawn = !dot && hasDot();
    if (isDrawn)
      text = drawSvg(*text, module.getLoc());
    else if (!dot && llvm::sys::path::extension(path) == ".svg")
      llvm::sys::path::replace_extension(path, ".dot");
    if (failed(text))
      return signalPassFailure();
    if (failed(writeOutputFile(module.getLoc(), path, *text)))
      return signalPassFailure();
    if (!dot && !isDrawn)
      emitWarning(module.getLoc(),
                  "expects Graphviz's program 'dot' on PATH to "
                  "draw a picture; wrote its DOT text to ")
          << (path == "-" ? "standard output" : "'" + path + "'");
  }
};

} // namespace

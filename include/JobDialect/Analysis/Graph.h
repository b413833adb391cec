//===- Graph.h - Pictures of jobs and programs ------------------*- C++ -*-===//

#ifndef JOBDIALECT_ANALYSIS_GRAPH_H
#define JOBDIALECT_ANALYSIS_GRAPH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::job {

/// Every job and program of `module`, or the one named `entry`, side by side in
/// the order of the module (see job-print-graph), as one graph in Graphviz's
/// language DOT. It is an error if there is no such entry, or no entry at all.
/// With `joinUpdates` the ops that update one variable are one box.
FailureOr<std::string> formatGraph(ModuleOp module, StringRef entry = "",
                                   bool joinUpdates = true);

/// Whether Graphviz's program `dot` is on PATH.
bool hasDot();

/// The SVG picture that `dot` makes of `dotText`. A program that is missing,
/// fails or has not ended after `seconds` is an error at `loc`.
FailureOr<std::string> drawSvg(StringRef dotText, Location loc,
                               unsigned seconds = 60);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_GRAPH_H

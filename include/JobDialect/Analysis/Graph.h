//===- Graph.h - Pictures of jobs and programs ------------------*- C++ -*-===//

#ifndef JOBDIALECT_ANALYSIS_GRAPH_H
#define JOBDIALECT_ANALYSIS_GRAPH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::job {

/// One SVG picture of every job and program of `module`, or of the one named
/// `entry`, side by side in the order of the module (see job-print-graph). An
/// entry that is not there, and a module without any, is an error. With
/// `joinUpdates` the ops that update one variable are one box.
FailureOr<std::string> drawGraph(ModuleOp module, StringRef entry = "",
                                 bool joinUpdates = true);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_GRAPH_H

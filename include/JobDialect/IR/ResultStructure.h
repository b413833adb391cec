//===- ResultStructure.h - The nesting of a job's results -------*- C++ -*-===//

#ifndef JOBDIALECT_IR_RESULTSTRUCTURE_H
#define JOBDIALECT_IR_RESULTSTRUCTURE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::job {

/// Checks the JSON text that gives the nesting of `numResults` results
/// (docs/artifact.md). No text is valid.
LogicalResult
verifyResultStructure(function_ref<InFlightDiagnostic()> emitError,
                      StringAttr text, int64_t numResults);

} // namespace mlir::job

#endif // JOBDIALECT_IR_RESULTSTRUCTURE_H

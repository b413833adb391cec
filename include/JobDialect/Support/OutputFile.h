//===- OutputFile.h - Text that a user asked for ----------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_OUTPUTFILE_H
#define JOBDIALECT_SUPPORT_OUTPUTFILE_H

#include "mlir/IR/Location.h"

namespace mlir::job {

/// Writes `text` to the file `path`, or to standard output for "-". An error,
/// such as that of a full disk, is emitted at `loc` and leaves no file.
LogicalResult writeOutputFile(Location loc, StringRef path, StringRef text);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_OUTPUTFILE_H

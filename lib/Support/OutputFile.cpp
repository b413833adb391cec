//===- OutputFile.cpp - Text that a user asked for ------------------------===//

#include "JobDialect/Support/OutputFile.h"
#include "JobDialect/Support/SystemError.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult job::writeOutputFile(Location loc, StringRef path,
                                   StringRef text) {
  std::string problem;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &problem);
  if (!file)
    return emitError(loc, problem);
  file->os() << text;
  file->os().flush();
  if (std::error_code code = file->os().error()) {
    // Else the stream's destructor ends the process.
    file->os().clear_error();
    return emitError(loc) << "cannot write '" << path
                          << "': " << describeSystemError(code);
  }
  file->keep();
  return success();
}

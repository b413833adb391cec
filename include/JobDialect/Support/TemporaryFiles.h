//===- TemporaryFiles.h - Files that do not stay ----------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_TEMPORARYFILES_H
#define JOBDIALECT_SUPPORT_TEMPORARYFILES_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::job {

/// Files that are removed with this object, also where a signal ends the
/// process.
class TemporaryFiles {
public:
  TemporaryFiles() = default;
  TemporaryFiles(const TemporaryFiles &) = delete;
  TemporaryFiles &operator=(const TemporaryFiles &) = delete;
  ~TemporaryFiles();

  /// Makes an empty file in the system's folder for them, which TMPDIR names,
  /// with a name that ends with "." and `suffix`; its path. The error has the
  /// folder.
  llvm::Expected<std::string> create(StringRef suffix);

private:
  std::vector<std::string> paths;
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_TEMPORARYFILES_H

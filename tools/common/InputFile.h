//===- InputFile.h - The file that a tool reads -----------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_INPUTFILE_H
#define JOBMLIR_TOOLS_COMMON_INPUTFILE_H

#include "JobDialect/Support/SystemError.h"

#include "llvm/Support/MemoryBuffer.h"

namespace jobmlir {

/// The contents of a file, or of standard input for "-"; null and a message on
/// failure.
inline std::unique_ptr<llvm::MemoryBuffer> openInput(const std::string &path,
                                                     std::string &error) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (file)
    return std::move(*file);
  error = "cannot open input file '" + path +
          "': " + mlir::job::describeSystemError(file.getError());
  return nullptr;
}

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_INPUTFILE_H

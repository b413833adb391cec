//===- SystemError.cpp - What the system says of an error -----------------===//

#include "JobDialect/Support/SystemError.h"

#include "llvm/ADT/StringExtras.h"

std::string mlir::job::describeSystemError(std::error_code code) {
  std::string text = code.message();
  if (!text.empty())
    text[0] = llvm::toLower(text[0]);
  return text;
}

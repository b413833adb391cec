//===- ByteCountParser.h - Bytes on the command line ------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_BYTECOUNTPARSER_H
#define JOBDIALECT_SUPPORT_BYTECOUNTPARSER_H

#include "JobDialect/Support/Units.h"

#include "llvm/Support/CommandLine.h"

namespace mlir::job {

/// Parses what parseBytes reads; for LLVM's and MLIR's options alike. LLVM's
/// parser of int64_t itself is final.
class ByteCountParser : public llvm::cl::parser<long long> {
public:
  explicit ByteCountParser(llvm::cl::Option &option)
      : llvm::cl::parser<long long>(option) {}

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             long long &bytes) {
    std::optional<int64_t> count = parseBytes(text);
    if (!count)
      return option.error("expects a number of bytes from 1 on, such as "
                          "1048576, 1024K or 512M, but got '" +
                          text + "'");
    bytes = *count;
    return false;
  }
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_BYTECOUNTPARSER_H

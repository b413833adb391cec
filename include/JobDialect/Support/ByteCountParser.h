//===- ByteCountParser.h - Bytes on the command line ------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_BYTECOUNTPARSER_H
#define JOBDIALECT_SUPPORT_BYTECOUNTPARSER_H

#include "JobDialect/Support/Units.h"

#include "llvm/Support/CommandLine.h"

namespace mlir::job {

/// Parses numbers of bytes with parseBytes, for options of LLVM and of MLIR
/// passes. It derives from parser<long long> because LLVM's parser of int64_t
/// is final.
class ByteCountParser : public llvm::cl::parser<long long> {
public:
  explicit ByteCountParser(llvm::cl::Option &option)
      : llvm::cl::parser<long long>(option) {}

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             long long &bytes) {
    std::optional<int64_t> count = parseBytes(text);
    if (!count)
      return option.error("expects a positive number of bytes, such as "
                          "1048576, 1024K or 512M, but got '" +
                          text + "'");
    bytes = *count;
    return false;
  }
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_BYTECOUNTPARSER_H

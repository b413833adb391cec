//===- Reference.h - Ops, attributes and types with their texts -*- C++ -*-===//
//
// What the dialects' definitions say, as tables (make-reference.py).
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_REFERENCE_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_REFERENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace joblsp {

/// An attribute that an op's dictionary may hold.
struct AttributeInfo {
  llvm::StringRef name, summary, defaultValue;
  bool isOptional, isUnit;
  /// Its values, or how they begin, if they have a fixed form.
  std::vector<llvm::StringRef> values;
};

struct OpInfo {
  /// With the dialect: "job.matmul".
  llvm::StringRef name;
  llvm::StringRef summary, description;
  /// What follows the name, as a snippet of the protocol.
  llvm::StringRef snippet;
  bool isSymbol, hasRegions;
  std::vector<AttributeInfo> attributes;

  const AttributeInfo *getAttribute(llvm::StringRef name) const;
};

struct ParameterInfo {
  llvm::StringRef name, type;
};

/// An attribute or a type of a dialect.
struct MnemonicInfo {
  /// As in a text: "#job.adam", "!job.blob".
  llvm::StringRef name;
  llvm::StringRef summary, description;
  std::vector<ParameterInfo> parameters;
};

llvm::ArrayRef<OpInfo> getOps();
llvm::ArrayRef<MnemonicInfo> getMnemonics();
/// Null if the name is none of our ops.
const OpInfo *findOp(llvm::StringRef name);
const MnemonicInfo *findMnemonic(llvm::StringRef name);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_REFERENCE_H

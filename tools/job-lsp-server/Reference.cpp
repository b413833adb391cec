//===- Reference.cpp - Ops, attributes and types with their texts ---------===//

#include "Reference.h"

#include "llvm/ADT/STLExtras.h"

using namespace joblsp;

const AttributeInfo *OpInfo::getAttribute(llvm::StringRef name) const {
  auto it = llvm::find_if(
      attributes, [&](const AttributeInfo &info) { return info.name == name; });
  return it == attributes.end() ? nullptr : &*it;
}

llvm::ArrayRef<OpInfo> joblsp::getOps() {
  static const std::vector<OpInfo> ops = {
#define JOB_LSP_OPS
#include "Reference.inc"
#undef JOB_LSP_OPS
  };
  return ops;
}

llvm::ArrayRef<MnemonicInfo> joblsp::getMnemonics() {
  static const std::vector<MnemonicInfo> mnemonics = {
#define JOB_LSP_MNEMONICS
#include "Reference.inc"
#undef JOB_LSP_MNEMONICS
  };
  return mnemonics;
}

template <typename Info>
static const Info *find(llvm::ArrayRef<Info> infos, llvm::StringRef name) {
  auto it =
      llvm::find_if(infos, [&](const Info &info) { return info.name == name; });
  return it == infos.end() ? nullptr : it;
}

const OpInfo *joblsp::findOp(llvm::StringRef name) {
  return find(getOps(), name);
}

const MnemonicInfo *joblsp::findMnemonic(llvm::StringRef name) {
  return find(getMnemonics(), name);
}

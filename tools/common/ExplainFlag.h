//===- ExplainFlag.h - The option --explain ---------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_EXPLAINFLAG_H
#define JOBMLIR_TOOLS_COMMON_EXPLAINFLAG_H

#include "JobDialect/Support/Explain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace jobmlir {

/// Lists the valid values in its error, unlike LLVM's parser.
template <typename T> class ChoiceParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, T &value) {
    if (this->findOption(text) != this->getNumOptions())
      return llvm::cl::parser<T>::parse(option, name, text, value);
    llvm::SmallVector<llvm::StringRef> choices;
    for (unsigned i = 0; i < this->getNumOptions(); ++i)
      choices.push_back(this->getOption(i));
    return option.error("expects one of " + llvm::join(choices, ", ") +
                        " but got '" + text + "'");
  }
};

/// --explain=fusion,memory,kernels. LLVM's parser keeps pointers to its
/// options: make one that is static.
class ExplainFlag {
public:
  explicit ExplainFlag(
      llvm::cl::OptionCategory &category = llvm::cl::getGeneralCategory())
      : categories("explain",
                   llvm::cl::desc("Print the reasons of decisions about:"),
                   llvm::cl::CommaSeparated, llvm::cl::cat(category),
                   llvm::cl::values(
                       value(mlir::job::ExplainCategory::Fusion,
                             "grouping of ops into kernels"),
                       value(mlir::job::ExplainCategory::Memory,
                             "updates in place, the packing of the arena"),
                       value(mlir::job::ExplainCategory::Kernels,
                             "loops, chunks, library calls"))) {}

  /// What the command line said.
  std::vector<mlir::job::ExplainCategory> get() const {
    return {categories.begin(), categories.end()};
  }
  const llvm::cl::Option &getOption() const { return categories; }

private:
  static llvm::cl::OptionEnumValue value(mlir::job::ExplainCategory category,
                                         llvm::StringRef text) {
    return {mlir::job::stringifyExplainCategory(category),
            static_cast<int>(category), text};
  }

  llvm::cl::list<mlir::job::ExplainCategory, bool,
                 ChoiceParser<mlir::job::ExplainCategory>>
      categories;
};

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_EXPLAINFLAG_H

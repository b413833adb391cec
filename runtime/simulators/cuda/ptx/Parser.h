//===- Parser.h - The text of PTX -------------------------------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_PTX_PARSER_H
#define JOBRT_SIMULATORS_CUDA_PTX_PARSER_H

#include "simulators/cuda/ptx/Decoder.h"

#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace jobsim::ptx {

/// What is wrong with the text: "line 3: ...".
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Token {
  enum class Kind { kWord, kNumber, kString, kPunctuation, kEnd };

  Kind kind = Kind::kEnd;
  std::string_view text;
  unsigned line = 1;
};

/// Words (names, with their dots and percent signs), numbers, strings and
/// single characters; comments are left out.
std::vector<Token> tokenize(std::string_view text);

/// One text to one module. Throws ParseError.
class Parser {
public:
  Parser(std::string_view text, Module &module)
      : tokens(tokenize(text)), module(module) {}

  void parse();

private:
  enum class Space { kGlobal, kShared, kLocal };
  /// A branch whose label may follow it.
  struct Branch {
    size_t instruction;
    std::string label;
    unsigned line;
    bool isTable;
  };

  // Tokens.
  [[noreturn]] void fail(const std::string &what) const;
  const Token &peek() const { return tokens[position]; }
  Token take();
  bool at(std::string_view text) const;
  bool takeIf(std::string_view text);
  void expect(std::string_view text);
  uint64_t takeInteger();
  void skipLine();

  // Of the module and of kernels.
  void parseHeader();
  void parseDirective();
  void parseKernel();
  void parseParameters(Kernel &kernel);
  void parseLimits(Kernel &kernel);
  void parseBody(Kernel &kernel);
  bool parseDeclaration(Kernel &kernel);
  void parseRegisters(Kernel &kernel);
  void parseVariable(Kernel *kernel);
  uint64_t place(Space space, uint64_t bytes, uint64_t alignment,
                 Kernel *kernel);
  std::byte *addConstant(uint64_t bytes, uint64_t alignment);
  void parseInitializer(unsigned elementBytes, std::byte *memory,
                        uint64_t bytes);
  void parseTargets(const std::string &label);
  void finishBranches(Kernel &kernel);
  void finishModule();

  // Instructions.
  void parseInstruction(Kernel &kernel);
  Operand parseOperand(Kernel &kernel, bool isBranch);
  void parseAddress(Kernel &kernel, Operand &operand);
  uint32_t takeSlot(Kernel &kernel);
  uint32_t slotOf(Kernel &kernel, std::string_view name);
  uint32_t constant(Kernel &kernel, uint64_t value);
  bool isWritable(uint32_t slot) const;
  void addRegister(Kernel &kernel, const std::string &name);

  std::vector<Token> tokens;
  size_t position = 0;
  Module &module;
  uint64_t constantBytes = 0;
  /// The addresses of variables outside of kernels.
  std::unordered_map<std::string, uint64_t> globals;

  // Of the kernel.
  std::unordered_map<std::string, uint32_t> registers;
  /// The names that each scope has declared, the innermost one last.
  std::vector<std::vector<std::string>> scopes;
  std::unordered_map<uint64_t, uint32_t> constants;
  std::unordered_set<uint32_t> constantSlots;
  std::unordered_map<std::string, uint32_t> parameters;
  /// Addresses, those of shared and local memory in it.
  std::unordered_map<std::string, uint64_t> variables;
  std::unordered_map<std::string, uint32_t> labels;
  std::unordered_map<std::string, std::vector<std::string>> tables;
  std::vector<Branch> branches;
  uint32_t sites = 0;
};

} // namespace jobsim::ptx

#endif // JOBRT_SIMULATORS_CUDA_PTX_PARSER_H

//===- Decoder.h - From statements of PTX to instructions -------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_PTX_DECODER_H
#define JOBRT_SIMULATORS_CUDA_PTX_DECODER_H

#include "simulators/cuda/ptx/Module.h"
#include "simulators/cuda/ptx/Types.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jobsim::ptx {

/// What an instruction names.
struct Operand {
  enum class Kind {
    /// A register, constant or address of a variable; two for `%r1|%p1`.
    kSlots,
    /// `{%r1, %r2}`
    kVector,
    /// `[%rd1+8]`
    kAddress,
    /// `[kernel_param_0+8]`
    kParameter,
    /// A name that is none of these: a label.
    kName,
  };

  Kind kind = Kind::kSlots;
  std::vector<uint32_t> slots;
  int64_t offset = 0;
  uint32_t parameter = 0;
  std::string name;
};

/// `ld.global.nc.v4.b32 {...}, [...];` in parts.
struct Statement {
  /// "ld", "global", "nc", "v4", "b32".
  std::vector<std::string> words;
  std::vector<Operand> operands;

  const std::string &name() const { return words.front(); }
  bool has(std::string_view word) const {
    return std::find(words.begin() + 1, words.end(), word) != words.end();
  }
  /// The types at the end of the name, the last one first.
  std::optional<Type> type(unsigned fromEnd = 0) const {
    if (words.size() < fromEnd + 2)
      return std::nullopt;
    return parseType(words[words.size() - 1 - fromEnd]);
  }
  /// Whether every word after the name is one of these, but for so many types
  /// at the end.
  bool hasOnly(std::initializer_list<std::string_view> known,
               unsigned types = 1) const;
  /// Whether the first operand is what the instruction computes.
  bool hasResult() const;
  /// Sets the slots of an instruction to those of the operands, in order, if
  /// there are `count` of one slot each.
  bool setSlots(Instruction &instruction, unsigned count) const;
};

/// Each decodes a family of instructions. False: it is not one of them, or has
/// a form that is not known.
bool decodeArithmetic(const Statement &statement, Instruction &instruction);
bool decodeBits(const Statement &statement, Instruction &instruction);
bool decodeComparison(const Statement &statement, Instruction &instruction);
bool decodeConversion(const Statement &statement, Instruction &instruction);
bool decodeMove(const Statement &statement, Instruction &instruction);
bool decodeAccess(const Statement &statement, const Kernel &kernel,
                  Instruction &instruction);
/// Branches have their targets set by the parser.
bool decodeControl(const Statement &statement, Instruction &instruction);

} // namespace jobsim::ptx

#endif // JOBRT_SIMULATORS_CUDA_PTX_DECODER_H

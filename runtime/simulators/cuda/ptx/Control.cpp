//===- Control.cpp - Branches, barriers and shuffles of PTX ---------------===//

#include "simulators/cuda/KernelRun.h"
#include "simulators/cuda/ptx/Handlers.h"

using namespace jobsim;
using namespace jobsim::ptx;

namespace {
void branch(Frame &frame, const Instruction &instruction) {
  frame.next = instruction.target;
}

/// Slots: the index.
void branchByTable(Frame &frame, const Instruction &instruction) {
  auto index = get<uint32_t>(frame.slots[instruction.slots[0]]);
  if (index >= instruction.targets.size())
    frame.run->refuse(*frame.thread, instruction.site,
                      "branch through a table to an index that it lacks");
  frame.next = instruction.targets[index];
}

void end(Frame &frame, const Instruction &instruction) {
  frame.next = static_cast<uint32_t>(frame.kernel->code.size());
}

void trap(Frame &frame, const Instruction &instruction) {
  frame.run->refuse(*frame.thread, instruction.site, "trap");
}

/// Slots: the number of the barrier.
void wait(Frame &frame, const Instruction &instruction) {
  if (frame.slots[instruction.slots[0]] != 0)
    frame.run->refuse(*frame.thread, instruction.site,
                      "a barrier with another number than 0");
  frame.run->barrier(*frame.thread, instruction.site);
}

/// Slots: the value, whether the source is in range, the own value, the lane,
/// the clamp, the mask.
template <uint32_t mode>
void shuffle(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  KernelThread &thread = *frame.thread;
  auto read = [&](unsigned i) {
    return static_cast<uint32_t>(frame.slots[at[i]]);
  };
  thread.mode = mode;
  thread.value = read(2);
  thread.lane = read(3);
  thread.clamp = read(4);
  thread.mask = read(5);
  bool isInRange =
      KernelRun::findSource(mode, thread.number % 32, thread.lane, thread.clamp)
          .has_value();
  frame.slots[at[0]] = frame.run->shuffle(thread, instruction.site);
  frame.slots[at[1]] = isInRange;
}
} // namespace

static bool decodeShuffle(const Statement &statement,
                          Instruction &instruction) {
  if (statement.operands.size() != 5 || statement.words.size() != 4 ||
      !statement.has("sync") || statement.type() != Type::kB32)
    return false;
  if (statement.has("up"))
    instruction.execute = shuffle<JOBSIM_SHUFFLE_UP>;
  else if (statement.has("down"))
    instruction.execute = shuffle<JOBSIM_SHUFFLE_DOWN>;
  else if (statement.has("bfly"))
    instruction.execute = shuffle<JOBSIM_SHUFFLE_XOR>;
  else if (statement.has("idx"))
    instruction.execute = shuffle<JOBSIM_SHUFFLE_INDEX>;
  else
    return false;
  const std::vector<uint32_t> &results = statement.operands[0].slots;
  if (results.empty() || results.size() > 2)
    return false;
  instruction.slots[0] = results[0];
  instruction.slots[1] = results.size() == 2 ? results[1] : uint32_t(kSink);
  for (unsigned i = 1; i < 5; ++i) {
    const Operand &operand = statement.operands[i];
    if (operand.kind != Operand::Kind::kSlots || operand.slots.size() != 1)
      return false;
    instruction.slots[i + 1] = operand.slots[0];
  }
  return true;
}

bool ptx::decodeControl(const Statement &statement, Instruction &instruction) {
  const std::string &name = statement.name();
  const std::vector<Operand> &operands = statement.operands;
  if (name == "bra" && statement.hasOnly({"uni"}, 0)) {
    instruction.execute = branch;
    return operands.size() == 1 && operands[0].kind == Operand::Kind::kName;
  }
  if (name == "brx" && statement.hasOnly({"idx", "uni"}, 0)) {
    instruction.execute = branchByTable;
    if (operands.size() != 2 || operands[0].kind != Operand::Kind::kSlots ||
        operands[1].kind != Operand::Kind::kName)
      return false;
    instruction.slots[0] = operands[0].slots[0];
    return true;
  }
  if ((name == "ret" || name == "exit") && statement.hasOnly({"uni"}, 0))
    return setForm(statement, {end, 0}, instruction);
  if (name == "trap" && statement.hasOnly({}, 0))
    return setForm(statement, {trap, 0}, instruction);
  // All threads of the block.
  if ((name == "bar" || name == "barrier") &&
      statement.hasOnly({"sync", "aligned", "cta"}, 0) && statement.has("sync"))
    return setForm(statement, {wait, 1}, instruction);
  if (name == "shfl")
    return decodeShuffle(statement, instruction);
  return false;
}

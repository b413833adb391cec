//===- Access.cpp - Moves and accesses to memory of PTX -------------------===//

#include "simulators/cuda/KernelRun.h"
#include "simulators/cuda/ptx/Handlers.h"

#include <cstring>

using namespace jobsim;
using namespace jobsim::ptx;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

namespace {
void move(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] = frame.slots[instruction.slots[1]];
}

/// mov.b32 {%rs1, %rs2}, %r1: `count` parts of `bytes` each.
void split(Frame &frame, const Instruction &instruction) {
  unsigned count = instruction.count, bits = 8 * instruction.bytes;
  uint64_t value = frame.slots[instruction.slots[count]];
  for (unsigned i = 0; i < count; ++i)
    frame.slots[instruction.slots[i]] =
        value >> (bits * i) & (~uint64_t(0) >> (64 - bits));
}

void join(Frame &frame, const Instruction &instruction) {
  unsigned count = instruction.count, bits = 8 * instruction.bytes;
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i)
    value |=
        (frame.slots[instruction.slots[i + 1]] & (~uint64_t(0) >> (64 - bits)))
        << (bits * i);
  frame.slots[instruction.slots[0]] = value;
}

/// Addresses in shared and local memory are offsets, those in global memory and
/// generic ones are the host's.
void sharedToGeneric(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] =
      reinterpret_cast<uintptr_t>(frame.thread->shared) +
      frame.slots[instruction.slots[1]];
}
void genericToShared(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] =
      frame.slots[instruction.slots[1]] -
      reinterpret_cast<uintptr_t>(frame.thread->shared);
}
void localToGeneric(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] = reinterpret_cast<uintptr_t>(frame.local) +
                                      frame.slots[instruction.slots[1]];
}
void genericToLocal(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] = frame.slots[instruction.slots[1]] -
                                      reinterpret_cast<uintptr_t>(frame.local);
}
} // namespace

static bool decodeParts(const Statement &statement, Type type,
                        Instruction &instruction) {
  if (statement.operands.size() != 2)
    return false;
  const Operand &to = statement.operands[0], &from = statement.operands[1];
  bool isSplit = to.kind == Operand::Kind::kVector;
  const Operand &parts = isSplit ? to : from, &whole = isSplit ? from : to;
  size_t count = parts.slots.size();
  if (parts.kind != Operand::Kind::kVector ||
      whole.kind != Operand::Kind::kSlots || whole.slots.size() != 1 ||
      (count != 2 && count != 4) || bytesOf(type) % count)
    return false;
  instruction.count = static_cast<uint32_t>(count);
  instruction.bytes = bytesOf(type) / instruction.count;
  instruction.execute = isSplit ? split : join;
  auto next = instruction.slots.begin();
  for (const Operand *operand : {&to, &from})
    next = std::copy(operand->slots.begin(), operand->slots.end(), next);
  return true;
}

bool ptx::decodeMove(const Statement &statement, Instruction &instruction) {
  std::optional<Type> type = statement.type();
  if (!type)
    return false;
  if (statement.name() == "mov" && statement.hasOnly({}))
    return setForm(statement, {move, 2}, instruction) ||
           decodeParts(statement, *type, instruction);
  if (statement.name() != "cvta")
    return false;
  Handler execute = nullptr;
  if (statement.hasOnly({"global"}) || statement.hasOnly({"to", "global"}))
    execute = move;
  else if (statement.hasOnly({"to", "shared"}))
    execute = statement.has("to") ? genericToShared : sharedToGeneric;
  else if (statement.hasOnly({"to", "local"}))
    execute = statement.has("to") ? genericToLocal : localToGeneric;
  return setForm(statement, {execute, 2}, instruction);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// In `flags` beside those of access().
constexpr uint32_t kSigned = 1 << 16;

/// memcpy of 1, 2, 4 or 8 bytes, without a call.
void copyElement(void *to, const void *from, uint32_t bytes) {
  switch (bytes) {
  case 1:
    std::memcpy(to, from, 1);
    return;
  case 2:
    std::memcpy(to, from, 2);
    return;
  case 4:
    std::memcpy(to, from, 4);
    return;
  default:
    std::memcpy(to, from, 8);
    return;
  }
}

uint64_t loadElement(const std::byte *from, const Instruction &instruction) {
  uint64_t value = 0;
  copyElement(&value, from, instruction.bytes);
  unsigned unused = 64 - 8 * instruction.bytes;
  return instruction.flags & kSigned
             ? static_cast<uint64_t>(static_cast<int64_t>(value << unused) >>
                                     unused)
             : value;
}

/// Where an access is in the host's memory, once it is checked. The address is
/// in a slot, and the instruction has an offset to it.
std::byte *check(Frame &frame, const Instruction &instruction, uint32_t slot,
                 uint32_t flags) {
  Space space = instruction.space;
  auto address = static_cast<uintptr_t>(
      frame.slots[slot] + static_cast<uint64_t>(instruction.offset));
  uint32_t bytes = instruction.count * instruction.bytes;
  auto shared = reinterpret_cast<uintptr_t>(frame.thread->shared);
  auto local = reinterpret_cast<uintptr_t>(frame.local);
  if (space == Space::kShared)
    address += shared;
  else if (space == Space::kLocal)
    address += local;
  if (space == Space::kLocal || (space == Space::kGeneric &&
                                 address - local < frame.kernel->localBytes)) {
    uintptr_t offset = address - local;
    if (address % bytes || offset > frame.kernel->localBytes ||
        bytes > frame.kernel->localBytes - offset)
      frame.run->refuse(*frame.thread, instruction.site,
                        "access out of bounds of local memory, or misaligned");
    return reinterpret_cast<std::byte *>(address);
  }
  if (space == Space::kShared ||
      (space == Space::kGeneric &&
       address - shared < frame.run->bytesOfSharedMemory()))
    flags |= JOBSIM_SHARED;
  frame.run->access(*frame.thread, address, bytes, bytes, flags,
                    instruction.site);
  return reinterpret_cast<std::byte *>(address);
}

/// Slots: the elements, the address.
void load(Frame &frame, const Instruction &instruction) {
  uint32_t flags = instruction.flags & ~kSigned;
  const std::byte *from =
      check(frame, instruction, instruction.slots[instruction.count], flags);
  for (unsigned i = 0; i < instruction.count; ++i)
    frame.slots[instruction.slots[i]] =
        loadElement(from + i * instruction.bytes, instruction);
}

/// Slots: the address, the elements.
void store(Frame &frame, const Instruction &instruction) {
  std::byte *to = check(frame, instruction, instruction.slots[0], JOBSIM_WRITE);
  for (unsigned i = 0; i < instruction.count; ++i)
    copyElement(to + i * instruction.bytes,
                &frame.slots[instruction.slots[i + 1]], instruction.bytes);
}

/// `target` is the number of the parameter.
void loadParameter(Frame &frame, const Instruction &instruction) {
  auto *from =
      static_cast<const std::byte *>(frame.parameters[instruction.target]) +
      instruction.offset;
  for (unsigned i = 0; i < instruction.count; ++i)
    frame.slots[instruction.slots[i]] =
        loadElement(from + i * instruction.bytes, instruction);
}

/// Slots: the old value, the address, the argument.
template <typename T, auto function>
void update(Frame &frame, const Instruction &instruction) {
  std::byte *at = check(frame, instruction, instruction.slots[1],
                        JOBSIM_WRITE | JOBSIM_ATOMIC);
  uint64_t old = 0;
  std::memcpy(&old, at, sizeof(T));
  uint64_t value =
      put<T>(function(get<T>(old), get<T>(frame.slots[instruction.slots[2]])));
  std::memcpy(at, &value, sizeof(T));
  frame.slots[instruction.slots[0]] = old;
}

template <auto function> Handler updateOf(Type type) {
  switch (type) {
  case Type::kB32:
  case Type::kU32:
    return update<uint32_t, function>;
  case Type::kS32:
    return update<int32_t, function>;
  case Type::kB64:
  case Type::kU64:
    return update<uint64_t, function>;
  case Type::kS64:
    return update<int64_t, function>;
  default:
    return nullptr;
  }
}
} // namespace

static Space findSpace(const Statement &statement) {
  return statement.has("global")   ? Space::kGlobal
         : statement.has("shared") ? Space::kShared
         : statement.has("local")  ? Space::kLocal
                                   : Space::kGeneric;
}

static unsigned countElements(const Statement &statement) {
  return statement.has("v4") ? 4 : statement.has("v2") ? 2 : 1;
}

/// What a thread accesses at once, up to compute capability 9.
static constexpr uint32_t kMaxAccessBytes = 16;

/// The type, the elements and the address, which is operand `address`.
static bool setAccess(const Statement &statement, unsigned address,
                      Instruction &instruction) {
  std::optional<Type> type = statement.type();
  if (!type || statement.operands.size() != 2)
    return false;
  const Operand &elements = statement.operands[1 - address];
  instruction.count = countElements(statement);
  instruction.bytes = bytesOf(*type);
  bool isVector = elements.kind == Operand::Kind::kVector;
  if (isVector != (instruction.count > 1) || *type == Type::kPred ||
      (!isVector && elements.kind != Operand::Kind::kSlots) ||
      elements.slots.size() != instruction.count ||
      instruction.count * instruction.bytes > kMaxAccessBytes)
    return false;
  const Operand &at = statement.operands[address];
  if (at.kind != Operand::Kind::kAddress &&
      at.kind != Operand::Kind::kParameter)
    return false;
  instruction.offset = at.offset;
  instruction.space = findSpace(statement);
  auto next = instruction.slots.begin();
  for (const Operand &operand : statement.operands)
    next = std::copy(operand.slots.begin(), operand.slots.end(), next);
  return true;
}

static bool decodeLoad(const Statement &statement, const Kernel &kernel,
                       Instruction &instruction) {
  if (!statement.hasOnly({"global", "shared", "local", "param", "nc", "v2",
                          "v4", "volatile"}) ||
      !setAccess(statement, 1, instruction))
    return false;
  if (isSigned(*statement.type()))
    instruction.flags |= kSigned;
  const Operand &from = statement.operands[1];
  if (statement.has("param")) {
    instruction.execute = loadParameter;
    instruction.target = from.parameter;
    uint64_t bytes = uint64_t(instruction.count) * instruction.bytes;
    return from.kind == Operand::Kind::kParameter && from.offset >= 0 &&
           uint64_t(from.offset) + bytes <=
               kernel.parameterBytes[from.parameter];
  }
  if (from.kind != Operand::Kind::kAddress)
    return false;
  if (statement.has("nc"))
    instruction.flags |= KernelRun::kReadOnly;
  instruction.execute = load;
  return true;
}

static bool decodeStore(const Statement &statement, Instruction &instruction) {
  if (!statement.hasOnly(
          {"global", "shared", "local", "v2", "v4", "volatile"}) ||
      !setAccess(statement, 0, instruction) ||
      statement.operands[0].kind != Operand::Kind::kAddress)
    return false;
  instruction.execute = store;
  return true;
}

static Handler findUpdate(const Statement &statement, Type type) {
  if (statement.has("add"))
    return updateOf<[](auto a, auto b) { return uint64_t(a) + uint64_t(b); }>(
        type);
  if (statement.has("min"))
    return updateOf<[](auto a, auto b) { return std::min(a, b); }>(type);
  if (statement.has("max"))
    return updateOf<[](auto a, auto b) { return std::max(a, b); }>(type);
  if (statement.has("and"))
    return updateOf<[](auto a, auto b) { return a & b; }>(type);
  if (statement.has("or"))
    return updateOf<[](auto a, auto b) { return a | b; }>(type);
  if (statement.has("xor"))
    return updateOf<[](auto a, auto b) { return a ^ b; }>(type);
  if (statement.has("exch"))
    return updateOf<[](auto a, auto b) { return b; }>(type);
  return nullptr;
}

/// atom, and red, which has no result.
static bool decodeUpdate(const Statement &statement, Instruction &instruction) {
  std::optional<Type> type = statement.type();
  unsigned address = statement.name() == "atom" ? 1 : 0;
  if (!type ||
      !statement.hasOnly({"global", "shared", "relaxed", "acquire", "release",
                          "acq_rel", "cta", "gpu", "sys", "add", "and", "or",
                          "xor", "exch", "min", "max"}) ||
      statement.operands.size() != address + 2 ||
      statement.operands[address].kind != Operand::Kind::kAddress)
    return false;
  instruction.count = 1;
  instruction.bytes = bytesOf(*type);
  instruction.offset = statement.operands[address].offset;
  instruction.slots[0] = kSink;
  for (unsigned i = 0; i < statement.operands.size(); ++i) {
    if (statement.operands[i].slots.size() != 1)
      return false;
    instruction.slots[i + 1 - address] = statement.operands[i].slots.front();
  }
  instruction.space = findSpace(statement);
  instruction.execute = findUpdate(statement, *type);
  return instruction.execute;
}

bool ptx::decodeAccess(const Statement &statement, const Kernel &kernel,
                       Instruction &instruction) {
  if (statement.name() == "ld")
    return decodeLoad(statement, kernel, instruction);
  if (statement.name() == "st")
    return decodeStore(statement, instruction);
  if (statement.name() == "atom" || statement.name() == "red")
    return decodeUpdate(statement, instruction);
  return false;
}

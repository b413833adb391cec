//===- Module.cpp - PTX that the simulated CUDA runs ----------------------===//

#include "simulators/cuda/ptx/Module.h"

#include "simulators/cuda/KernelRun.h"
#include "simulators/cuda/ptx/Parser.h"

#include <algorithm>

using namespace jobsim;
using namespace jobsim::ptx;

/// Of a thread: a second or two. Threads that wait for others without a barrier
/// would run for ever, as one of them runs at a time.
static constexpr uint64_t kMaxInstructions = uint64_t(1) << 28;

namespace {
struct TypeInfo {
  std::string_view name;
  Type type;
  unsigned bytes;
};
constexpr TypeInfo kTypes[] = {
    {"pred", Type::kPred, 1},     {"b8", Type::kB8, 1},
    {"b16", Type::kB16, 2},       {"b32", Type::kB32, 4},
    {"b64", Type::kB64, 8},       {"u8", Type::kU8, 1},
    {"u16", Type::kU16, 2},       {"u32", Type::kU32, 4},
    {"u64", Type::kU64, 8},       {"s8", Type::kS8, 1},
    {"s16", Type::kS16, 2},       {"s32", Type::kS32, 4},
    {"s64", Type::kS64, 8},       {"f16", Type::kF16, 2},
    {"bf16", Type::kBF16, 2},     {"f32", Type::kF32, 4},
    {"f64", Type::kF64, 8},       {"f16x2", Type::kF16x2, 4},
    {"bf16x2", Type::kBF16x2, 4}, {"u16x2", Type::kU16x2, 4},
    {"s16x2", Type::kS16x2, 4},
};
} // namespace

std::optional<Type> ptx::parseType(std::string_view name) {
  for (const TypeInfo &info : kTypes)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

// In the order of the enumerators.
unsigned ptx::bytesOf(Type type) { return kTypes[unsigned(type)].bytes; }

bool ptx::isSigned(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 ||
         type == Type::kS64;
}

bool ptx::isBits(Type type) { return type <= Type::kB64; }

bool ptx::isPair(Type type) { return type >= Type::kF16x2; }

bool ptx::isFloat(Type type) {
  return type >= Type::kF16 && type <= Type::kBF16x2;
}

bool Statement::hasOnly(std::initializer_list<std::string_view> known,
                        unsigned types) const {
  if (words.size() < types + 1)
    return false;
  auto end = words.end() - types;
  return std::all_of(words.begin() + 1, end,
                     [&](const auto &word) {
                       return std::find(known.begin(), known.end(), word) !=
                              known.end();
                     }) &&
         std::all_of(end, words.end(),
                     [](const auto &word) { return parseType(word); });
}

bool Statement::hasResult() const {
  constexpr std::string_view kWithout[] = {"st",  "red",     "bra",  "brx",
                                           "bar", "barrier", "trap", "ret"};
  return !operands.empty() &&
         std::find(std::begin(kWithout), std::end(kWithout), name()) ==
             std::end(kWithout);
}

bool Statement::setSlots(Instruction &instruction, unsigned count) const {
  if (operands.size() != count || count > Instruction::kMaxSlots)
    return false;
  for (unsigned i = 0; i < count; ++i) {
    if (operands[i].kind != Operand::Kind::kSlots ||
        operands[i].slots.size() != 1)
      return false;
    instruction.slots[i] = operands[i].slots.front();
  }
  return true;
}

std::unique_ptr<ptx::Module> ptx::Module::parse(std::string_view text,
                                                std::string &error) {
  auto module = std::make_unique<ptx::Module>();
  try {
    Parser(text, *module).parse();
  } catch (const ParseError &failure) {
    error = failure.what();
    return nullptr;
  } catch (const std::bad_alloc &) {
    error = "no memory for the module";
    return nullptr;
  }
  return module;
}

void ptx::Module::begin() {
  available.clear();
  for (const auto &storage : storages) {
    storage->kernel = nullptr;
    available.push_back(storage.get());
  }
}

void ptx::Module::run(const jobsim_kernel &entry, KernelRun &run,
                      KernelThread &thread, void *const *parameters) {
  const Kernel &kernel = kernels[&entry - entries.data()];
  if (available.empty()) {
    storages.push_back(std::make_unique<Storage>());
    available.push_back(storages.back().get());
  }
  Storage *storage = available.back();
  available.pop_back();
  if (storage->kernel != &kernel) {
    storage->kernel = &kernel;
    storage->slots = kernel.slots;
  }
  // Aligned as any variable may be, and one byte more, so that the end is not
  // the beginning of anything.
  constexpr size_t kAlignment = 4096;
  if (kernel.localBytes > 0)
    storage->local.assign(kernel.localBytes + kAlignment, std::byte(0xff));
  auto local = reinterpret_cast<uintptr_t>(storage->local.data());
  local += (kAlignment - local % kAlignment) % kAlignment;

  uint64_t *slots = storage->slots.data();
  std::copy(thread.thread_id, thread.thread_id + 3, slots + kThreadId);
  std::copy(thread.block_dim, thread.block_dim + 3, slots + kBlockDim);
  std::copy(thread.block_id, thread.block_id + 3, slots + kBlockId);
  std::copy(thread.grid_dim, thread.grid_dim + 3, slots + kGridDim);
  slots[kLane] = thread.number % 32;
  Frame frame{slots,      reinterpret_cast<std::byte *>(local),
              &run,       &thread,
              parameters, &kernel,
              0};
  const Instruction *code = kernel.code.data();
  auto size = static_cast<uint32_t>(kernel.code.size());
  for (uint64_t executed = 0; frame.next < size; ++executed) {
    const Instruction &instruction = code[frame.next++];
    if (instruction.guard &&
        (slots[instruction.guard - 1] & 1) == instruction.guardNegated)
      continue;
    if (executed == kMaxInstructions)
      run.refuse(thread, instruction.site,
                 "a thread that does not end, or waits for another in a loop");
    instruction.execute(frame, instruction);
  }
  available.push_back(storage);
}

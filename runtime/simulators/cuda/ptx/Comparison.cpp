//===- Comparison.cpp - Comparisons and selections of PTX -----------------===//

#include "simulators/cuda/ptx/Handlers.h"

using namespace jobsim;
using namespace jobsim::ptx;

namespace {
enum class Order { kLess, kEqual, kGreater, kUnordered };

template <typename T> Order compare(uint64_t a, uint64_t b) {
  auto left = get<T>(a), right = get<T>(b);
  return left < right    ? Order::kLess
         : left > right  ? Order::kGreater
         : left == right ? Order::kEqual
                         : Order::kUnordered;
}

/// The orders for which a comparison holds, a bit each.
constexpr uint32_t kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

struct Comparison {
  std::string_view name;
  uint32_t orders;
};
/// A comparison of floats with a u holds for a NaN, too.
constexpr Comparison kComparisons[] = {{"eq", kEqual},
                                       {"ne", kLess | kGreater},
                                       {"lt", kLess},
                                       {"le", kLess | kEqual},
                                       {"gt", kGreater},
                                       {"ge", kGreater | kEqual},
                                       {"lo", kLess},
                                       {"ls", kLess | kEqual},
                                       {"hi", kGreater},
                                       {"hs", kGreater | kEqual},
                                       {"equ", kEqual | kUnordered},
                                       {"neu", kLess | kGreater | kUnordered},
                                       {"ltu", kLess | kUnordered},
                                       {"leu", kLess | kEqual | kUnordered},
                                       {"gtu", kGreater | kUnordered},
                                       {"geu", kGreater | kEqual | kUnordered},
                                       {"num", kLess | kEqual | kGreater},
                                       {"nan", kUnordered}};

/// Slots: the predicate, the values. `flags` has the orders.
template <typename T>
void setPredicate(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  Order order = compare<T>(frame.slots[at[1]], frame.slots[at[2]]);
  frame.slots[at[0]] = instruction.flags >> unsigned(order) & 1;
}

/// Slots: the predicate, its opposite, the values.
template <typename T>
void setBoth(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  Order order = compare<T>(frame.slots[at[2]], frame.slots[at[3]]);
  bool holds = instruction.flags >> unsigned(order) & 1;
  frame.slots[at[0]] = holds;
  frame.slots[at[1]] = !holds;
}

/// Slots: the predicates of the low and of the high half, the values.
template <typename T>
void setPair(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  for (unsigned i : {0, 1}) {
    Order order = compare<T>(frame.slots[at[2]] >> (16 * i),
                             frame.slots[at[3]] >> (16 * i));
    frame.slots[at[i]] = instruction.flags >> unsigned(order) & 1;
  }
}

template <typename T> Form form(bool both) {
  return both ? Form{setBoth<T>, 3} : Form{setPredicate<T>, 3};
}

Form findForm(Type type, bool both) {
  switch (type) {
  case Type::kB16:
  case Type::kU16:
    return form<uint16_t>(both);
  case Type::kB32:
  case Type::kU32:
    return form<uint32_t>(both);
  case Type::kB64:
  case Type::kU64:
    return form<uint64_t>(both);
  case Type::kS16:
    return form<int16_t>(both);
  case Type::kS32:
    return form<int32_t>(both);
  case Type::kS64:
    return form<int64_t>(both);
  case Type::kF16:
    return form<Half>(both);
  case Type::kBF16:
    return form<BFloat>(both);
  case Type::kF32:
    return form<float>(both);
  case Type::kF64:
    return form<double>(both);
  case Type::kF16x2:
    return both ? Form{setPair<Half>, 3} : Form();
  case Type::kBF16x2:
    return both ? Form{setPair<BFloat>, 3} : Form();
  default:
    return {};
  }
}

void select(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  frame.slots[at[0]] = frame.slots[at[frame.slots[at[3]] & 1 ? 1 : 2]];
}
} // namespace

bool ptx::decodeComparison(const Statement &statement,
                           Instruction &instruction) {
  std::optional<Type> type = statement.type();
  if (!type)
    return false;
  if (statement.name() == "selp" && statement.hasOnly({}))
    return setForm(statement, {select, 4}, instruction);
  if (statement.name() != "setp" || statement.words.size() != 3)
    return false;
  for (const Comparison &comparison : kComparisons) {
    if (statement.words[1] != comparison.name)
      continue;
    instruction.flags = comparison.orders;
    bool both = !statement.operands.empty() &&
                statement.operands.front().slots.size() == 2;
    Form form = findForm(*type, both);
    if (!both)
      return setForm(statement, form, instruction);
    instruction.execute = form.execute;
    if (!form.execute || statement.operands.size() != form.operands)
      return false;
    // p|q
    Statement flat = statement;
    Operand second = flat.operands.front();
    second.slots.erase(second.slots.begin());
    flat.operands.front().slots.pop_back();
    flat.operands.insert(flat.operands.begin() + 1, second);
    return flat.setSlots(instruction, 4);
  }
  return false;
}

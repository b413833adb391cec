//===- Reduce.cpp - The arithmetic of the stand-in for NCCL ---------------===//
//
// Reductions are in the order of the ranks, and each step is rounded to the
// type. An average divides each term first, as NCCL does for floats.
//
//===----------------------------------------------------------------------===//

#include "simulators/common/Elements.h"
#include "simulators/nccl/State.h"

#include <algorithm>
#include <cstring>

using namespace jobsim;
using namespace jobsim::nccl;

namespace {
/// How an element is stored, and what it is computed in.
template <typename Storage, typename Value> struct Element {
  using Stored = Storage;
  using Computed = Value;
  static Value load(Storage stored) { return stored; }
  static Storage store(Value value) { return static_cast<Storage>(value); }
};
struct Half : Element<uint16_t, float> {
  static float load(uint16_t bits) { return fromF16(bits); }
  static uint16_t store(float value) { return toF16(value); }
};
struct Brain : Element<uint16_t, float> {
  static float load(uint16_t bits) { return fromBF16(bits); }
  static uint16_t store(float value) { return toBF16(value); }
};
} // namespace

template <typename Value>
static Value combine(int reduction, Value a, Value b) {
  switch (reduction) {
  case kProd:
    return a * b;
  case kMax:
    return std::max(a, b);
  case kMin:
    return std::min(a, b);
  default:
    return a + b;
  }
}

/// The reduction of `count` elements from `first` on.
template <typename Type>
static void reduce(const std::vector<std::shared_ptr<Entry>> &entries,
                   size_t first, std::vector<std::byte> &output) {
  using Stored = typename Type::Stored;
  const Call &call = entries.front()->call;
  // Integers wrap, which signed ones must not do in C++: they come as unsigned
  // ones unless their order matters.
  auto term = [&](size_t rank, size_t i) {
    Stored stored;
    std::memcpy(&stored,
                entries[rank]->input.data() + (first + i) * sizeof(stored),
                sizeof(stored));
    if (call.reduction != kAvg)
      return stored;
    auto scale = static_cast<typename Type::Computed>(1) / entries.size();
    return Type::store(Type::load(stored) * scale);
  };
  for (size_t i = 0; i < output.size() / sizeof(Stored); ++i) {
    Stored result = term(0, i);
    for (size_t rank = 1; rank < entries.size(); ++rank)
      result = Type::store(combine<typename Type::Computed>(
          call.reduction, Type::load(result), Type::load(term(rank, i))));
    std::memcpy(output.data() + i * sizeof(Stored), &result, sizeof(Stored));
  }
}

static void reduce(const std::vector<std::shared_ptr<Entry>> &entries,
                   size_t first, std::vector<std::byte> &output) {
  const Call &call = entries.front()->call;
  bool isOrdered = call.reduction == kMax || call.reduction == kMin;
  switch (call.type) {
  case kInt8:
    return isOrdered
               ? reduce<Element<int8_t, int8_t>>(entries, first, output)
               : reduce<Element<uint8_t, unsigned>>(entries, first, output);
  case kUint8:
    return reduce<Element<uint8_t, unsigned>>(entries, first, output);
  case kInt32:
    return isOrdered
               ? reduce<Element<int32_t, int32_t>>(entries, first, output)
               : reduce<Element<uint32_t, uint32_t>>(entries, first, output);
  case kInt64:
    return isOrdered
               ? reduce<Element<int64_t, int64_t>>(entries, first, output)
               : reduce<Element<uint64_t, uint64_t>>(entries, first, output);
  case kFloat16:
    return reduce<Half>(entries, first, output);
  case kBfloat16:
    return reduce<Brain>(entries, first, output);
  case kFloat64:
    return reduce<Element<double, double>>(entries, first, output);
  default:
    return reduce<Element<float, float>>(entries, first, output);
  }
}

void jobsim::nccl::computeCollective(
    const std::vector<std::shared_ptr<Entry>> &entries) {
  const Call &call = entries.front()->call;
  int ranks = static_cast<int>(entries.size());
  std::vector<std::byte> shared;
  switch (call.kind) {
  case Kind::kAllReduce:
    shared.resize(call.recvBytes(ranks));
    reduce(entries, 0, shared);
    break;
  case Kind::kAllGather:
    for (const auto &entry : entries)
      shared.insert(shared.end(), entry->input.begin(), entry->input.end());
    break;
  case Kind::kBroadcast:
    shared = entries[call.peer]->input;
    break;
  default:
    break;
  }
  for (const auto &entry : entries) {
    if (call.kind == Kind::kReduceScatter) {
      entry->output.resize(call.recvBytes(ranks));
      reduce(entries, entry->rank * call.count, entry->output);
    } else {
      entry->output = shared;
    }
    entry->isDone = true;
  }
}

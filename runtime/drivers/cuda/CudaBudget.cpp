//===- CudaBudget.cpp - Whether an artifact fits on a device --------------===//

#include "drivers/cuda/CudaBudget.h"
#include "drivers/cuda/CudaLanes.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::cuda;

/// The variables that errors list.
static constexpr size_t kListedVariables = 5;

DeviceBudget::DeviceBudget(const DeviceShare &share)
    : bank(share.bankBytes), constants(share.constantsBytes),
      variables(share.variables) {
  std::stable_sort(variables.begin(), variables.end(),
                   [](const VariableInfo *a, const VariableInfo *b) {
                     return a->bytes > b->bytes;
                   });
  variables.resize(std::min(variables.size(), kListedVariables));
  for (const EntryInfo *listed : share.entries) {
    const EntryInfo &entry = *listed;
    if (!largest || entry.arenaBytes > largest->arenaBytes)
      largest = &entry;
    arena = std::max(arena, entry.arenaBytes);
    workspace = std::max(workspace, entry.workspaceBytes);
    inputs = std::max(inputs, entry.inputBytes);
    outputs = std::max(outputs, entry.outputBytes);
  }
  staging = StepLanes::kSlots * (inputs + outputs);
}

static std::string formatLine(int64_t bytes, const std::string &type,
                              const std::string &name,
                              const std::string &location) {
  std::string text = "\n  " + std::to_string(bytes) + " bytes, " + type;
  if (!name.empty())
    text += " of '" + name + "'";
  if (!location.empty())
    text += ", " + location;
  return text;
}

/// A line for each of the largest buffers.
static std::string formatPeak(const EntryInfo &entry) {
  if (entry.peak.empty())
    return "";
  std::string text = "; the largest blobs of job '" + entry.name + "':";
  for (const PeakBuffer &buffer : entry.peak)
    text += formatLine(buffer.bytes, buffer.type, buffer.name, buffer.location);
  return text;
}

/// A line for each of the largest variables.
static std::string formatVariables(const DeviceBudget &budget) {
  if (budget.variables.empty())
    return "";
  std::string text = "; the largest variables:";
  for (const VariableInfo *variable : budget.variables)
    text += formatLine(variable->bytes,
                       formatType(variable->shape, variable->dtype),
                       variable->name, variable->location);
  return text;
}

/// What the budget is made of, with the largest blobs and variables.
static std::string formatParts(const DeviceBudget &budget) {
  return "an arena of " + std::to_string(budget.arena) + ", variables of " +
         std::to_string(budget.bank) + ", inputs and outputs of " +
         std::to_string(StepLanes::kSlots) + " steps of " +
         std::to_string(budget.staging) + ", a workspace of " +
         std::to_string(budget.workspace) + " and constants of " +
         std::to_string(budget.constants) +
         (budget.largest ? formatPeak(*budget.largest) : "") +
         formatVariables(budget);
}

Status cuda::checkFreeMemory(const DeviceContext &context,
                             const DeviceBudget &budget) {
  size_t free = 0, total = 0;
  const Api &api = context.api();
  if (Status status = api.check(api.memGetInfo(&free, &total), "cuMemGetInfo",
                                "the free memory of the device");
      !status.ok())
    return status;
  if (budget.total() <= static_cast<int64_t>(free))
    return {};
  return Status(StatusCode::kResourceExhausted,
                "expects " + std::to_string(budget.total()) +
                    " bytes of free memory on " + context.name() +
                    " but it has " + std::to_string(free) + " of " +
                    std::to_string(total) + ": " + formatParts(budget));
}

Status cuda::explainExhaustion(const DeviceContext &context,
                               const DeviceBudget &budget, Status status) {
  if (status.code() != StatusCode::kResourceExhausted)
    return status;
  size_t free = 0, total = 0;
  std::string left;
  if (context.api().memGetInfo(&free, &total) == kSuccess)
    left = ", of which " + std::to_string(free) + " of " +
           std::to_string(total) + " bytes are free";
  return Status(status.code(),
                status.message() + "; libraries and graphs need memory of " +
                    context.name() + left + ", beside the " +
                    std::to_string(budget.total()) +
                    " bytes of the session: " + formatParts(budget),
                status.location());
}

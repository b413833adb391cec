//===- LibraryCall.cpp - Library functions a plan may call ----------------===//

#include "drivers/host/LibraryCall.h"

#include <mutex>

using namespace jobrt;

namespace {
/// Calls added at run time, behind a lock since sessions may be made on any
/// thread.
struct AddedCalls {
  std::mutex mutex;
  std::vector<LibraryCallEntry> entries;
};
} // namespace

static AddedCalls &addedCalls() {
  static AddedCalls added;
  return added;
}

LibraryCall::~LibraryCall() = default;

Status LibraryCall::finish(void *const *) { return {}; }

void jobrt::addLibraryCall(const LibraryCallEntry &entry) {
  std::lock_guard lock(addedCalls().mutex);
  addedCalls().entries.push_back(entry);
}

std::optional<LibraryCallEntry>
jobrt::findLibraryCall(std::string_view callee) {
  for (const LibraryCallEntry &entry : libraryCalls())
    if (callee == entry.callee)
      return entry;
  std::lock_guard lock(addedCalls().mutex);
  for (const LibraryCallEntry &entry : addedCalls().entries)
    if (callee == entry.callee)
      return entry;
  return std::nullopt;
}

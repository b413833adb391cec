//===- LibraryCall.h - Library functions a plan may call --------*- C++ -*-===//
//
// The interface between the host driver and the libraries behind the `call`
// commands of an artifact (docs/artifact.md, "Library calls"). A call is
// prepared once per command per session, so that running it only has to pass
// addresses.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_LIBRARYCALL_H
#define JOBRT_DRIVERS_HOST_LIBRARYCALL_H

#include "jobrt/artifact.h"
#include "jobrt/calls.h"

#include <memory>
#include <optional>
#include <vector>

namespace jobrt {

/// One library call of a plan, prepared at load. It holds no step's data, so
/// that chunks of one step may run at once; it does not allocate, except in
/// the library.
class LibraryCall {
public:
  LibraryCall() = default;
  LibraryCall(const LibraryCall &) = delete;
  LibraryCall &operator=(const LibraryCall &) = delete;
  virtual ~LibraryCall();

  /// Runs chunk `chunk` of `Command::chunks`. `args[i]` is the address of the
  /// command's i-th buffer. Called from several worker threads at once with
  /// different chunks, each chunk once a step.
  virtual Status execute(void *const *args, int64_t chunk) = 0;

  /// Called once by the thread that runs the step after every chunk has been
  /// executed, for instance to add partial sums in a fixed order.
  virtual Status finish(void *const *args);

  /// The extents of the first result if each chunk writes a block of it
  /// (jobrt/calls.h), which can then be checked while it is in a cache.
  struct BlockedResult {
    std::vector<int64_t> extents;
    calls::ResultBlocks blocks;
  };
  std::optional<BlockedResult> blockedResult;
  /// Whether the results are of bf16 instead of f32.
  bool hasNarrowResults = false;
  /// Sets both as the configuration says.
  template <typename Config> void setBlockedResult(const Config &config) {
    if constexpr (requires { config.isNarrow(); })
      hasNarrowResults = config.isNarrow();
    std::optional<calls::ResultBlocks> blocks = config.resultBlocks();
    if (!blocks)
      return;
    for (const calls::Buffer &buffer : config.buffers())
      if (buffer.isResult) {
        blockedResult = {buffer.extents, *std::move(blocks)};
        return;
      }
  }
};

/// Makes the call of a `kCall` command, or says what is wrong with it: its
/// configuration, the number and byte sizes of its buffers, its chunks. The
/// message does not name the call: the caller adds its name.
using LibraryCallFactory =
    Expected<std::unique_ptr<LibraryCall>> (*)(const Command &command);

struct LibraryCallEntry {
  const char *callee;
  LibraryCallFactory create;
};

/// Every library function of this build.
const std::vector<LibraryCallEntry> &libraryCalls();

/// Adds a function to those of this build, for libraries that are opened at
/// run time and for tests. `entry.callee` lives as long as the process.
void addLibraryCall(const LibraryCallEntry &entry);

/// The entry of that name, nullopt when there is none.
std::optional<LibraryCallEntry> findLibraryCall(std::string_view callee);

/// Makes the calling thread run library calls alone, without the library's
/// own threads. Each thread of ours that executes calls does it once before
/// the first.
void prepareLibraryThread();

/// The same for a thread that the user has lent for one step: the library's
/// setting is put back at the end. Allocates nothing.
class LibraryThreadScope {
public:
  LibraryThreadScope();
  ~LibraryThreadScope();
  LibraryThreadScope(const LibraryThreadScope &) = delete;
  LibraryThreadScope &operator=(const LibraryThreadScope &) = delete;

private:
  int saved;
};

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_LIBRARYCALL_H

//===- CallConfig.h - Checking the configuration of a call ------*- C++ -*-===//
//
// What an artifact says about a call is not trusted: every key, number and
// buffer size is checked here, before anything reaches the library. Errors are
// kDataLoss and name callee and key.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_CALLCONFIG_H
#define JOBRT_DRIVERS_HOST_CALLCONFIG_H

#include "jobrt/artifact.h"

#include <set>

namespace jobrt {

/// Reads a command's configuration; keeps the first mistake.
class ConfigReader {
public:
  /// A buffer of a command: its name in messages and its size in bytes, -1 when
  /// that overflows.
  using Buffer = std::pair<const char *, int64_t>;

  explicit ConfigReader(const Command &command) : command(command) {}

  /// The value of `key`, an integer within [low, high]; else an error and
  /// `low`.
  int64_t integer(const char *key, int64_t low, int64_t high = kMaxExtent);
  /// The value of `key`, an integer or a fraction that is finite in f32; else
  /// an error and 0.
  double number(const char *key);

  /// Reports keys that nobody has read, a number of chunks out of range, a
  /// wrong number of buffers, and buffers of other sizes or uses than given. A
  /// workspace, of any size, follows the buffers when `workspace` says so.
  void finish(const std::vector<Buffer> &inputs,
              const std::vector<Buffer> &outputs, bool workspace);

  void error(const std::string &message);
  const Status &status() const { return first; }
  bool ok() const { return first.ok(); }

  /// Library and runtime compute with 64-bit sizes; an extent beyond 2^31 - 1
  /// is damage.
  static constexpr int64_t kMaxExtent = INT32_MAX;
  /// Far more than the formulas of abi.h give. A call keeps a few kilobytes
  /// for each.
  static constexpr int64_t kMaxChunks = 1024;

private:
  const ConfigValue *find(const char *key);
  void checkBuffer(const BufferRef &buffer, const Buffer &expected,
                   bool isResult);

  const Command &command;
  std::set<std::string> known;
  Status first;
};

/// Bytes of an f32 array, -1 when there are 2^48 or more (more than an address
/// can reach, and few enough that sums and products of sizes never overflow).
int64_t arrayBytes(const std::vector<int64_t> &extents);

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_CALLCONFIG_H

//===- Checksums.h - Checksums of the files of a checkpoint -----*- C++ -*-===//
//
// The legacy layout is OneFlow's, which has no checksums. This runtime writes a
// list of them to a file beside the folders of the variables, where readers of
// the layout do not look:
//
//   {"format": 1, "files": {"<variable>/out": {"bytes": 24, "crc32": 7}, ...}}
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_CHECKPOINT_CHECKSUMS_H
#define JOBRT_LIB_CHECKPOINT_CHECKSUMS_H

#include "jobrt/status.h"

#include <cstdint>
#include <map>
#include <optional>

namespace jobrt {

/// zlib's CRC-32 of the bytes so far and `count` more; 0 is that of no bytes.
uint32_t extendChecksum(uint32_t checksum, const void *data, int64_t count);

/// Compares a checksum with that of the contents of the file at `path`
/// (kDataLoss).
Status compareChecksums(const std::string &path, uint32_t expected,
                        uint32_t given);

/// Sizes and checksums of files by their paths in the folder of a checkpoint.
class ChecksumList {
public:
  void add(const std::string &file, std::string_view contents);
  /// Writes and syncs the list.
  Status write(const std::string &folder) const;

  /// The list in a folder; without the file there is none.
  static Expected<std::optional<ChecksumList>> read(const std::string &folder);
  /// Whether a file has the contents that are listed; a file that is not listed
  /// is damage too.
  Status check(const std::string &file, std::string_view contents) const;

private:
  struct Entry {
    int64_t bytes = 0;
    uint32_t checksum = 0;
  };
  std::string folder;
  std::map<std::string, Entry> entries;
};

} // namespace jobrt

#endif // JOBRT_LIB_CHECKPOINT_CHECKSUMS_H

//===- Safetensors.h - The safetensors format -------------------*- C++ -*-===//
//
// 8 bytes: length of the header, little endian; the header, a JSON object from
// name to {"dtype", "shape", "data_offsets": [begin, end]}, offsets relative to
// its end; the data, without gaps.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_CHECKPOINT_SAFETENSORS_H
#define JOBRT_LIB_CHECKPOINT_SAFETENSORS_H

#include "lib/io/File.h"

#include <map>

namespace jobrt {

/// The header's name for things that are no tensor.
inline constexpr const char *kSafetensorsMetadata = "__metadata__";

struct SafetensorsEntry {
  /// The format's name of the element type: "F32".
  std::string dtype;
  Shape shape;
  /// Bytes from the start of the file.
  int64_t begin, end;
};

/// The header for arrays stored one after the other, its length included,
/// padded so that the data starts at a multiple of 64 bytes.
std::string
makeSafetensorsHeader(const std::vector<std::pair<std::string, TensorView>> &);

/// Reads and checks the header: every tensor has a shape and a range whose size
/// agrees with it, and the ranges cover the data without gap or overlap.
Expected<std::map<std::string, SafetensorsEntry>>
readSafetensorsHeader(const File &file);

} // namespace jobrt

#endif // JOBRT_LIB_CHECKPOINT_SAFETENSORS_H

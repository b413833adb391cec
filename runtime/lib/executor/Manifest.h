//===- Manifest.h - The plan inside an artifact -----------------*- C++ -*-===//
//
// Reads the manifest of docs/artifact.md and checks everything that can be
// checked without the ELF part: the result of parseManifest() can be executed
// without checking offsets and sizes again.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_MANIFEST_H
#define JOBRT_LIB_EXECUTOR_MANIFEST_H

#include "jobrt/artifact.h"

#include <array>
#include <optional>

namespace jobrt {

struct Manifest {
  std::string compiler, interface;
  std::string triple, cpu;
  std::vector<std::string> features;
  int64_t constantsBytes = 0;
  /// At least one.
  std::vector<ArtifactDevice> devices;
  /// Those of the devices, with commas between them.
  std::string driver;
  /// Of the communicator; none if the artifact has no communicator.
  std::optional<int32_t> ranks;
  /// Without their addresses.
  std::vector<CodeBlob> code;
  std::vector<VariableInfo> variables;
  /// Kernels have their number, not yet their address.
  std::vector<EntryInfo> entries;

  /// Of all devices together.
  int64_t bankBytes() const {
    int64_t bytes = 0;
    for (const ArtifactDevice &device : devices)
      bytes += device.bankBytes;
    return bytes;
  }
};

/// Parses and checks a manifest. Errors (kDataLoss) begin with the path of the
/// value they are about.
Expected<Manifest> parseManifest(std::string_view text);

class JsonReader;

/// Bytes of each space of one entry on one device, indexed by Space.
using SpaceSizes = std::array<int64_t, kNumSpaces>;

/// Largest size or offset a manifest may hold: far beyond any machine and far
/// from overflow in sums.
inline constexpr int64_t kMaxManifestBytes = int64_t(1) << 48;

/// Parses the commands and repeats of one entry into it. `sizes` are by device.
/// Mistakes go to the reader.
void parseCommands(const JsonReader &reader,
                   const std::vector<SpaceSizes> &sizes,
                   const std::vector<std::string> &locations,
                   const Manifest &manifest, EntryInfo &entry);

/// What surrounds a command.
struct CommandScope {
  /// By device.
  const std::vector<SpaceSizes> &sizes;
  const std::vector<std::string> &locations;
  const std::vector<ArtifactDevice> &devices;
  /// Of the communicator; none if there is no communicator.
  std::optional<int32_t> ranks;
  /// The device on which each event was recorded.
  std::vector<int32_t> &events;
  /// Of the repeat that it is in, 1 outside.
  int64_t iterations = 1;
};

/// Whether two buffers share bytes, be it in different iterations.
bool mayOverlap(const BufferRef &a, const BufferRef &b,
                const CommandScope &scope);

/// Reads what a command of kind kCollective has beside its buffers, and checks
/// them. `previous` is the command before it in its list, null if there is
/// none.
void parseCollective(const JsonReader &reader, const JsonReader &args,
                     const CommandScope &scope, const Command *previous,
                     Command &command);

/// Reads a size in bytes.
int64_t parseSize(const JsonReader &reader);
/// Reads an offset: a size that is a multiple of JOBRT_ALIGNMENT.
int64_t parseOffset(const JsonReader &reader);
/// Reads the name of an element type.
DType parseDTypeName(const JsonReader &reader);
Shape parseShape(const JsonReader &reader);
/// Reads an index into `locations` or -1; the text it stands for.
std::string parseLocation(const JsonReader &reader,
                          const std::vector<std::string> &locations);

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_MANIFEST_H

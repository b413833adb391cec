//===- Layouts.h - The two layouts of a checkpoint --------------*- C++ -*-===//
//
// A layout writes into an empty folder that is not published yet, every file
// and folder synced, and reads into memory. Neither touches a session.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_CHECKPOINT_LAYOUTS_H
#define JOBRT_LIB_CHECKPOINT_LAYOUTS_H

#include "jobrt/artifact.h"

namespace jobrt {

inline constexpr const char *kManifestFile = "manifest.json";
inline constexpr const char *kNativeDataFile = "variables.safetensors";
inline constexpr const char *kLegacyDataFile = "out";
inline constexpr const char *kLegacyMetaFile = "meta";
inline constexpr const char *kLegacyChecksumFile = "checksums.json";
inline constexpr const char *kLegacyDoneFile = "snapshot_done";

using NamedTensors = std::vector<std::pair<std::string, TensorView>>;

/// Whether a variable of this name can be written; `location` is the user's
/// line.
Status checkNativeName(const std::string &name, const std::string &location);
Status checkLegacyName(const std::string &name, const std::string &location);

/// `compiler` is what Artifact::compiler() says, if there is an artifact.
Status writeNativeLayout(const std::string &folder, const std::string &compiler,
                         const NamedTensors &tensors);
Status writeLegacyLayout(const std::string &folder, const NamedTensors &tensors,
                         bool withMeta);

/// The values of all variables in their order, checked.
Expected<std::vector<Tensor>>
readNativeLayout(const std::string &folder,
                 const std::vector<VariableInfo> &variables);
Expected<std::vector<Tensor>>
readLegacyLayout(const std::string &folder,
                 const std::vector<VariableInfo> &variables);

} // namespace jobrt

#endif // JOBRT_LIB_CHECKPOINT_LAYOUTS_H

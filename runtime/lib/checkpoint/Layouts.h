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
inline constexpr const char *kLegacyDoneFile = "snapshot_done";

/// Whether the names of all variables can be written.
Status checkNativeNames(const std::vector<VariableInfo> &variables);
Status checkLegacyNames(const std::vector<VariableInfo> &variables);

/// `values[i]` belongs to `artifact.variables()[i]`.
Status writeNativeLayout(const std::string &folder, const Artifact &artifact,
                         std::vector<Tensor> &values);
Status writeLegacyLayout(const std::string &folder, const Artifact &artifact,
                         std::vector<Tensor> &values);

/// The values of all variables in their order, checked.
Expected<std::vector<Tensor>>
readNativeLayout(const std::string &folder,
                 const std::vector<VariableInfo> &variables);
Expected<std::vector<Tensor>>
readLegacyLayout(const std::string &folder,
                 const std::vector<VariableInfo> &variables);

} // namespace jobrt

#endif // JOBRT_LIB_CHECKPOINT_LAYOUTS_H

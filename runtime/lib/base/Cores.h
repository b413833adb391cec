//===- Cores.h - The cores that this process may use ------------*- C++ -*-===//

#ifndef JOBRT_LIB_BASE_CORES_H
#define JOBRT_LIB_BASE_CORES_H

#include <optional>
#include <string>

namespace jobrt {

/// Cores that this process may use, at least 1: those of its affinity mask, but
/// no more than its cgroups' quota allows.
int availableCores();

/// Whole cores in the smallest quota of processor time of this process's
/// cgroups (version 1 or 2) and their ancestors, at least 1; nullopt when there
/// is no quota. A part of a core does not count: a thread more than the quota
/// has would have all threads stopped for a part of each period. `root` is put
/// before the paths that are read, for tests.
std::optional<int> cgroupCores(const std::string &root = "");

} // namespace jobrt

#endif // JOBRT_LIB_BASE_CORES_H

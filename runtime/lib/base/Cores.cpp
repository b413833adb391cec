//===- Cores.cpp - The cores that this process may use --------------------===//

#include "lib/base/Cores.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

using namespace jobrt;

/// Cores in the affinity mask, nullopt when the system does not say.
static std::optional<int> affinityCores() {
  // A mask that is too small for the machine is an error: try larger ones.
  for (int size = 1024; size <= 1 << 20; size *= 2) {
    cpu_set_t *mask = CPU_ALLOC(size);
    if (!mask)
      return std::nullopt;
    std::optional<int> count;
    if (sched_getaffinity(0, CPU_ALLOC_SIZE(size), mask) == 0)
      count = CPU_COUNT_S(CPU_ALLOC_SIZE(size), mask);
    CPU_FREE(mask);
    if (count)
      return count;
  }
  return std::nullopt;
}

int jobrt::availableCores() {
  int cores = affinityCores().value_or(std::thread::hardware_concurrency());
  return std::max(1, std::min(cores, cgroupCores().value_or(cores)));
}

//===----------------------------------------------------------------------===//
// Control groups
//===----------------------------------------------------------------------===//

/// Whether the comma-separated `list` has `item`.
static bool listHas(const std::string &list, std::string_view item) {
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');)
    if (part == item)
      return true;
  return false;
}

static std::optional<double> readNumber(const std::string &path) {
  std::ifstream file(path);
  double number;
  if (file >> number)
    return number;
  return std::nullopt;
}

/// The quota that a group's folder has, in cores.
static std::optional<double> readQuota(const std::string &folder,
                                       bool isVersion2) {
  std::optional<double> quota, period;
  if (isVersion2) {
    // "max 100000" without a quota.
    std::ifstream file(folder + "/cpu.max");
    double first, second;
    if (file >> first >> second) {
      quota = first;
      period = second;
    }
  } else {
    // -1 without a quota.
    quota = readNumber(folder + "/cpu.cfs_quota_us");
    period = readNumber(folder + "/cpu.cfs_period_us");
  }
  if (!quota || !period || *quota <= 0 || *period <= 0)
    return std::nullopt;
  return *quota / *period;
}

namespace {
/// A hierarchy that limits processor time.
struct Hierarchy {
  bool isVersion2;
  /// The group that is seen at the mount point, and where that is.
  std::string mountedGroup, mountPoint;
};
} // namespace

static std::vector<Hierarchy> findHierarchies(const std::string &root) {
  // 36 35 98:0 /group /sys/fs/cgroup rw,... shared:5 ... - cgroup2 cgroup2 rw
  std::vector<Hierarchy> found;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream before(line);
    std::string skipped, group, point;
    before >> skipped >> skipped >> skipped >> group >> point;
    size_t separator = line.find(" - ");
    if (separator == std::string::npos)
      continue;
    std::istringstream after(line.substr(separator + 3));
    std::string type, source, options;
    after >> type >> source >> options;
    if (type == "cgroup2" || (type == "cgroup" && listHas(options, "cpu")))
      found.push_back({type == "cgroup2", group, point});
  }
  return found;
}

/// This process's group in a hierarchy.
static std::optional<std::string> findGroup(const std::string &root,
                                            bool isVersion2) {
  // 0::/user.slice/session, or 4:cpu,cpuacct:/user.slice
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (isVersion2 ? controllers.empty() : listHas(controllers, "cpu"))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<int> jobrt::cgroupCores(const std::string &root) {
  std::optional<double> least;
  for (const Hierarchy &hierarchy : findHierarchies(root)) {
    std::optional<std::string> group = findGroup(root, hierarchy.isVersion2);
    if (!group)
      continue;
    // The path below the mount point. A container may see its own group there
    // under another name, or its path from the host.
    const std::string &mounted = hierarchy.mountedGroup;
    std::string below;
    if (mounted == "/")
      below = *group;
    else if (group->starts_with(mounted + "/"))
      below = group->substr(mounted.size());
    while (true) {
      std::string folder = root + hierarchy.mountPoint + below;
      std::optional<double> quota = readQuota(folder, hierarchy.isVersion2);
      if (quota && (!least || *quota < *least))
        least = quota;
      size_t slash = below.rfind('/');
      if (slash == std::string::npos)
        break;
      below.resize(slash);
    }
  }
  if (!least)
    return std::nullopt;
  // A larger number than any machine's would not fit.
  return static_cast<int>(std::clamp(*least, 1.0, 1e6));
}

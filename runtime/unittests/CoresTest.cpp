//===- CoresTest.cpp - Quotas of control groups ---------------------------===//

#include "lib/base/Cores.h"
#include "unittests/TestArtifact.h"

#include <filesystem>
#include <sched.h>

using namespace jobrt;
using namespace jobrt::test;

namespace {
/// A tree of files in the place of /proc and /sys.
class FakeSystem {
public:
  FakeSystem(const std::string &groups, const std::string &mounts) {
    add("proc/self/cgroup", groups);
    add("proc/self/mountinfo", mounts);
  }
  void add(const std::string &path, const std::string &text) {
    std::string full = folder.file(path);
    std::filesystem::create_directories(
        std::filesystem::path(full).parent_path());
    writeFile(full, text);
  }
  std::optional<int> cores() const { return cgroupCores(folder.file("")); }

private:
  TemporaryFolder folder;
};
} // namespace

static constexpr char kVersion2[] =
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";

TEST(CoresTest, Version2TakesTheLeastOfAllAncestors) {
  FakeSystem system("0::/work.slice/job\n", kVersion2);
  EXPECT_EQ(system.cores(), std::nullopt);
  system.add("sys/fs/cgroup/work.slice/job/cpu.max", "max 100000\n");
  EXPECT_EQ(system.cores(), std::nullopt);
  system.add("sys/fs/cgroup/work.slice/cpu.max", "350000 100000\n");
  EXPECT_EQ(system.cores(), 3) << "a part of a core does not count";
  system.add("sys/fs/cgroup/work.slice/job/cpu.max", "100000 50000\n");
  EXPECT_EQ(system.cores(), 2);
  system.add("sys/fs/cgroup/work.slice/job/cpu.max", "20000 100000\n");
  EXPECT_EQ(system.cores(), 1) << "less than a core";
}

TEST(CoresTest, Version2InAContainer) {
  // The mount shows the container's group alone, as its root.
  FakeSystem system("0::/\n", kVersion2);
  system.add("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(system.cores(), 4);
}

TEST(CoresTest, Version1) {
  FakeSystem system("5:cpuset:/other\n4:cpu,cpuacct:/docker/a1/inner\n",
                    "33 30 0:30 /docker/a1 /sys/fs/cgroup/cpu,cpuacct rw - "
                    "cgroup cgroup rw,cpu,cpuacct\n"
                    "34 30 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup "
                    "rw,cpuset\n");
  std::string folder = "sys/fs/cgroup/cpu,cpuacct/";
  system.add(folder + "cpu.cfs_quota_us", "-1\n");
  system.add(folder + "cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(system.cores(), std::nullopt);
  system.add(folder + "cpu.cfs_quota_us", "600000\n");
  EXPECT_EQ(system.cores(), 6);
  system.add(folder + "inner/cpu.cfs_quota_us", "250000\n");
  system.add(folder + "inner/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(system.cores(), 5);
}

TEST(CoresTest, FilesThatMakeNoSense) {
  for (const char *text : {"", "max", "0 0", "-5 100000", "100000 0", "x y"}) {
    FakeSystem system("0::/\nnothing\n:\n", std::string("short\n") + kVersion2);
    system.add("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(system.cores(), std::nullopt) << text;
  }
  FakeSystem huge("0::/\n", kVersion2);
  huge.add("sys/fs/cgroup/cpu.max", "1e300 1");
  EXPECT_EQ(huge.cores(), 1'000'000);
}

TEST(CoresTest, FollowTheAffinityMask) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before))
      CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(availableCores(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_LE(availableCores(), CPU_COUNT(&before));
}

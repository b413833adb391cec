//===- ContainerTest.cpp - The artifact's file ----------------------------===//

#include "Container.h"
#include "TargetTest.h"
#include "jobrt/abi.h"

#include "llvm/Support/raw_ostream.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::job;

namespace {

class ContainerTest : public TargetTest {
protected:
  void write(StringRef path, StringRef data) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << data;
    EXPECT_FALSE(code);
  }
};

TEST_F(ContainerTest, Layout) {
  std::string path = getPath("a.so");
  ASSERT_TRUE(
      succeeded(writeContainer(getLoc(), StringRef("elf!"), "{}", path)));
  std::string expected = "elf!{}";
  expected += std::string("JOBMLIR\0", 8);
  auto append = [&](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      expected += i < 8 ? char(value >> (8 * i)) : '\0';
  };
  append(JOBRT_FORMAT_VERSION, 4);
  append(0, 4);
  append(4, 8);
  append(2, 8);
  // The CRC-32 of both parts.
  append(0x13bf3616, 4);
  append(0xa3a6bf43, 4);
  append(0, 20);
  std::string file = read(path);
  ASSERT_EQ(file.size(), 6u + JOBRT_FOOTER_BYTES);
  EXPECT_EQ(file.substr(0, expected.size()), expected);
  EXPECT_TRUE(isIntactArtifact(path));
}

TEST_F(ContainerTest, Damage) {
  std::string path = getPath("a.so");
  ASSERT_TRUE(
      succeeded(writeContainer(getLoc(), StringRef("kernels"), "{}", path)));
  std::string file = read(path);
  std::string damaged = getPath("damaged.so");
  for (size_t i = 0; i < file.size(); ++i) {
    std::string copy = file;
    copy[i] ^= 1;
    write(damaged, copy);
    EXPECT_FALSE(isIntactArtifact(damaged)) << "byte " << i;
  }
  for (size_t size = 0; size < file.size(); ++size) {
    write(damaged, StringRef(file).take_front(size));
    EXPECT_FALSE(isIntactArtifact(damaged)) << "size " << size;
  }
  write(damaged, file + "x");
  EXPECT_FALSE(isIntactArtifact(damaged));
  EXPECT_FALSE(isIntactArtifact(getPath("missing.so")));
  EXPECT_FALSE(isIntactArtifact(folder));
  std::string pipe = getPath("pipe.so");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(isIntactArtifact(pipe));
}

TEST_F(ContainerTest, ReplacesAFile) {
  std::string path = getPath("a.so");
  write(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  ASSERT_TRUE(
      succeeded(writeContainer(getLoc(), StringRef("new"), "{}", path)));
  EXPECT_TRUE(isIntactArtifact(path));
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  // Nothing else is left.
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(ContainerTest, Errors) {
  std::string path = getPath("missing/a.so");
  EXPECT_TRUE(failed(writeContainer(getLoc(), StringRef("elf"), "{}", path)));
  EXPECT_NE(messages.find("cannot write '" + path + "': "), std::string::npos)
      << messages;
  // A folder cannot be replaced; the temporary file goes.
  messages.clear();
  path = getPath("folder");
  ASSERT_FALSE(llvm::sys::fs::create_directory(path));
  EXPECT_TRUE(failed(writeContainer(getLoc(), StringRef("elf"), "{}", path)));
  EXPECT_EQ(messages, "cannot write '" + path + "': is a directory\n");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(ContainerTest, ReplacesALink) {
  std::string link = getPath("link.so"), victim = getPath("victim");
  write(victim, "victim");
  ASSERT_EQ(symlink("victim", link.c_str()), 0);
  EXPECT_TRUE(succeeded(writeContainer(getLoc(), StringRef("elf"), "{}", link)))
      << messages;
  EXPECT_FALSE(llvm::sys::fs::is_symlink_file(link));
  EXPECT_TRUE(isIntactArtifact(link));
  EXPECT_EQ(read(victim), "victim");
}

TEST_F(ContainerTest, OutputFileOfLinks) {
  std::string first = getPath("first.so"), second = getPath("second.so"),
              file = getPath("file.so");
  // One by its name in the folder, one by its whole path.
  ASSERT_EQ(symlink("second.so", first.c_str()), 0);
  ASSERT_EQ(symlink(file.c_str(), second.c_str()), 0);
  // First there is no file, then there is an old one.
  for (bool exists : {false, true}) {
    if (exists)
      write(file, "old");
    FailureOr<std::string> found = findOutputFile(getLoc(), first);
    ASSERT_TRUE(succeeded(found)) << messages;
    EXPECT_EQ(*found, file);
  }
}

TEST_F(ContainerTest, NoOutputFileInALoopOfLinks) {
  std::string path = getPath("loop.so");
  ASSERT_EQ(symlink("loop.so", path.c_str()), 0);
  EXPECT_TRUE(failed(findOutputFile(getLoc(), path)));
  EXPECT_NE(messages.find("cannot write '" + path + "': "), std::string::npos)
      << messages;
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(ContainerTest, NoOutputFileInAFolderOrPipe) {
  EXPECT_TRUE(failed(findOutputFile(getLoc(), folder)));
  EXPECT_EQ(messages, ("expects a regular file or none at '" + folder +
                       "' but got a folder\n")
                          .str());
  messages.clear();
  std::string path = getPath("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(failed(findOutputFile(getLoc(), path)));
  EXPECT_EQ(messages, "expects a regular file or none at '" + path +
                          "' but got a pipe\n");
}

TEST_F(ContainerTest, CompilerVersion) {
  EXPECT_TRUE(StringRef(getCompilerVersion()).starts_with("jobmlir "));
  EXPECT_NE(getCompilerVersion().find(", LLVM 22."), std::string::npos);
}

} // namespace

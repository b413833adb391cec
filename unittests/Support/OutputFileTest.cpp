//===- OutputFileTest.cpp - Files that a user asked for -------------------===//

#include "JobDialect/Support/OutputFile.h"
#include "../TestFolder.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::job;

namespace {

class OutputFileTest : public testing::Test, protected TestFolder {
protected:
  /// The message of an error; empty for none.
  std::string write(StringRef path, StringRef text) {
    return llvm::toString(writeFile(path, text));
  }

  struct stat getStatus(const std::string &path) {
    struct stat status = {};
    EXPECT_EQ(lstat(path.c_str(), &status), 0);
    return status;
  }
};

/// Gives up the rights of root for a while; does nothing for other users.
class Unprivileged {
public:
  Unprivileged() : isRoot(geteuid() == 0), ok(!isRoot || seteuid(65534) == 0) {}
  ~Unprivileged() {
    if (isRoot && seteuid(0) != 0)
      std::abort();
  }

private:
  bool isRoot;

public:
  bool ok;
};

TEST_F(OutputFileTest, AnErrorLeavesWhatWasThere) {
  std::string path = getPath("x.txt"), other = getPath("other.txt");
  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  Location loc = UnknownLoc::get(&context);

  EXPECT_TRUE(succeeded(writeOutputFile(loc, path, "short")));
  EXPECT_EQ(read(path), "short");

  // Files of at most 100 bytes.
  auto *signalHandler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit saved;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  rlimit limit = {100, saved.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  LogicalResult result = writeOutputFile(loc, path, std::string(200, 'x'));
  std::string added = write(other, std::string(200, 'x'));
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, signalHandler);
  EXPECT_TRUE(failed(result));
  EXPECT_EQ(message, "cannot write '" + path + "': file too large");
  EXPECT_EQ(added, "cannot write '" + other + "': file too large");
  EXPECT_EQ(read(path), "short");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFileTest, AFileKeepsItsModeAndItsNames) {
  std::string path = getPath("x.txt"), other = getPath("other.txt");
  const mode_t mask = umask(022);
  EXPECT_EQ(write(path, "old"), "");
  EXPECT_EQ(getStatus(path).st_mode & 07777, 0644u);
  for (mode_t mode : {0600, 0666, 0755}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_EQ(write(path, "new"), "");
    EXPECT_EQ(getStatus(path).st_mode & 07777, mode);
  }
  umask(mask);

  ASSERT_EQ(link(path.c_str(), other.c_str()), 0);
  EXPECT_EQ(write(path, "newer"), "");
  EXPECT_EQ(read(other), "newer");
  // The file may be loaded code under its other name.
  EXPECT_EQ(llvm::toString(replaceFile(path, StringRef("newest"))), "");
  EXPECT_EQ(read(path), "newest");
  EXPECT_EQ(read(other), "newer");
  EXPECT_EQ(getStatus(path).st_mode & 07777, 0755u);
  EXPECT_EQ(countFiles(), 2u);
}

/// Another user's file may be what that user wants to become code of this one.
TEST_F(OutputFileTest, AReplacedFileOfAnotherUserIsOneOfThisUser) {
  std::string path = getPath("x.txt");
  ASSERT_EQ(write(path, "old"), "");
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  if (chown(path.c_str(), 65534, 65534) != 0)
    GTEST_SKIP() << "cannot give a file away: " << std::strerror(errno);
  const mode_t mask = umask(022);
  EXPECT_EQ(llvm::toString(replaceFile(path, StringRef("new"))), "");
  umask(mask);
  EXPECT_EQ(read(path), "new");
  EXPECT_EQ(getStatus(path).st_uid, geteuid());
  EXPECT_EQ(getStatus(path).st_mode & 07777, 0644u);
}

/// As single files are in containers; in a child, which has mounts of its own.
TEST_F(OutputFileTest, AMountedFileIsWrittenInPlace) {
  std::string path = getPath("x.txt"), host = getPath("host.txt");
  ASSERT_EQ(write(path, "unused"), "");
  ASSERT_EQ(write(host, "old"), "");
  constexpr int cannotMount = 77;
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(host.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0)
      _exit(cannotMount);
    std::string error = write(path, "new");
    llvm::errs() << error;
    _exit(error.empty() ? 0 : 1);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == cannotMount)
    GTEST_SKIP() << "cannot mount a file here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read(host), "new");
  EXPECT_EQ(read(path), "unused");
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(OutputFileTest, WhatIsNoFileIsWrittenInPlace) {
  std::string path = getPath("x.txt"), link = getPath("link");
  ASSERT_EQ(symlink("x.txt", link.c_str()), 0);
  for (const char *text : {"old", "new"}) {
    EXPECT_EQ(write(link, text), "");
    EXPECT_TRUE(S_ISLNK(getStatus(link).st_mode));
    EXPECT_EQ(read(path), text);
  }
  EXPECT_EQ(write("/dev/null", "x"), "");
  EXPECT_TRUE(S_ISCHR(getStatus("/dev/null").st_mode));
  EXPECT_EQ(write("/dev/full", "x"),
            "cannot write '/dev/full': no space left on device");
  EXPECT_EQ(write(folder, "x"),
            ("cannot write '" + folder + "': is a directory").str());

  // A pipe, by the name that a shell gives it.
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  EXPECT_EQ(write("/dev/fd/" + std::to_string(pipe[1]), "text"), "");
  char text[4];
  EXPECT_EQ(::read(pipe[0], text, 4), 4);
  EXPECT_EQ(StringRef(text, 4), "text");
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_F(OutputFileTest, NamesOfAnyKind) {
  std::string path = getPath("100%");
  ASSERT_FALSE(llvm::sys::fs::create_directory(path));
  EXPECT_EQ(write(path + "/x%", "text"), "");
  EXPECT_EQ(read(path + "/x%"), "text");
  path = getPath(std::string(NAME_MAX, 'a'));
  EXPECT_EQ(write(path, "text"), "");
  EXPECT_EQ(read(path), "text");
  path += "a";
  EXPECT_EQ(write(path, "text"),
            "cannot write '" + path + "': file name too long");
  path = getPath("gone/x.txt");
  EXPECT_EQ(write(path, "text"),
            "cannot write '" + path + "': no such file or directory");
  EXPECT_EQ(write("", "text"), "cannot write '': no such file or directory");
}

TEST_F(OutputFileTest, RightsOfTheFileAndOfItsFolder) {
  std::string path = getPath("x.txt"), inFixed, inOthers, readOnly;
  EXPECT_EQ(write(path, "old"), "");
  auto writeWith = [&](mode_t fileMode, mode_t folderMode) -> std::string {
    chmod(path.c_str(), fileMode);
    chmod(folder.c_str(), folderMode);
    Unprivileged user;
    return user.ok ? write(path, std::to_string(folderMode)) : "as root";
  };
  const uid_t owner = getStatus(path).st_uid;
  inFixed = writeWith(0666, 0555);
  std::string first = read(path);
  inOthers = writeWith(0666, 0777);
  std::string second = read(path);
  readOnly = writeWith(0444, 0777);
  if (inFixed == "as root")
    GTEST_SKIP() << "root, who may write anywhere, cannot become another user "
                    "here";
  EXPECT_EQ(inFixed, "");
  EXPECT_EQ(first, std::to_string(0555));
  EXPECT_EQ(inOthers, "");
  EXPECT_EQ(second, std::to_string(0777));
  EXPECT_EQ(readOnly, "cannot write '" + path + "': permission denied");
  EXPECT_EQ(read(path), second);
  EXPECT_EQ(getStatus(path).st_uid, owner);
  EXPECT_EQ(countFiles(), 1u);
}

} // namespace

//===- TestFolder.h - A folder for the files of a test ----------*- C++ -*-===//

#ifndef JOBMLIR_UNITTESTS_TESTFOLDER_H
#define JOBMLIR_UNITTESTS_TESTFOLDER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

#include <string>

namespace mlir::job {

/// An empty folder that goes with all that is in it. A base class of fixtures.
class TestFolder {
protected:
  TestFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("jobmlir-test", folder));
  }
  ~TestFolder() { llvm::sys::fs::remove_directories(folder); }

  std::string getPath(const llvm::Twine &name) {
    llvm::SmallString<128> path = folder;
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  /// The contents of a file.
  static std::string read(llvm::StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    EXPECT_TRUE(buffer) << path.str();
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  /// The number of files in a folder.
  static size_t countFiles(llvm::StringRef path) {
    std::error_code code;
    size_t count = 0;
    for (llvm::sys::fs::directory_iterator it(path, code), end; it != end;
         it.increment(code))
      ++count;
    return count;
  }
  size_t countFiles() const { return countFiles(folder); }

  llvm::SmallString<128> folder;
};

} // namespace mlir::job

#endif // JOBMLIR_UNITTESTS_TESTFOLDER_H

//===- CheckpointFolder.h - A checkpoint of fuzzed files --------*- C++ -*-===//

#ifndef JOBMLIR_FUZZ_CHECKPOINTFOLDER_H
#define JOBMLIR_FUZZ_CHECKPOINTFOLDER_H

#include "fuzz/MemoryFile.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace fuzz {

/// A folder whose files are links to files in memory.
class CheckpointFolder {
public:
  CheckpointFolder() {
    std::string pattern =
        std::filesystem::temp_directory_path() / "jobmlir-fuzz-XXXXXX";
    REQUIRE(mkdtemp(pattern.data()));
    root = pattern;
  }
  ~CheckpointFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  CheckpointFolder(const CheckpointFolder &) = delete;
  CheckpointFolder &operator=(const CheckpointFolder &) = delete;

  std::string path() const { return root; }
  /// A file at a path inside the folder; lives as long as the folder.
  MemoryFile &add(const std::string &name) {
    std::filesystem::path place = root / name;
    std::filesystem::create_directories(place.parent_path());
    MemoryFile &file = *files.emplace_back(std::make_unique<MemoryFile>());
    std::filesystem::create_symlink(file.path(), place);
    return file;
  }

private:
  std::filesystem::path root;
  std::vector<std::unique_ptr<MemoryFile>> files;
};

} // namespace fuzz

#endif // JOBMLIR_FUZZ_CHECKPOINTFOLDER_H

//===- DistinctFiles.h - Nothing is written over the input ------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_DISTINCTFILES_H
#define JOBMLIR_TOOLS_COMMON_DISTINCTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <filesystem>
#include <optional>
#include <string>

namespace jobmlir {

/// A file or folder of the command line.
struct NamedFile {
  /// As messages call it: "the input", "--trace".
  llvm::StringRef what;
  /// Empty when there is none, "-" for a standard stream.
  std::string path;
};

/// The file that is meant, be it there or not (links that lead nowhere stay);
/// empty when the system does not say.
inline std::filesystem::path getRealPath(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::path real = fs::weakly_canonical(fs::absolute(path, code), code);
  if (code)
    return {};
  // "folder/" is "folder".
  return real.has_filename() ? real : real.parent_path();
}

inline bool isSameFile(const std::string &a, const std::string &b) {
  // Hard links, too, but only of files that are there.
  if (llvm::sys::fs::equivalent(a, b))
    return true;
  std::filesystem::path real = getRealPath(a);
  return !real.empty() && real == getRealPath(b);
}

/// Says which two are one, by whatever path or link; nothing when all differ.
inline std::optional<std::string>
findSameFiles(llvm::ArrayRef<NamedFile> files) {
  for (auto [index, file] : llvm::enumerate(files))
    for (const NamedFile &other : files.take_front(index))
      if (!file.path.empty() && file.path != "-" && !other.path.empty() &&
          isSameFile(file.path, other.path))
        return ("expects " + file.what + " to differ from " + other.what +
                " but got '" + file.path + "' for both")
            .str();
  return std::nullopt;
}

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_DISTINCTFILES_H

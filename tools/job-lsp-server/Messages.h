//===- Messages.h - Messages of the language server protocol ----*- C++ -*-===//
//
// Reads and writes whole messages on file descriptors, whatever they hold.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_MESSAGES_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_MESSAGES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace joblsp {

/// Reads messages from a descriptor, which it does not own. For one thread.
class MessageReader {
public:
  /// With `isDelimited`, messages have no header but end with a line
  /// `// -----`, as tests write them; other lines that start with `//` are
  /// comments.
  explicit MessageReader(int fd, bool isDelimited = false)
      : fd(fd), isDelimited(isDelimited) {}

  /// The next message; nothing at the end, and when what comes is no message.
  /// Blocks.
  std::optional<std::string> read();

private:
  std::optional<std::string> readLine();
  std::optional<std::string> readWithHeader();
  std::optional<std::string> readDelimited();
  bool fill();

  int fd;
  bool isDelimited;
  /// What was read from the descriptor and is no message yet.
  std::string pending;
};

/// Writes a message with its header. False when the other side is gone.
bool writeMessage(int fd, llvm::StringRef message);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_MESSAGES_H

//===- Messages.cpp - Messages of the language server protocol ------------===//

#include "Messages.h"

#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <unistd.h>

using namespace joblsp;

/// No message is longer, in bytes; what claims to be is no message.
static constexpr size_t kMaxMessageBytes = size_t(1) << 30;

/// Appends what the descriptor has; false at its end.
bool MessageReader::fill() {
  char buffer[1 << 14];
  ssize_t count;
  do
    count = ::read(fd, buffer, sizeof(buffer));
  while (count < 0 && errno == EINTR);
  if (count <= 0)
    return false;
  pending.append(buffer, count);
  return true;
}

/// The next line without its end.
std::optional<std::string> MessageReader::readLine() {
  size_t searched = 0, end;
  while ((end = pending.find('\n', searched)) == std::string::npos) {
    searched = pending.size();
    if (searched > kMaxMessageBytes || !fill()) {
      if (pending.empty())
        return std::nullopt;
      std::string last = std::move(pending);
      pending.clear();
      return last;
    }
  }
  std::string line = pending.substr(0, end);
  pending.erase(0, end + 1);
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  return line;
}

std::optional<std::string> MessageReader::readWithHeader() {
  std::optional<size_t> length;
  while (std::optional<std::string> line = readLine()) {
    llvm::StringRef text = *line;
    if (text.consume_front_insensitive("content-length:")) {
      size_t value;
      if (text.trim().getAsInteger(10, value) || value > kMaxMessageBytes)
        return std::nullopt;
      length = value;
    } else if (text.empty() && length) {
      while (pending.size() < *length)
        if (!fill())
          return std::nullopt;
      std::string message = pending.substr(0, *length);
      pending.erase(0, *length);
      return message;
    }
  }
  return std::nullopt;
}

std::optional<std::string> MessageReader::readDelimited() {
  std::string message;
  while (std::optional<std::string> line = readLine()) {
    llvm::StringRef text = llvm::StringRef(*line).trim();
    if (text == "// -----") {
      if (!message.empty())
        return message;
    } else if (!text.starts_with("//")) {
      message.append(text);
    }
  }
  if (message.empty())
    return std::nullopt;
  return message;
}

std::optional<std::string> MessageReader::read() {
  return isDelimited ? readDelimited() : readWithHeader();
}

bool joblsp::writeMessage(int fd, llvm::StringRef message) {
  std::string text = "Content-Length: " + std::to_string(message.size()) +
                     "\r\n\r\n" + message.str();
  for (size_t done = 0; done < text.size();) {
    ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += count;
  }
  return true;
}

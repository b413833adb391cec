//===- Container.cpp - The artifact's file --------------------------------===//

#include "Container.h"

#include "JobDialect/Support/SystemError.h"
#include "jobrt/abi.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

using namespace mlir;
using namespace mlir::job;

static uint32_t getChecksum(StringRef data) {
  return crc32_z(crc32_z(0, nullptr, 0),
                 reinterpret_cast<const Bytef *>(data.data()), data.size());
}

static std::array<char, JOBRT_FOOTER_BYTES> buildFooter(StringRef sharedObject,
                                                        StringRef manifest) {
  using namespace llvm::support::endian;
  std::array<char, JOBRT_FOOTER_BYTES> footer = {};
  static_assert(sizeof(JOBRT_MAGIC) == 8);
  llvm::copy(StringRef(JOBRT_MAGIC, 8), footer.begin());
  write32le(&footer[8], JOBRT_FORMAT_VERSION);
  write64le(&footer[16], sharedObject.size());
  write64le(&footer[24], manifest.size());
  write32le(&footer[32], getChecksum(sharedObject));
  write32le(&footer[36], getChecksum(manifest));
  write32le(&footer[60], getChecksum({footer.data(), 60}));
  return footer;
}

bool job::isIntactArtifact(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return false;
  StringRef file = (*buffer)->getBuffer();
  if (file.size() < JOBRT_FOOTER_BYTES)
    return false;
  StringRef found = file.take_back(JOBRT_FOOTER_BYTES);
  StringRef content = file.drop_back(JOBRT_FOOTER_BYTES);
  uint64_t elfBytes = llvm::support::endian::read64le(found.data() + 16);
  if (elfBytes > content.size())
    return false;
  // The footer is a function of the rest.
  std::array<char, JOBRT_FOOTER_BYTES> footer =
      buildFooter(content.take_front(elfBytes), content.drop_front(elfBytes));
  return found == StringRef(footer.data(), footer.size());
}

/// Makes the rename itself durable.
static void syncFolder(StringRef path) {
  SmallString<128> folder = llvm::sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return;
  ::fsync(descriptor);
  ::close(descriptor);
}

LogicalResult job::writeContainer(Location loc, ArrayRef<char> sharedObject,
                                  StringRef manifest, StringRef path) {
  StringRef elf(sharedObject.data(), sharedObject.size());
  std::array<char, JOBRT_FOOTER_BYTES> footer = buildFooter(elf, manifest);
  auto writeTo = [&](llvm::raw_fd_ostream &stream) {
    stream << elf << manifest << StringRef(footer.data(), footer.size());
    stream.flush();
    std::error_code code = stream.error();
    // Else the stream's destructor ends the process.
    stream.clear_error();
    return code;
  };
  if (path == "-") {
    if (std::error_code code = writeTo(llvm::outs()))
      return emitError(loc) << "cannot write to standard output: "
                            << describeSystemError(code);
    return success();
  }

  // In the same folder, so that the rename stays on one file system.
  auto file = llvm::sys::fs::TempFile::create(path + ".%%%%%%%%.tmp",
                                              llvm::sys::fs::all_read |
                                                  llvm::sys::fs::owner_write);
  if (!file)
    return emitError(loc) << "cannot write '" << path
                          << "': " << llvm::toString(file.takeError());
  auto fail = [&](const Twine &reason) {
    llvm::consumeError(file->discard());
    return emitError(loc) << "cannot write '" << path << "': " << reason;
  };
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  if (std::error_code code = writeTo(stream))
    return fail(describeSystemError(code));
  if (::fsync(file->FD))
    return fail(llvm::sys::StrError());
  if (llvm::Error error = file->keep(path))
    return emitError(loc) << "cannot write '" << path
                          << "': " << llvm::toString(std::move(error));
  syncFolder(path);
  return success();
}

//===- Container.cpp - The artifact's file --------------------------------===//

#include "Container.h"

#include "JobDialect/Support/OutputFile.h"
#include "jobrt/abi.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

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
  // A pipe would be waited for, a device may have no end.
  if (!llvm::sys::fs::is_regular_file(path))
    return false;
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

LogicalResult job::writeContainer(Location loc, ArrayRef<char> sharedObject,
                                  StringRef manifest, StringRef path) {
  StringRef elf(sharedObject.data(), sharedObject.size());
  std::array<char, JOBRT_FOOTER_BYTES> footer = buildFooter(elf, manifest);
  StringRef parts[] = {elf, manifest, StringRef(footer.data(), footer.size())};
  // Code that a process runs must not change under it.
  if (llvm::Error error =
          path == "-" ? writeFile(path, parts) : replaceFile(path, parts))
    return emitError(loc) << llvm::toString(std::move(error));
  return success();
}

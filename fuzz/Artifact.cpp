//===- Artifact.cpp - Fuzzes the reader of an artifact's container --------===//
//
// Once as it is, and once with its checksums put right, since these would
// reject nearly every input before the checks behind them. The ELF part is not
// loaded: a shared object whose checksum is right is code, not data.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/CpuFeatures.h"
#include "fuzz/Require.h"
#include "jobrt/abi.h"
#include "lib/executor/Container.h"
#include "lib/executor/Manifest.h"

#include <cstring>
#include <zlib.h>

using namespace jobrt;

/// Places of the footer's fields (docs/artifact.md).
enum FooterField { kElfBytes = 16, kElfSum = 32, kManifestSum = 36, kSum = 60 };

static uint32_t checksum(std::string_view bytes) {
  return crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()),
                 bytes.size());
}

/// Puts in the magic, the version and the checksums that the parts need.
static void mend(std::string &bytes) {
  if (bytes.size() < JOBRT_FOOTER_BYTES)
    return;
  size_t body = bytes.size() - JOBRT_FOOTER_BYTES;
  char *footer = bytes.data() + body;
  uint32_t version = JOBRT_FORMAT_VERSION;
  std::memcpy(footer, JOBRT_MAGIC, 8);
  std::memcpy(footer + 8, &version, sizeof(version));
  uint64_t elfBytes;
  std::memcpy(&elfBytes, footer + kElfBytes, sizeof(elfBytes));
  if (elfBytes > body)
    return;
  // The sizes are left to the fuzzer, but for the one that follows.
  uint64_t manifestBytes = body - elfBytes;
  std::memcpy(footer + kElfBytes + 8, &manifestBytes, sizeof(manifestBytes));
  std::string_view parts(bytes.data(), body);
  auto store = [&](FooterField field, std::string_view of) {
    uint32_t sum = checksum(of);
    std::memcpy(footer + field, &sum, sizeof(sum));
  };
  store(kElfSum, parts.substr(0, elfBytes));
  store(kManifestSum, parts.substr(elfBytes));
  store(kSum, std::string_view(footer, kSum));
}

static void read(std::string_view bytes) {
  Expected<Container> container = openContainer(bytes);
  if (!container.ok()) {
    REQUIRE(!container.status().message().empty());
    return;
  }
  REQUIRE(container->elf.data() == bytes.data());
  REQUIRE(container->manifest.data() == bytes.data() + container->elf.size());
  REQUIRE(container->elf.size() + container->manifest.size() +
              JOBRT_FOOTER_BYTES ==
          bytes.size());
  Expected<Manifest> manifest = parseManifest(container->manifest);
  if (manifest.ok())
    (void)checkCpuFeatures(manifest->features);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  read(bytes);
  mend(bytes);
  read(bytes);
  return 0;
}

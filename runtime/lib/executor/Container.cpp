//===- Container.cpp - The file around an artifact's parts ----------------===//

#include "lib/executor/Container.h"
#include "jobrt/abi.h"

#include <cstdio>
#include <cstring>
#include <elf.h>
#include <zlib.h>

using namespace jobrt;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the footer is read as little endian");

namespace {
/// The footer, field by field as in docs/artifact.md.
struct Footer {
  char magic[8];
  uint32_t version;
  uint32_t zero;
  uint64_t elfBytes;
  uint64_t manifestBytes;
  uint32_t elfChecksum;
  uint32_t manifestChecksum;
  char reserved[20];
  uint32_t footerChecksum;
};
} // namespace

static_assert(sizeof(Footer) == JOBRT_FOOTER_BYTES);

#if defined(__x86_64__)
static constexpr int kHostMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr int kHostMachine = EM_AARCH64;
#else
#error "the ELF machine of this host is not known"
#endif

static uint32_t checksum(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

static Status dataLoss(std::string message) {
  return Status(StatusCode::kDataLoss, std::move(message));
}

static Status checkSum(std::string_view bytes, uint32_t expected,
                       const char *what) {
  uint32_t actual = checksum(bytes);
  if (actual == expected)
    return {};
  char text[96];
  std::snprintf(text, sizeof(text),
                "damaged %s: expects checksum %08x but got %08x", what,
                expected, actual);
  return dataLoss(text);
}

static Status checkElf(std::string_view elf) {
  if (elf.size() < sizeof(Elf64_Ehdr) ||
      std::memcmp(elf.data(), ELFMAG, SELFMAG) != 0 ||
      elf[EI_CLASS] != ELFCLASS64 || elf[EI_DATA] != ELFDATA2LSB)
    return dataLoss("expects a 64-bit little-endian ELF file in front");
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof(header));
  if (header.e_type != ET_DYN)
    return dataLoss("expects a shared object (ELF type " +
                    std::to_string(ET_DYN) + ") but got ELF type " +
                    std::to_string(header.e_type));
  if (header.e_machine != kHostMachine)
    return Status(StatusCode::kUnimplemented,
                  "expects ELF machine " + std::to_string(kHostMachine) +
                      ", which is this machine's, but got " +
                      std::to_string(header.e_machine));
  return {};
}

Expected<Container> jobrt::openContainer(std::string_view bytes) {
  if (bytes.size() < sizeof(Footer))
    return dataLoss("not an artifact: expects at least " +
                    std::to_string(sizeof(Footer)) + " bytes but got " +
                    std::to_string(bytes.size()));
  Footer footer;
  std::string_view footerBytes = bytes.substr(bytes.size() - sizeof(Footer));
  std::memcpy(&footer, footerBytes.data(), sizeof(footer));
  if (std::memcmp(footer.magic, JOBRT_MAGIC, sizeof(footer.magic)) != 0)
    return dataLoss("not an artifact, or a truncated one: expects a footer "
                    "that begins with '" JOBRT_MAGIC "'");
  if (Status status =
          checkSum(footerBytes.substr(0, 60), footer.footerChecksum, "footer");
      !status.ok())
    return status;
  if (footer.version != JOBRT_FORMAT_VERSION)
    return Status(
        StatusCode::kUnimplemented,
        std::string(footer.version < JOBRT_FORMAT_VERSION ? "older" : "newer") +
            " format: expects version " + std::to_string(JOBRT_FORMAT_VERSION) +
            " but got " + std::to_string(footer.version) +
            "; compile the module again");
  uint64_t body = bytes.size() - sizeof(Footer);
  if (footer.elfBytes > body || footer.manifestBytes != body - footer.elfBytes)
    return dataLoss("truncated: expects " + std::to_string(footer.elfBytes) +
                    " + " + std::to_string(footer.manifestBytes) +
                    " bytes before the footer but got " + std::to_string(body));

  Container container;
  container.elf = bytes.substr(0, footer.elfBytes);
  container.manifest = bytes.substr(footer.elfBytes, footer.manifestBytes);
  container.checksum = footer.footerChecksum;
  if (Status status = checkSum(container.elf, footer.elfChecksum, "code");
      !status.ok())
    return status;
  if (Status status =
          checkSum(container.manifest, footer.manifestChecksum, "manifest");
      !status.ok())
    return status;
  if (Status status = checkElf(container.elf); !status.ok())
    return status;
  return container;
}

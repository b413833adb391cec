//===- ContainerTest.cpp - Damaged, foreign and other versions' files -----===//

#include "lib/executor/Container.h"
#include "unittests/TestArtifact.h"

#include <cstring>
#include <elf.h>
#include <random>

using namespace jobrt;
using namespace jobrt::test;

/// A container that is good.
static const std::string &goodBytes() {
  static const std::string bytes =
      makeContainer(testKernels(), testManifest().dump());
  return bytes;
}

static std::string errorOf(const std::string &bytes) {
  Expected<Container> container = openContainer(bytes);
  EXPECT_FALSE(container.ok());
  return container.status().message();
}

static void putFooter(std::string &bytes, size_t at, uint64_t value,
                      size_t size) {
  std::memcpy(bytes.data() + bytes.size() - JOBRT_FOOTER_BYTES + at, &value,
              size);
}

TEST(ContainerTest, FindsTheParts) {
  Expected<Container> container = openContainer(goodBytes());
  ASSERT_TRUE(container.ok()) << container.status().toString();
  EXPECT_EQ(container->elf, testKernels());
  EXPECT_EQ(container->manifest, testManifest().dump());
}

TEST(ContainerTest, RefusesForeignFiles) {
  EXPECT_EQ(errorOf(""),
            "not an artifact: expects at least 64 bytes but got 0");
  EXPECT_EQ(errorOf(std::string(63, 'x')),
            "not an artifact: expects at least 64 bytes but got 63");
  const char *message = "not an artifact, or a truncated one: expects a footer "
                        "that begins with 'JOBMLIR'";
  EXPECT_EQ(errorOf(std::string(1000, 'x')), message);
  EXPECT_EQ(errorOf(testKernels()), message);
  Expected<Container> container = openContainer(testKernels());
  EXPECT_EQ(container.status().code(), StatusCode::kDataLoss);
}

TEST(ContainerTest, RefusesOtherVersions) {
  std::string manifest = testManifest().dump();
  std::string newer = makeContainer(testKernels(), manifest, 8);
  EXPECT_EQ(errorOf(newer), "newer format: expects version 7 but got 8; "
                            "compile the module again");
  EXPECT_EQ(openContainer(newer).status().code(), StatusCode::kUnimplemented);
  EXPECT_EQ(errorOf(makeContainer(testKernels(), manifest, 0)),
            "older format: expects version 7 but got 0; compile the module "
            "again");
}

TEST(ContainerTest, RefusesWrongSizes) {
  std::string bytes = goodBytes();
  uint64_t elf = testKernels().size(), manifest = testManifest().dump().size();
  putFooter(bytes, 24, manifest + 100, 8);
  fixFooter(bytes);
  EXPECT_EQ(errorOf(bytes), "truncated: expects " + std::to_string(elf) +
                                " + " + std::to_string(manifest + 100) +
                                " bytes before the footer but got " +
                                std::to_string(elf + manifest));
  // Sizes that only add up when they overflow.
  putFooter(bytes, 16, elf + manifest + 1, 8);
  putFooter(bytes, 24, UINT64_MAX, 8);
  fixFooter(bytes);
  EXPECT_TRUE(contains(errorOf(bytes), "truncated: expects "));
}

TEST(ContainerTest, NamesTheDamagedPart) {
  size_t elf = testKernels().size();
  size_t footer = goodBytes().size() - JOBRT_FOOTER_BYTES;
  struct {
    size_t at;
    const char *part;
  } rows[] = {{100, "damaged code: expects checksum "},
              {elf - 1, "damaged code: expects checksum "},
              {elf + 1, "damaged manifest: expects checksum "},
              {footer - 1, "damaged manifest: expects checksum "},
              {footer + 9, "damaged footer: expects checksum "},
              {footer + 63, "damaged footer: expects checksum "}};
  for (auto &row : rows) {
    std::string bytes = goodBytes();
    bytes[row.at] ^= 0x10;
    EXPECT_TRUE(contains(errorOf(bytes), row.part)) << row.at;
  }
}

TEST(ContainerTest, NoticesEveryFlippedBit) {
  // The footer and the manifest byte by byte, the code in steps.
  std::string bytes = goodBytes();
  size_t elf = testKernels().size();
  for (size_t at = 0; at < bytes.size(); at += at < elf ? 97 : 1) {
    for (int bit : {0, 7}) {
      bytes[at] ^= static_cast<char>(1 << bit);
      EXPECT_FALSE(openContainer(bytes).ok()) << at;
      bytes[at] ^= static_cast<char>(1 << bit);
    }
  }
  EXPECT_TRUE(openContainer(bytes).ok());
}

TEST(ContainerTest, NoticesEveryTruncation) {
  const std::string &bytes = goodBytes();
  for (size_t size = 0; size < bytes.size();
       size += size + 200 < bytes.size() ? 61 : 1)
    EXPECT_FALSE(openContainer(std::string_view(bytes).substr(0, size)).ok())
        << size;
  // From the front, too.
  for (size_t size = 1; size < bytes.size(); size += 89)
    EXPECT_FALSE(openContainer(std::string_view(bytes).substr(size)).ok())
        << size;
}

TEST(ContainerTest, RefusesOtherElfFiles) {
  std::string manifest = testManifest().dump();
  auto errorWith = [&](size_t at, uint16_t value) {
    std::string elf = testKernels();
    std::memcpy(elf.data() + at, &value, sizeof(value));
    return errorOf(makeContainer(elf, manifest));
  };
  const char *notElf = "expects a 64-bit little-endian ELF file in front";
  EXPECT_EQ(errorOf(makeContainer("no ELF", manifest)), notElf);
  EXPECT_EQ(errorOf(makeContainer("", manifest)), notElf);
  EXPECT_EQ(errorWith(0, 0), notElf);
  EXPECT_EQ(errorWith(EI_CLASS, ELFCLASS32), notElf);
  EXPECT_EQ(errorWith(offsetof(Elf64_Ehdr, e_type), ET_REL),
            "expects a shared object (ELF type 3) but got ELF type 1");
  Elf64_Ehdr header;
  std::memcpy(&header, testKernels().data(), sizeof(header));
  EXPECT_EQ(errorWith(offsetof(Elf64_Ehdr, e_machine), EM_RISCV),
            "expects ELF machine " + std::to_string(header.e_machine) +
                ", which is this machine's, but got 243");
}

TEST(ContainerTest, SurvivesRandomDamage) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = goodBytes();
    for (uint64_t i = 0, e = random() % 8 + 1; i < e; ++i)
      bytes[bytes.size() - 1 - random() % 200] = static_cast<char>(random());
    // A footer that fits the damage, so that the checks behind it are reached.
    fixFooter(bytes);
    (void)openContainer(bytes);
  }
}

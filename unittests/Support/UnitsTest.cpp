//===- UnitsTest.cpp - Numbers as people read them ------------------------===//

#include "JobDialect/Support/Units.h"

#include "gtest/gtest.h"

#include <cstdint>

using namespace mlir::job;

TEST(UnitsTest, BytesHaveThreeDigits) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(999), "999 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.00 KiB");
  EXPECT_EQ(formatBytes(1536), "1.50 KiB");
  EXPECT_EQ(formatBytes(102348), "99.9 KiB");
  EXPECT_EQ(formatBytes(1020 * 1024), "1020 KiB");
  EXPECT_EQ(formatBytes(10035200), "9.57 MiB");
  EXPECT_EQ(formatBytes(36755904), "35.1 MiB");
  EXPECT_EQ(formatBytes(int64_t(1) << 48), "256 TiB");
  EXPECT_EQ(formatBytes(int64_t(5000) << 40), "5000 TiB");
}

TEST(UnitsTest, WhatRoundsToAStepHasTheNextUnit) {
  EXPECT_EQ(formatBytes(10236), "10.0 KiB");
  EXPECT_EQ(formatBytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(formatCount(999400), "999 k");
  EXPECT_EQ(formatCount(999999), "1.00 M");
}

TEST(UnitsTest, CountsHavePrefixes) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(51200), "51.2 k");
  EXPECT_EQ(formatCount(321126400), "321 M");
  EXPECT_EQ(formatCount(INT64_MAX), "9.22 E");
}

TEST(UnitsTest, FlopsHaveTheirName) {
  EXPECT_EQ(formatFlops(128), "128 FLOP");
  EXPECT_EQ(formatFlops(51200), "51.2 kFLOP");
}

TEST(UnitsTest, DigitsAreGrouped) {
  EXPECT_EQ(formatDigits(0), "0");
  EXPECT_EQ(formatDigits(999), "999");
  EXPECT_EQ(formatDigits(1000), "1,000");
  EXPECT_EQ(formatDigits(36755904), "36,755,904");
  EXPECT_EQ(formatDigits(-100), "-100");
  EXPECT_EQ(formatDigits(-1234), "-1,234");
}

TEST(UnitsTest, BytesAreReadWithSuffixes) {
  EXPECT_EQ(parseBytes("1"), 1);
  EXPECT_EQ(parseBytes("1048576"), 1 << 20);
  EXPECT_EQ(parseBytes("3K"), 3 << 10);
  EXPECT_EQ(parseBytes("512M"), 512 << 20);
  EXPECT_EQ(parseBytes("2G"), int64_t(2) << 30);
  EXPECT_EQ(parseBytes("256T"), int64_t(1) << 48);
}

TEST(UnitsTest, BytesThatAreNone) {
  for (const char *text :
       {"", "0", "0K", "-1", "+1", "M", "1k", "1KB", "1.5M", "1 M", "257T",
        "281474976710657", "99999999999999999999"})
    EXPECT_EQ(parseBytes(text), std::nullopt) << text;
}

//===- TargetDescriptionTest.cpp - Names of processors --------------------===//

#include "TargetTest.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::job;

namespace {

class TargetDescriptionTest : public TargetTest {
protected:
  void SetUp() override {
    isX86 = llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch() ==
            llvm::Triple::x86_64;
  }

  bool requires_(const TargetDescription &target, StringRef name) {
    return llvm::is_contained(target.requiredFeatures, name);
  }

  /// The one message of a refusal.
  std::string refuse(StringRef cpu, StringRef features = "") {
    messages.clear();
    EXPECT_TRUE(failed(TargetDescription::create(getLoc(), cpu, features)));
    return messages;
  }

  bool isX86 = false;
};

TEST_F(TargetDescriptionTest, Native) {
  TargetDescription target = getNative();
  EXPECT_EQ(target.triple, llvm::sys::getDefaultTargetTriple());
  EXPECT_NE(target.cpu, "native");
  // What is required is there.
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  for (const std::string &feature : target.requiredFeatures)
    if (auto it = host.find(feature); it != host.end())
      EXPECT_TRUE(it->second) << feature;
}

TEST_F(TargetDescriptionTest, Named) {
  if (!isX86)
    GTEST_SKIP() << "processors of x86-64";
  auto haswell = TargetDescription::create(getLoc(), "haswell", "");
  ASSERT_TRUE(succeeded(haswell)) << messages;
  EXPECT_EQ(haswell->cpu, "haswell");
  EXPECT_TRUE(requires_(*haswell, "avx2"));
  EXPECT_TRUE(requires_(*haswell, "fma"));
  EXPECT_FALSE(requires_(*haswell, "avx512f"));
}

TEST_F(TargetDescriptionTest, Features) {
  if (!isX86)
    GTEST_SKIP() << "processors of x86-64";
  auto less =
      TargetDescription::create(getLoc(), "skylake-avx512", "-avx512f, -fma");
  ASSERT_TRUE(succeeded(less)) << messages;
  EXPECT_TRUE(requires_(*less, "avx2"));
  EXPECT_FALSE(requires_(*less, "avx512f"));
  // What needs it goes with it.
  EXPECT_FALSE(requires_(*less, "avx512bw"));
  EXPECT_FALSE(requires_(*less, "fma"));
  auto more = TargetDescription::create(getLoc(), "x86-64", "+avx512bw");
  ASSERT_TRUE(succeeded(more)) << messages;
  EXPECT_TRUE(requires_(*more, "avx512bw"));
  EXPECT_TRUE(requires_(*more, "avx512f"));
}

TEST_F(TargetDescriptionTest, FeaturesOfCalls) {
  if (!isX86)
    GTEST_SKIP() << "processors of x86-64";
  using Names = std::vector<std::string>;
  EXPECT_EQ(getCallFeatures("cooperlake", ""), Names{"avx512bf16"});
  EXPECT_EQ(getCallFeatures("cooperlake", "-avx512bf16"), Names());
  EXPECT_EQ(getCallFeatures("skylake-avx512", ""), Names());
  EXPECT_EQ(getCallFeatures("skylake-avx512", "-avx2, +avx512bf16"),
            Names{"avx512bf16"});
  EXPECT_EQ(getCallFeatures("pentium-9000", ""), Names());
  // Generated code does not use it, and does not need it.
  auto target = TargetDescription::create(getLoc(), "cooperlake", "");
  ASSERT_TRUE(succeeded(target)) << messages;
  EXPECT_EQ(target->callFeatures, Names{"avx512bf16"});
  EXPECT_FALSE(requires_(*target, "avx512bf16"));
  EXPECT_NE(target->features.find("-avx512bf16"), std::string::npos);
}

TEST_F(TargetDescriptionTest, Refused) {
  if (!isX86)
    GTEST_SKIP() << "processors of x86-64";
  EXPECT_EQ(refuse("pentium-9000"),
            "expects a processor that LLVM knows but got 'pentium-9000'\n");
  EXPECT_EQ(refuse(""), "expects a processor that LLVM knows but got ''\n");
  EXPECT_EQ(refuse("haswell", "avx2"),
            "expects processor features with '+' or '-' before them but got "
            "'avx2'\n");
  EXPECT_EQ(refuse("haswell", "+avx2,+warp-drive"),
            "expects processor features that generated code can use but got "
            "'warp-drive'\n");
  EXPECT_EQ(refuse("haswell", "+soft-float"),
            "expects processor features that generated code can use but got "
            "'soft-float'\n");
  EXPECT_EQ(refuse("i386"), "expects a processor with 64bit but got 'i386'\n");
  EXPECT_EQ(refuse("x86-64", "-sse2"),
            "expects a processor with sse2 but got 'x86-64' with '-sse2'\n");
}

TEST_F(TargetDescriptionTest, OtherArchitecture) {
  if (isX86)
    GTEST_SKIP() << "architectures other than x86-64";
  EXPECT_NE(refuse("cortex-a72")
                .find("expects the processor 'generic' or 'native' on"),
            std::string::npos);
  EXPECT_NE(refuse("generic", "+sve").find("expects no processor features on"),
            std::string::npos);
}

} // namespace

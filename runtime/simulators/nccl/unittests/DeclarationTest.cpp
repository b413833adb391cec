//===- DeclarationTest.cpp - NcclApi.h beside the library's header --------===//

#include <gtest/gtest.h>

#ifdef JOBSIM_MISSING_HEADER

TEST(NcclDeclarationTest, FunctionsAreThoseOfTheLibrary) {
  GTEST_SKIP() << "there is no header " JOBSIM_MISSING_HEADER;
}

#else

#include "drivers/cuda/nccl/NcclApi.h"
#include "simulators/cuda/unittests/Declarations.h"

#include <nccl.h>

#include <cstddef>
#include <utility>

using namespace jobrt::cuda::nccl;
using jobrt::cuda::Stream;
using jobsim::SameFunction;

namespace jobsim {
template <> struct SameObject<UniqueId, ncclUniqueId> : std::true_type {};
template <> struct SameObject<Config, ncclConfig_t> : std::true_type {};
} // namespace jobsim

namespace {

TEST(NcclDeclarationTest, FunctionsAreThoseOfTheLibrary) {
#define COMPARE(name, symbol, result, parameters)                              \
  EXPECT_TRUE(                                                                 \
      (SameFunction<result(*) parameters, decltype(&::symbol)>::value))        \
      << #symbol;
  JOBRT_FOR_EACH_NCCL_FUNCTION(COMPARE)
#undef COMPARE
}

TEST(NcclDeclarationTest, StructuresAreThoseOfTheLibrary) {
  EXPECT_EQ(sizeof(UniqueId), sizeof(ncclUniqueId));
  EXPECT_EQ(alignof(UniqueId), alignof(ncclUniqueId));
  // The library reads the first members only.
  ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  EXPECT_LE(sizeof(Config), sizeof(theirs));
  EXPECT_EQ(offsetof(Config, size), offsetof(ncclConfig_t, size));
  EXPECT_EQ(offsetof(Config, magic), offsetof(ncclConfig_t, magic));
  EXPECT_EQ(offsetof(Config, version), offsetof(ncclConfig_t, version));
  EXPECT_EQ(offsetof(Config, blocking), offsetof(ncclConfig_t, blocking));
  EXPECT_EQ(Config().magic, theirs.magic);
  EXPECT_EQ(Config().version, unsigned(NCCL_VERSION(2, 14, 0)));
  EXPECT_LE(Config().version, theirs.version);
}

TEST(NcclDeclarationTest, ConstantsAreThoseOfTheLibrary) {
  const std::pair<long, long> constants[] = {
      {kSuccess, ncclSuccess},
      {kUnhandledCudaError, ncclUnhandledCudaError},
      {kSystemError, ncclSystemError},
      {kInternalError, ncclInternalError},
      {kInvalidArgument, ncclInvalidArgument},
      {kInvalidUsage, ncclInvalidUsage},
      {kRemoteError, ncclRemoteError},
      {kInProgress, ncclInProgress},
      {kInt8, ncclInt8},
      {kUint8, ncclUint8},
      {kInt32, ncclInt32},
      {kInt64, ncclInt64},
      {kFloat16, ncclFloat16},
      {kFloat32, ncclFloat32},
      {kFloat64, ncclFloat64},
      {kBfloat16, ncclBfloat16},
      {kSum, ncclSum},
      {kProd, ncclProd},
      {kMax, ncclMax},
      {kMin, ncclMin},
      {kAvg, ncclAvg},
  };
  for (auto [ours, theirs] : constants)
    EXPECT_EQ(ours, theirs);
}

} // namespace

#endif // JOBSIM_MISSING_HEADER

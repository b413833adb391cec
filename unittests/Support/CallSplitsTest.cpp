//===- CallSplitsTest.cpp - How the work of library calls is split --------===//
//
// The tables have the products and convolutions of the benchmarks' models. The
// speed-up is the work divided by that of the largest chunk: what as many cores
// as there are chunks could reach if nothing else took time.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/CallSplits.h"
#include "JobDialect/Support/Implementations.h"

#include "gtest/gtest.h"

#include <limits>
#include <random>

using namespace mlir::job;
using namespace jobrt::calls;

/// The most chunks of an op of so many operations, by the table.
static int64_t getMaxChunks(llvm::StringRef op, double flops) {
  const Implementation *row =
      findImplementation(op, "cpu", "f32", static_cast<int64_t>(flops));
  return row ? row->maxChunks : 0;
}

/// The largest part of `extent` elements in parts of whole groups of `unit`.
static int64_t getLargestPart(int64_t extent, int64_t unit, int64_t parts) {
  int64_t largest = 0;
  for (int64_t i = 0; i < parts; ++i)
    largest = std::max(largest, partBegin(extent, unit, parts, i + 1) -
                                    partBegin(extent, unit, parts, i));
  return largest;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

static MatMul makeMatMul(int64_t batch, int64_t m, int64_t n, int64_t k) {
  MatMul matmul;
  matmul.batch = batch;
  matmul.m = m;
  matmul.n = n;
  matmul.k = k;
  return matmul;
}

static double getSpeedUp(const MatMul &c) {
  return double(c.batch * c.m * c.n) /
         (getLargestPart(c.batch, 1, c.batch_parts) *
          getLargestPart(c.m, kBlock, c.row_parts) *
          getLargestPart(c.n, kBlock, c.column_parts));
}

TEST(CallSplits, MatMulsOfModels) {
  struct {
    const char *name;
    int64_t batch, m, n, k;
    int64_t batchParts, rowParts, columnParts;
    double speedUp;
  } rows[] = {
      {"MLP, hidden", 1, 100, 512, 784, 1, 1, 8, 8},
      {"MLP, output", 1, 100, 10, 512, 1, 1, 1, 1},
      {"MLP, gradient of a weight", 1, 512, 784, 100, 1, 2, 4, 7.5},
      {"LeNet, dense", 1, 100, 512, 3136, 1, 1, 16, 16},
      {"LeNet, gradient of a weight", 1, 512, 3136, 100, 1, 2, 8, 15.6},
      {"ResNet-50, dense", 1, 8, 1000, 2048, 1, 1, 2, 1.9},
      {"transformer, feed-forward", 1, 2048, 2048, 512, 1, 4, 8, 32},
      {"transformer, projection", 1, 2048, 512, 512, 1, 8, 4, 32},
      {"GPT-2, query, key, value", 1, 1024, 2304, 768, 1, 4, 8, 32},
      {"GPT-2, projection", 1, 1024, 768, 768, 1, 8, 4, 32},
      {"GPT-2, feed-forward", 1, 1024, 3072, 768, 1, 4, 8, 32},
      {"GPT-2, feed-forward back", 1, 1024, 768, 3072, 1, 8, 4, 32},
      {"GPT-2, vocabulary", 1, 1024, 50257, 768, 1, 1, 63, 62.8},
      {"GPT-2, gradient of the embedding", 1, 50257, 768, 1024, 1, 63, 1, 62.8},
      {"many products", 96, 256, 256, 64, 16, 1, 1, 16},
      {"few products", 3, 512, 512, 64, 3, 1, 2, 6},
  };
  for (const auto &row : rows) {
    SCOPED_TRACE(row.name);
    MatMul matmul = makeMatMul(row.batch, row.m, row.n, row.k);
    double flops = 2.0 * row.batch * row.m * row.n * row.k;
    splitWork(matmul, getMaxChunks("matmul", flops));
    EXPECT_EQ(check(matmul), "");
    EXPECT_EQ(matmul.batch_parts, row.batchParts);
    EXPECT_EQ(matmul.row_parts, row.rowParts);
    EXPECT_EQ(matmul.column_parts, row.columnParts);
    EXPECT_NEAR(getSpeedUp(matmul), row.speedUp, 0.1);
  }
}

/// Of a transposed factor with rows of a multiple of 1 KiB, no chunk but the
/// last ones has few columns.
TEST(CallSplits, TransposedFactors) {
  struct {
    int64_t m, n, k;
    bool transposed;
    int64_t maxChunks, rowParts, columnParts;
  } rows[] = {
      {128, 3072, 3072, true, 32, 2, 16}, {128, 3072, 3072, false, 32, 1, 32},
      {128, 1024, 1024, true, 16, 2, 8},  {128, 1024, 1024, false, 16, 1, 16},
      {128, 1024, 1000, true, 16, 1, 16}, {16, 96, 1024, true, 64, 1, 1},
  };
  for (const auto &row : rows) {
    SCOPED_TRACE(testing::Message() << row.m << " x " << row.n << " x " << row.k
                                    << ", transposed: " << row.transposed);
    MatMul matmul = makeMatMul(1, row.m, row.n, row.k);
    matmul.transpose_b = row.transposed;
    splitWork(matmul, row.maxChunks);
    EXPECT_EQ(check(matmul), "");
    EXPECT_EQ(matmul.row_parts, row.rowParts);
    EXPECT_EQ(matmul.column_parts, row.columnParts);
  }
}

/// Parts of one size: 96 products are 48 parts of 2, not 64 of 1 or 2.
TEST(CallSplits, PartsAreBalanced) {
  MatMul matmul = makeMatMul(96, 256, 256, 64);
  splitWork(matmul, 64);
  EXPECT_EQ(matmul.batch_parts, 48);
  AttentionBase attention;
  attention.batch = 8;
  attention.heads = 12;
  splitWork(attention, 64);
  EXPECT_EQ(attention.head_parts, 48);
  EXPECT_EQ(attention.query_parts, 1);
}

/// In bf16 a first factor that is transposed is copied, once for each part of
/// the columns: a long one has no such parts.
TEST(CallSplits, CopiesOfTransposedFactorsAreBounded) {
  for (int64_t k : {1 << 10, 1 << 14, 1 << 18}) {
    MatMul matmul = makeMatMul(1, 512, 2048, k);
    matmul.type = static_cast<int64_t>(Element::kBF16);
    matmul.transpose_a = true;
    splitWork(matmul, 16);
    EXPECT_EQ(matmul.chunks(), 16);
    int64_t copy = 2 * matmul.m * matmul.k, sums = 4 * matmul.m * matmul.n;
    EXPECT_LE(matmul.slice * matmul.chunks(),
              std::max<int64_t>(64 << 20, copy + sums + (16 << 18)));
    EXPECT_EQ(matmul.column_parts > 1, k < 1 << 18) << k;
  }
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static Conv2d makeConv(int64_t n, int64_t c, int64_t h, int64_t oc, int64_t k,
                       int64_t stride) {
  Conv2d conv;
  conv.n = n;
  conv.c = c;
  conv.h = conv.w = h;
  conv.oc = oc;
  conv.kh = conv.kw = k;
  conv.stride_h = conv.stride_w = stride;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = k / 2;
  conv.oh = conv.ow = (h + 2 * (k / 2) - k) / stride + 1;
  return conv;
}

static double getSpeedUp(const Conv2d &c, Conv2dKind kind) {
  int64_t channels = kind == Conv2dKind::kDataGrad ? c.c : c.oc;
  return double(c.n * channels) /
         (getLargestPart(c.n, 1, c.batch_parts) *
          getLargestPart(channels, kBlock, c.channel_parts));
}

static std::string checkConv(const Conv2d &conv, Conv2dKind kind) {
  switch (kind) {
  case Conv2dKind::kForward:
    return check(Conv2dForward{conv});
  case Conv2dKind::kDataGrad:
    return check(Conv2dDataGrad{conv});
  case Conv2dKind::kFilterGrad:
    return check(Conv2dFilterGrad{conv});
  }
  return "";
}

static constexpr Conv2dKind kKinds[] = {
    Conv2dKind::kForward, Conv2dKind::kDataGrad, Conv2dKind::kFilterGrad};
static constexpr const char *kOps[] = {"conv2d", "conv2d_data_grad",
                                       "conv2d_filter_grad"};

TEST(CallSplits, ConvolutionsOfModels) {
  struct {
    const char *name;
    Conv2d conv;
    /// Parts of the batch and of the channels of each of the three calls.
    int64_t parts[3][2];
  } rows[] = {
      {"LeNet 1", makeConv(100, 1, 28, 32, 5, 1), {{8, 1}, {8, 1}, {8, 1}}},
      {"LeNet 2", makeConv(100, 32, 14, 64, 5, 1), {{8, 1}, {8, 1}, {8, 1}}},
      {"ResNet-20, 16 channels",
       makeConv(128, 16, 32, 16, 3, 1),
       {{8, 1}, {8, 1}, {8, 1}}},
      {"ResNet-20, 64 channels",
       makeConv(128, 64, 8, 64, 3, 1),
       {{8, 1}, {8, 1}, {8, 1}}},
      {"ResNet-50, first",
       makeConv(8, 3, 224, 64, 7, 2),
       {{8, 1}, {8, 1}, {8, 1}}},
      {"ResNet-50, 1x1",
       makeConv(8, 64, 56, 256, 1, 1),
       {{8, 1}, {8, 1}, {8, 1}}},
      {"ResNet-50, 64 channels",
       makeConv(8, 64, 56, 64, 3, 1),
       {{8, 1}, {8, 1}, {8, 1}}},
      {"ResNet-50, 256 channels",
       makeConv(8, 256, 14, 256, 3, 1),
       {{4, 2}, {4, 2}, {1, 8}}},
      {"ResNet-50, 512 channels",
       makeConv(8, 512, 7, 512, 3, 1),
       {{2, 4}, {2, 4}, {1, 8}}},
      {"ResNet-50, 64 channels, a batch of 32",
       makeConv(32, 64, 56, 64, 3, 1),
       {{32, 1}, {32, 1}, {16, 1}}},
      {"ResNet-50, 512 channels, a batch of 64",
       makeConv(64, 512, 7, 512, 3, 1),
       {{4, 16}, {4, 16}, {1, 16}}},
  };
  for (const auto &row : rows)
    for (int i = 0; i < 3; ++i) {
      SCOPED_TRACE(std::string(row.name) + ", " + kOps[i]);
      Conv2d conv = row.conv;
      double flops = 2.0 * conv.n * conv.oc * conv.oh * conv.ow * conv.c *
                     conv.kh * conv.kw;
      splitWork(conv, kKinds[i], getMaxChunks(kOps[i], flops));
      EXPECT_EQ(checkConv(conv, kKinds[i]), "");
      EXPECT_EQ(conv.batch_parts, row.parts[i][0]);
      EXPECT_EQ(conv.channel_parts, row.parts[i][1]);
      EXPECT_GE(getSpeedUp(conv, kKinds[i]), 0.9 * conv.chunks());
      EXPECT_LE(conv.workspaceBytes(), 64 << 20);
    }
}

/// The workspace hardly grows with the batch.
TEST(CallSplits, WorkspaceOfLargeBatches) {
  Conv2d small = makeConv(100, 32, 14, 64, 5, 1),
         large = makeConv(1000, 32, 14, 64, 5, 1);
  for (Conv2dKind kind : kKinds) {
    splitWork(small, kind, 8);
    splitWork(large, kind, 8);
    EXPECT_LT(large.workspaceBytes(), 1.3 * small.workspaceBytes());
  }
}

/// What oneDNN 2.6's kernels for AMX ask for, for the gradient of a filter.
TEST(CallSplits, WorkspaceOfKernelsForAMX) {
  struct {
    Conv2d conv;
    int64_t scratch, filter;
  } rows[] = {
      {makeConv(1, 64, 56, 64, 3, 1), 2179584, 147456},
      {makeConv(1, 64, 56, 256, 1, 1), 4588032, 65536},
      {makeConv(1, 256, 56, 64, 1, 1), 6308352, 65536},
      {makeConv(1, 128, 56, 128, 3, 2), 4071936, 589824},
      {makeConv(1, 128, 28, 128, 3, 1), 1319424, 589824},
      {makeConv(2, 256, 14, 256, 3, 1), 1118720, 2359296},
      {makeConv(4, 512, 7, 512, 3, 1), 1032704, 9437184},
      {makeConv(1, 3, 224, 64, 7, 2), 5505536, 200704},
      {makeConv(3, 32, 14, 64, 5, 1), 165376, 204800},
      {makeConv(4, 16, 32, 16, 3, 1), 98816, 9216},
  };
  for (auto [conv, scratch, filter] : rows) {
    SCOPED_TRACE(conv.c);
    conv.type = static_cast<int64_t>(Element::kBF16);
    conv.layout = static_cast<int64_t>(Layout::kNHWC);
    splitWork(conv, Conv2dKind::kFilterGrad, 1);
    EXPECT_EQ(checkConv(conv, Conv2dKind::kFilterGrad), "");
    EXPECT_GE(conv.slice, scratch + 2 * filter);
    EXPECT_LE(conv.slice, 3 * (scratch + 2 * filter) + (1 << 19));
    // In NCHW, copies of the arrays besides.
    conv.layout = static_cast<int64_t>(Layout::kNCHW);
    splitWork(conv, Conv2dKind::kFilterGrad, 1);
    int64_t elements = conv.c * conv.h * conv.w + conv.oc * conv.oh * conv.ow;
    EXPECT_GE(conv.slice, scratch + 2 * filter + 2 * conv.tile * elements);
  }
}

/// Where matrix products compute in bf16, no chunk has a last tile of one
/// image.
TEST(CallSplits, LastTilesOfProducts) {
  bool hasLarger = false;
  for (int64_t n : {1, 2, 3, 7, 25, 100, 101})
    for (Conv2dKind kind : kKinds) {
      Conv2d conv = makeConv(n, 3, 28, 6, 5, 1);
      conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = 3;
      conv.oh = conv.ow = 30;
      conv.type = static_cast<int64_t>(Element::kBF16);
      splitWork(conv, kind, 8);
      EXPECT_EQ(checkConv(conv, kind), "");
      hasLarger |= conv.tile > 1;
      for (int64_t part : {n / conv.batch_parts, ceilDiv(n, conv.batch_parts)})
        EXPECT_TRUE(conv.tile == 1 || part % conv.tile != 1)
            << part << " images in tiles of " << conv.tile;
    }
  EXPECT_TRUE(hasLarger);
}

/// A stride may be of any size.
TEST(CallSplits, WorkspaceOfLargeStrides) {
  for (int64_t stride : {5, 1000000, std::numeric_limits<int32_t>::max()}) {
    Conv2d conv = makeConv(2, 64, 1, 64, 1, 1);
    conv.stride_w = stride;
    conv.type = static_cast<int64_t>(Element::kBF16);
    splitWork(conv, Conv2dKind::kFilterGrad, 1);
    EXPECT_EQ(checkConv(conv, Conv2dKind::kFilterGrad), "");
    EXPECT_LT(conv.slice, 1 << 20);
  }
}

/// Images with the channels last are cut into parts of the batch, which need no
/// copies, where others are also cut into channels; and into channels if there
/// are few images.
TEST(CallSplits, ChannelsLast) {
  Conv2d plain = makeConv(8, 256, 7, 256, 1, 1), conv = plain;
  conv.layout = static_cast<int64_t>(Layout::kNHWC);
  Conv2d single = conv;
  single.n = 1;
  for (Conv2dKind kind : {Conv2dKind::kForward, Conv2dKind::kDataGrad}) {
    splitWork(plain, kind, 8);
    EXPECT_EQ(plain.batch_parts, 4);
    EXPECT_EQ(plain.channel_parts, 2);
    splitWork(conv, kind, 8);
    EXPECT_EQ(conv.batch_parts, 8);
    EXPECT_EQ(conv.channel_parts, 1);
    splitWork(single, kind, 8);
    EXPECT_EQ(single.channel_parts, 8);
  }
}

/// On a GPU: room for partial sums, and in NCHW for copies of all arrays.
TEST(CallSplits, WorkspaceOnAGPU) {
  auto getWorkspace = [](const Conv2d &geometry, Layout layout, Element type,
                         bool tf32 = false) {
    CudnnConv2dForward conv{{geometry}};
    conv.layout = static_cast<int64_t>(layout);
    conv.type = static_cast<int64_t>(type);
    conv.tf32 = tf32;
    splitWork(conv);
    EXPECT_EQ(check(conv), "");
    return conv.workspace;
  };
  Conv2d small = makeConv(3, 5, 7, 9, 3, 1), large = small;
  const int64_t least = 32 << 20;
  // Copies of images and filter with so many channels.
  auto withCopies = [&](int64_t elementBytes, int64_t c, int64_t oc) {
    int64_t bytes = elementBytes * (3 * c * 49 + oc * c * 9 + 3 * oc * 49);
    return least + (bytes + 63) / 64 * 64;
  };
  for (Layout layout : {Layout::kNCHW, Layout::kNHWC}) {
    EXPECT_EQ(getWorkspace(small, layout, Element::kF32, /*tf32=*/true),
              withCopies(4, 8, 12));
    EXPECT_EQ(getWorkspace(small, layout, Element::kBF16),
              withCopies(2, 8, 16));
  }
  // No tensor cores multiply factors of f32 that may not be rounded.
  EXPECT_EQ(getWorkspace(small, Layout::kNCHW, Element::kF32),
            withCopies(4, 5, 9));
  EXPECT_EQ(getWorkspace(small, Layout::kNHWC, Element::kF32), least);
  // Arrays with even channels are used as they are.
  EXPECT_EQ(
      getWorkspace(makeConv(3, 5, 7, 16, 3, 1), Layout::kNHWC, Element::kBF16),
      least + (2 * (3 * 8 * 49 + 16 * 8 * 9) + 63) / 64 * 64);
  Conv2d even = makeConv(3, 8, 7, 16, 3, 1);
  EXPECT_EQ(getWorkspace(even, Layout::kNCHW, Element::kBF16),
            withCopies(2, 8, 16));
  EXPECT_EQ(getWorkspace(even, Layout::kNHWC, Element::kBF16), least);
  // Channels of groups are not padded.
  Conv2d grouped = makeConv(3, 6, 7, 9, 3, 1);
  grouped.groups = 3;
  EXPECT_EQ(getWorkspace(grouped, Layout::kNHWC, Element::kBF16), least);
  large.n = even.n = 1000000;
  EXPECT_EQ(getWorkspace(large, Layout::kNCHW, Element::kF32), 512 << 20);
  EXPECT_EQ(getWorkspace(large, Layout::kNHWC, Element::kBF16), 512 << 20);
  EXPECT_EQ(getWorkspace(even, Layout::kNHWC, Element::kF32), least);
}

/// A limit is kept, rounded down to whole lines of a cache; one that is too
/// small for several parts leaves one.
TEST(CallSplits, LimitOfTheWorkspace) {
  CudnnConv2dForward onGPU{{makeConv(3, 5, 7, 9, 3, 1)}};
  splitWork(onGPU, /*workspaceLimit=*/1000);
  EXPECT_EQ(onGPU.workspace, 960);
  EXPECT_EQ(check(onGPU), "");
  splitWork(onGPU, /*workspaceLimit=*/0);
  EXPECT_EQ(onGPU.workspace, 0);
  EXPECT_EQ(check(onGPU), "");
  for (Conv2dKind kind : kKinds) {
    Conv2d conv = makeConv(32, 64, 56, 64, 3, 1), limited = conv;
    splitWork(conv, kind, 32);
    ASSERT_GT(conv.chunks(), 1);
    splitWork(limited, kind, 32, conv.workspaceBytes());
    EXPECT_EQ(limited.chunks(), conv.chunks());
    splitWork(limited, kind, 32, conv.workspaceBytes() - 1);
    EXPECT_LT(limited.workspaceBytes(), conv.workspaceBytes());
    splitWork(limited, kind, 32, 0);
    EXPECT_EQ(limited.chunks(), 1);
    EXPECT_EQ(checkConv(limited, kind), "");
  }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

TEST(CallSplits, Attention) {
  AttentionBase gpt2;
  gpt2.heads = 12;
  gpt2.queries = gpt2.keys = 1024;
  gpt2.channels = gpt2.value_channels = 64;
  gpt2.causal = 1;
  splitWork(gpt2, 64);
  // 22 blocks of 48 queries of each head, in parts of 5.
  EXPECT_EQ(gpt2.head_parts, 12);
  EXPECT_EQ(gpt2.query_parts, 5);
  EXPECT_EQ(gpt2.partQueries(), 5 * 48);
  EXPECT_EQ(check(AttentionGrad{gpt2}), "");
}

/// On a GPU: the gradients of the scores of as many images as fit into 512 MiB,
/// in blocks, and room for the engine.
TEST(CallSplits, AttentionOnAGPU) {
  CudnnAttention forward;
  forward.batch = 32;
  forward.heads = 12;
  forward.queries = forward.keys = 1024;
  forward.channels = forward.value_channels = 64;
  forward.type = static_cast<int64_t>(Element::kBF16);
  splitWork(forward);
  EXPECT_EQ(check(forward), "");
  EXPECT_EQ(forward.workspace, 1 << 20);

  CudnnAttentionGrad gpt2;
  static_cast<CudnnAttentionBase &>(gpt2) = forward;
  splitWork(gpt2);
  EXPECT_EQ(check(gpt2), "");
  // 24 MiB for an image.
  EXPECT_EQ(gpt2.batch_parts, 2);
  EXPECT_EQ(gpt2.workspace, (16 * 24 + 1) << 20);

  CudnnAttentionGrad uneven = gpt2;
  uneven.queries = 3;
  uneven.keys = 129;
  splitWork(uneven);
  EXPECT_EQ(uneven.batch_parts, 1);
  EXPECT_EQ(uneven.workspace, (1 << 20) + 32 * 12 * 128 * 256 * 2);

  // One image has more.
  CudnnAttentionGrad large = gpt2;
  large.queries = large.keys = 16384;
  splitWork(large);
  EXPECT_EQ(large.batch_parts, 32);
  EXPECT_EQ(large.workspace, (int64_t(12 * 512) + 1) << 20);
  large.queries = large.keys = kMaxExtent / 1024;
  large.heads = 1 << 20;
  splitWork(large);
  EXPECT_LT(large.workspace, kMaxBytes);
  EXPECT_EQ(large.workspace % JOBRT_ALIGNMENT, 0);
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

/// Whatever the shapes are, the split is a right one of at most so many chunks.
TEST(CallSplits, RandomShapesAreRight) {
  std::mt19937_64 random(7);
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 2000 && !::testing::Test::HasFailure(); ++i) {
    int64_t maxChunks = uniform(1, 64);
    SCOPED_TRACE(std::to_string(i) + ", at most " + std::to_string(maxChunks));
    MatMul matmul = makeMatMul(uniform(0, 1) ? 1 : uniform(1, 200),
                               uniform(1, 2000), uniform(1, 2000), 8);
    splitWork(matmul, maxChunks);
    EXPECT_EQ(check(matmul), "");
    EXPECT_LE(matmul.chunks(), maxChunks);

    int64_t groups = uniform(0, 3) ? 1 : uniform(1, 8), k = uniform(1, 3);
    Conv2d conv =
        makeConv(uniform(1, 100), groups * uniform(1, 50), uniform(k, 30),
                 groups * uniform(1, 50), k, uniform(1, 2));
    conv.groups = groups;
    conv.layout = uniform(0, 1);
    for (Conv2dKind kind : kKinds) {
      Conv2d split = conv;
      splitWork(split, kind, maxChunks);
      EXPECT_EQ(checkConv(split, kind), "");
      EXPECT_LE(split.chunks(), maxChunks);
    }

    AttentionBase attention;
    attention.batch = uniform(1, 9);
    attention.heads = uniform(1, 12);
    attention.queries = attention.keys = uniform(1, 1000);
    splitWork(attention, maxChunks);
    EXPECT_EQ(check(AttentionGrad{attention}), "");
    EXPECT_LE(attention.chunks(), maxChunks);
  }
}

//===- CallSplits.cpp - How the work of library calls is split ------------===//

#include "JobDialect/Support/CallSplits.h"

#include <limits>

using namespace mlir;
using namespace jobrt::calls;

/// What reading, rearranging and writing one element costs, in multiply-adds of
/// f32 with AVX-512. Libraries copy their operands into blocks before they
/// multiply, and each chunk copies all that it reads.
static constexpr double kCopyCost = 32;

/// Calls `cost(outer, inner)` for all pairs of numbers of parts with a product
/// of at most `maxChunks`, and stores the cheapest one, of equal ones the
/// first.
template <typename Cost>
static void chooseParts(int64_t outerItems, int64_t innerItems,
                        int64_t maxChunks, int64_t &outer, int64_t &inner,
                        Cost cost) {
  double least = std::numeric_limits<double>::infinity();
  for (int64_t a = 1; a <= std::min(outerItems, maxChunks); ++a) {
    if (a != filledParts(outerItems, a))
      continue;
    for (int64_t b = 1; b <= std::min(innerItems, maxChunks / a); ++b) {
      if (b != filledParts(innerItems, b))
        continue;
      if (double candidate = cost(a, b); candidate < least) {
        least = candidate;
        outer = a;
        inner = b;
      }
    }
  }
}

/// No more chunks than have this much workspace together, unless it is one, or
/// parts of the rows of a product.
static constexpr int64_t kMaxWorkspaceBytes = 64 << 20;

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// oneDNN takes up to 2.1 times as long for the chunks of a product as for the
/// whole if the second factor is transposed, its rows have a multiple of this
/// many terms (1 KiB), and a chunk has fewer columns than these. The times
/// were measured, their cause was not (docs/rationale.md).
static constexpr int64_t kSlowTerms = 256, kMinColumnsOfSlowTerms = 128;

/// An upper bound of the bytes that the library needs for a chunk of a product
/// of bf16: blocks of its kernels; where it has no kernel of blocks for a
/// shape, the sums; and a first factor that is transposed is copied.
static int64_t getSlice(const MatMul &matmul) {
  if (!matmul.isNarrow())
    return 0;
  int64_t rows = partSize(matmul.m, kBlock, matmul.row_parts);
  int64_t columns = partSize(matmul.n, kBlock, matmul.column_parts);
  int64_t bytes = (256 << 10) + 4 * rows * columns;
  if (matmul.transpose_a)
    bytes += 2 * rows * roundToBlock(matmul.k);
  return ceilDiv(bytes, JOBRT_ALIGNMENT) * JOBRT_ALIGNMENT;
}

static void chooseProductParts(MatMul &matmul, int64_t maxChunks) {
  if (matmul.batch >= maxChunks) {
    matmul.batch_parts = filledParts(matmul.batch, maxChunks);
    return;
  }
  matmul.batch_parts = matmul.batch;
  int64_t rowBlocks = ceilDiv(matmul.m, kBlock),
          columnBlocks = ceilDiv(matmul.n, kBlock);
  bool needsColumns = matmul.transpose_b && matmul.k % kSlowTerms == 0;
  chooseParts(
      rowBlocks, columnBlocks, maxChunks / matmul.batch, matmul.row_parts,
      matmul.column_parts, [&](int64_t rowParts, int64_t columnParts) {
        double rows = kBlock * ceilDiv(rowBlocks, rowParts),
               columns = kBlock * ceilDiv(columnBlocks, columnParts);
        if (needsColumns && columnParts > 1 && columns < kMinColumnsOfSlowTerms)
          return std::numeric_limits<double>::infinity();
        MatMul candidate = matmul;
        candidate.row_parts = rowParts;
        candidate.column_parts = columnParts;
        if (columnParts > 1 &&
            getSlice(candidate) > kMaxWorkspaceBytes / candidate.chunks())
          return std::numeric_limits<double>::infinity();
        // Per term of the sums: products, and copies of both factors.
        return rows * columns + kCopyCost * (rows + columns);
      });
}

void job::splitWork(MatMul &matmul, int64_t maxChunks) {
  chooseProductParts(matmul, maxChunks);
  matmul.slice = getSlice(matmul);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Bytes of data that a chunk works on at a time: they stay in a core's cache,
/// and the workspace does not grow with the batch.
static constexpr int64_t kTileBytes = 512 << 10;
/// Bytes of a slice beside the arrays: alignment, and scratch of the library.
static constexpr int64_t kScratchBytes = 1 << 15;

/// Images of a tile: as many as fit, in tiles of about one size.
static int64_t getTile(const Conv2d &conv) {
  int64_t image = 4 * (roundToBlock(conv.c) * conv.h * conv.w +
                       roundToBlock(conv.oc) * conv.oh * conv.ow);
  int64_t fitting = std::max<int64_t>(1, kTileBytes / image);
  int64_t part = ceilDiv(conv.n, conv.batch_parts);
  return ceilDiv(part, ceilDiv(part, fitting));
}

/// Whether oneDNN is sure to have a kernel of blocks of channels, with AVX2 as
/// well. Where it has one was found by asking it (docs/rationale.md); the
/// limits are mostly those of rows, which its kernels keep in registers.
static bool hasBlockedKernel(const Conv2d &conv, Conv2dKind kind) {
  int64_t c = conv.c / conv.groups, oc = conv.oc / conv.groups;
  bool isDepthwise = c == 1 && oc == 1;
  bool readsPlainInput =
      conv.groups == 1 && c <= 3 && kind != Conv2dKind::kDataGrad;
  if (c <= 3 && !(readsPlainInput && oc % kBlock == 0))
    return false;
  if (conv.groups > 1 && !isDepthwise && (c % kBlock || oc % kBlock))
    return false;
  if (conv.stride_h * conv.stride_w > 1 &&
      conv.dilation_h * conv.dilation_w > 1)
    return false;

  int64_t reach = conv.dilation_w * (conv.kw - 1);
  int64_t padding = std::max(conv.pad_left, conv.pad_right);
  switch (kind) {
  case Conv2dKind::kForward:
    return conv.kw <= 7 && padding <= std::min<int64_t>(3, reach) &&
           (conv.ow >= 4 || padding <= 1);
  case Conv2dKind::kDataGrad: {
    if (conv.isNarrow() && std::max(conv.pad_top, conv.pad_bottom) >
                               conv.dilation_h * (conv.kh - 1))
      return false;
    if (conv.kw > 7 || conv.w < 4 || padding > reach ||
        reach - std::min(conv.pad_left, conv.pad_right) > 3)
      return false;
    // Pixels at the right end that no window starts at.
    int64_t rest =
        (conv.w + conv.pad_left + conv.pad_right - reach - 1) % conv.stride_w;
    return conv.stride_w == 1 || (c % 8 == 0 && rest <= conv.pad_right);
  }
  case Conv2dKind::kFilterGrad:
    // In bf16 the whole window fits into the image, and no more than half of it
    // is outside.
    if (conv.isNarrow() &&
        (std::max(conv.pad_top, conv.pad_bottom) > conv.kh / 2 ||
         padding > conv.kw / 2 || conv.dilation_h * (conv.kh - 1) >= conv.h ||
         reach >= conv.w))
      return false;
    return conv.kw < 14 && conv.kh <= conv.h && conv.kw <= conv.w;
  }
  return false;
}

/// Whether the gradient of a filter may be computed with AMX. A row of a copy
/// has 32 pixels or more for each pixel of a stride: with larger ones the
/// copies would be many times as large as the image.
static bool mayUseAMX(const Conv2d &conv) {
  return conv.isNarrow() && conv.stride_w <= 4 &&
         hasBlockedKernel(conv, Conv2dKind::kFilterGrad);
}

/// An upper bound of the bytes that oneDNN's kernels for AMX need for a
/// filter's gradient, beside the sums: copies of an image and of the gradient
/// of its result, whose rows are pairs of pixels, channels in blocks of 32.
/// Found by asking oneDNN 2.6.
static int64_t getTransposedBytes(const Conv2d &conv, int64_t outputChannels) {
  constexpr int64_t kRow = 32;
  auto roundUp = [](int64_t value, int64_t unit) {
    return ceilDiv(value, unit) * unit;
  };
  // Channels of a buffer: those of a block for each block of 16.
  auto buffered = [&](int64_t channels) {
    return channels <= kBlock ? kBlock : 2 * roundUp(channels, kRow);
  };
  int64_t padding = std::max<int64_t>({1, conv.pad_left, conv.pad_right});
  int64_t columns =
      conv.stride_w *
      roundUp(ceilDiv(conv.w, conv.stride_w) + roundUp(padding, kRow), kRow);
  return 2 * (buffered(conv.c) * conv.h * columns +
              buffered(outputChannels) * conv.oh * roundUp(conv.ow, 2));
}

/// Upper bound of the bytes that a chunk needs. With blocked kernels: one tile
/// of input and output and the chunk's filter (for the filter gradient: the sum
/// and the gradient of one tile), channels rounded up to blocks, and a little
/// scratch; an input of a few channels is read as it is. If the library has no
/// blocked kernel: the im2col matrix of one image, and with the channels last a
/// copy of the filter, one of the array of which a chunk has a part of the
/// channels, and the image of a group for its gradients. Arrays of bf16 take
/// half of that; sums in f32 and copies that are transposed take the other
/// half, and for a filter's gradient what kernels for AMX need counts.
static int64_t getSlice(const Conv2d &conv, Conv2dKind kind) {
  int64_t c = roundToBlock(conv.c), oc = roundToBlock(conv.oc);
  int64_t groupC = conv.c / conv.groups, groupOc = conv.oc / conv.groups;
  int64_t area = conv.kh * conv.kw, positions = conv.oh * conv.ow;
  bool isDepthwise = groupC == 1 && groupOc == 1;

  int64_t filter = isDepthwise ? area * roundToBlock(conv.groups)
                               : area * conv.groups * roundToBlock(groupC) *
                                     roundToBlock(groupOc);
  // Channels of the result are split into whole blocks.
  bool isDataGrad = kind == Conv2dKind::kDataGrad;
  int64_t &split = isDataGrad ? c : oc;
  int64_t whole = split;
  split = kBlock * ceilDiv(whole / kBlock, conv.channel_parts);
  if (conv.channel_parts > 1)
    filter = filter / whole * split;
  bool readsPlainInput = conv.groups == 1 && conv.c <= 3 && !isDataGrad;
  int64_t blocked = conv.tile * ((readsPlainInput ? 0 : c * conv.h * conv.w) +
                                 oc * positions) +
                    filter;
  if (kind == Conv2dKind::kFilterGrad)
    blocked += filter;
  // Strided 1x1: one image without the positions that are skipped.
  if (area == 1 && conv.stride_h * conv.stride_w > 1)
    blocked += c * positions;

  int64_t products = 0;
  if (!hasBlockedKernel(conv, kind)) {
    products = groupC * area * positions;
    if (conv.isChannelsLast()) {
      products += conv.oc * groupC * area;
      if (conv.groups > 1 && kind != Conv2dKind::kForward)
        products += groupC * conv.h * conv.w;
      if (conv.channel_parts > 1)
        products +=
            conv.tile * split * (isDataGrad ? conv.h * conv.w : positions);
    }
    if (conv.isNarrow())
      products += isDataGrad ? conv.c * conv.h * conv.w : conv.oc * positions;
    if (kind == Conv2dKind::kFilterGrad)
      products += (conv.isNarrow() ? 11 : 6) * conv.oc * groupC * area;
  }
  int64_t bytes = 4 * std::max(blocked, products);
  if (kind == Conv2dKind::kFilterGrad && mayUseAMX(conv)) {
    int64_t copied = 0;
    if (!conv.isChannelsLast())
      copied = conv.tile * (c * conv.h * conv.w + oc * positions);
    else if (conv.channel_parts > 1)
      copied = conv.tile * oc * positions;
    bytes = std::max(bytes, 2 * copied + 4 * 2 * filter +
                                getTransposedBytes(conv, oc));
  }
  bytes += kScratchBytes;
  return ceilDiv(bytes, JOBRT_ALIGNMENT) * JOBRT_ALIGNMENT;
}

static void setWorkspace(Conv2d &conv, Conv2dKind kind) {
  conv.tile = getTile(conv);
  // Matrix products of bf16 want another layout of the filter for one image
  // than for several: no chunk has a last tile of one.
  if (conv.isNarrow() && !hasBlockedKernel(conv, kind))
    while (conv.tile > 1 &&
           (conv.n / conv.batch_parts % conv.tile == 1 ||
            ceilDiv(conv.n, conv.batch_parts) % conv.tile == 1))
      --conv.tile;
  conv.slice = getSlice(conv, kind);
}

/// The cost of the largest chunk, and of what is done after all chunks.
static double getCost(const Conv2d &conv, Conv2dKind kind, int64_t batchParts,
                      int64_t channelParts) {
  bool isDataGrad = kind == Conv2dKind::kDataGrad;
  double images = ceilDiv(conv.n, batchParts);
  // The channels that are split, and those that every chunk has all of.
  int64_t blocks = ceilDiv(isDataGrad ? conv.c : conv.oc, kBlock);
  double split = kBlock * ceilDiv(blocks, channelParts);
  double whole = (isDataGrad ? conv.oc : conv.c) / double(conv.groups);
  double splitArea =
      isDataGrad ? double(conv.h) * conv.w : double(conv.oh) * conv.ow;
  double wholeArea =
      isDataGrad ? double(conv.oh) * conv.ow : double(conv.h) * conv.w;
  double area = double(conv.kh) * conv.kw;
  double filter = area * split * whole;

  // A block of channels loads all that it multiplies with; several share that.
  double products =
      images * conv.oh * conv.ow * filter * (1 + kBlock / 2 / split);
  double copies = filter;
  // Images with the channels last are not copied, unless a chunk has a part of
  // the channels.
  if (!conv.isChannelsLast() || channelParts > 1)
    copies +=
        images * (split * splitArea + whole * double(conv.groups) * wholeArea);
  // Partial sums of the filter's gradient are added by one thread.
  double sums = 0;
  if (kind == Conv2dKind::kFilterGrad && batchParts > 1)
    sums = double(batchParts) * filter * double(channelParts);
  return products + kCopyCost * (copies + sums);
}

void job::splitWork(Conv2d &conv, Conv2dKind kind, int64_t maxChunks,
                    int64_t workspaceLimit) {
  int64_t most = std::min(kMaxWorkspaceBytes, workspaceLimit);
  int64_t channels = kind == Conv2dKind::kDataGrad ? conv.c : conv.oc;
  chooseParts(conv.n, conv.groups == 1 ? ceilDiv(channels, kBlock) : 1,
              maxChunks, conv.batch_parts, conv.channel_parts,
              [&](int64_t batchParts, int64_t channelParts) {
                Conv2d candidate = conv;
                candidate.batch_parts = batchParts;
                candidate.channel_parts = channelParts;
                setWorkspace(candidate, kind);
                if (candidate.chunks() > 1 && candidate.workspaceBytes() > most)
                  return std::numeric_limits<double>::infinity();
                return getCost(conv, kind, batchParts, channelParts);
              });
  setWorkspace(conv, kind);
}

/// What every convolution on a GPU may use, for partial sums: as much as matrix
/// products, whose workspace is the same memory.
static constexpr int64_t kMinCudnnWorkspaceBytes = 32 << 20;
/// With more, a large batch would need as much memory for its workspace as for
/// its blobs.
static constexpr int64_t kMaxCudnnWorkspaceBytes = 512 << 20;

void job::splitWork(CudnnConv2d &conv, int64_t workspaceLimit) {
  // Engines for tensor cores copy arrays in NCHW to NHWC, and those whose
  // channels are no multiple of 16 bytes to padded ones.
  bool isNCHW = conv.layout == static_cast<int64_t>(Layout::kNCHW);
  CudnnConv2d copied = conv;
  if (conv.groups == 1 && (conv.tf32 || conv.element() != Element::kF32)) {
    int64_t unit = 16 / elementBytes(conv.element());
    copied.c = ceilDiv(conv.c, unit) * unit;
    copied.oc = ceilDiv(conv.oc, unit) * unit;
  }
  bool padsInput = copied.c != conv.c, padsOutput = copied.oc != conv.oc;
  int64_t bytes = kMinCudnnWorkspaceBytes;
  for (const auto &[isCopied, buffer] :
       {std::pair(padsInput, copied.input("input")),
        {padsInput || padsOutput, copied.filter("filter")},
        {padsOutput, copied.output("output")}}) {
    int64_t size = isNCHW || isCopied ? arrayBytes(buffer) : 0;
    // Too large to count.
    bytes = size < 0 ? kMaxCudnnWorkspaceBytes
                     : std::min(bytes + size, kMaxCudnnWorkspaceBytes);
  }
  conv.workspace = std::min(ceilDiv(bytes, JOBRT_ALIGNMENT),
                            workspaceLimit / JOBRT_ALIGNMENT) *
                   JOBRT_ALIGNMENT;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

void job::splitWork(AttentionBase &attention, int64_t maxChunks) {
  int64_t items = attention.items();
  attention.head_parts = filledParts(items, maxChunks);
  if (items < maxChunks)
    attention.query_parts =
        filledParts(ceilDiv(attention.queries, kQueryBlock), maxChunks / items);
}

/// What every engine for attention on a GPU may use: those of cuDNN 9.19 need
/// less than 1 KiB beside the gradients of the scores.
static constexpr int64_t kCudnnAttentionBytes = 1 << 20;

/// Bytes of the gradients of the scores of one image, in blocks of the engines:
/// at most `kMaxBytes`.
static int64_t getScoreBytes(const CudnnAttentionGrad &attention) {
  constexpr int64_t kBlock = CudnnAttentionGrad::kScoreBlock;
  int64_t queries = ceilDiv(attention.queries, kBlock) * kBlock,
          keys = ceilDiv(attention.keys, kBlock) * kBlock;
  int64_t bytes = elementBytes(attention.element());
  for (int64_t extent : {attention.heads, queries, keys})
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMaxBytes)
      return kMaxBytes;
  return bytes;
}

void job::splitWork(CudnnAttention &attention) {
  attention.workspace = kCudnnAttentionBytes;
}

void job::splitWork(CudnnAttentionGrad &attention) {
  int64_t image = getScoreBytes(attention);
  int64_t limit = std::max(image, kMaxCudnnWorkspaceBytes);
  for (int64_t parts = 1; parts <= JOBRT_MAX_CHUNKS; ++parts)
    if (attention.batch % parts == 0) {
      attention.batch_parts = parts;
      if (attention.batch / parts <= limit / image)
        break;
    }
  int64_t images = attention.batch / attention.batch_parts;
  // No device has more.
  int64_t most = kMaxBytes - JOBRT_ALIGNMENT - kCudnnAttentionBytes;
  attention.workspace =
      kCudnnAttentionBytes + (images <= most / image
                                  ? images * image
                                  : most / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT);
}

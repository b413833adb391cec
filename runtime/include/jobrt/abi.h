//===- abi.h - Names and numbers shared by compiler and runtime -----------===//
//
// The constants and formulas of docs/artifact.md. This is the only header of
// the runtime that the compiler includes. Plain C.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_ABI_H
#define JOBRT_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first eight bytes of the footer, including the terminating zero.
#define JOBRT_MAGIC "JOBMLIR"
/// Version of the container and of the semantics of the manifest.
#define JOBRT_FORMAT_VERSION 4
/// Size of the footer in bytes.
#define JOBRT_FOOTER_BYTES 64
/// Every buffer starts at a multiple of this many bytes.
#define JOBRT_ALIGNMENT 64
/// Kernel n is the symbol JOBRT_KERNEL_PREFIX followed by n in decimal.
#define JOBRT_KERNEL_PREFIX "jobk_"
#define JOBRT_CONSTANTS_SYMBOL "jobmlir_constants"
/// Name of the entry that initializes the variables.
#define JOBRT_INIT_ENTRY "jobmlir_init"

/// The element types, in the order of the enumerators: X(ENUMERATOR, name,
/// bytes of an element in memory, name of the type that ops compute with and
/// sums accumulate in, name in .npy files, name in safetensors files, type in
/// C). An i1 is a byte, 0 or 1. C has no type for f16 and bf16, only for their
/// bits. NumPy has no bf16: it writes an array of ml_dtypes.bfloat16 as '<V2'.
#define JOBRT_FOR_EACH_ELEMENT_TYPE(X)                                         \
  X(I1, "i1", 1, "i1", "|b1", "BOOL", "uint8_t")                               \
  X(I8, "i8", 1, "i8", "|i1", "I8", "int8_t")                                  \
  X(I32, "i32", 4, "i32", "<i4", "I32", "int32_t")                             \
  X(I64, "i64", 8, "i64", "<i8", "I64", "int64_t")                             \
  X(F32, "f32", 4, "f32", "<f4", "F32", "float")                               \
  X(F64, "f64", 8, "f64", "<f8", "F64", "double")                              \
  X(UI8, "ui8", 1, "i32", "|u1", "U8", "uint8_t")                              \
  X(F16, "f16", 2, "f32", "<f2", "F16", "uint16_t")                            \
  X(BF16, "bf16", 2, "f32", "<V2", "BF16", "uint16_t")
/// For messages.
#define JOBRT_ELEMENT_TYPE_NAMES "i1, i8, i32, i64, f32, f64, ui8, f16 or bf16"

/// A kernel: `args[i]` is the address of its buffer `i`, `chunk` the index of
/// the chunk.
typedef void (*jobrt_kernel_fn)(void *const *args, int64_t chunk);

//===----------------------------------------------------------------------===//
// The status word of a chunk of a checked dispatch. As an unsigned number it is
// at least JOBRT_CHECK_FAILED if an op has a result that is not finite: then
// bit 0 is set for a NaN, and bits 1 to 22 are the number of checks minus the
// index of the op, so the largest word belongs to the first such op.
//===----------------------------------------------------------------------===//

#define JOBRT_CHECK_FAILED 0x7f800000u
/// Maximum number of checks, limited by the bits of the word.
#define JOBRT_MAX_CHECKS ((1 << 22) - 1)

static inline int jobrt_check_is_nan(uint32_t word) { return word & 1; }
/// The index of the op in the dispatch's list of `checks` ops.
static inline int64_t jobrt_check_index(uint32_t word, int64_t checks) {
  return checks - (int64_t)((word & ~JOBRT_CHECK_FAILED) >> 1);
}

/// Largest padding of one side of a convolution: the library's data structures
/// at load grow with it.
#define JOBRT_CONV2D_MAX_PADDING 16384

/// The parameters of a convolution call; input NCHW, filter OIHW.
typedef struct jobrt_conv2d_config {
  int64_t n, c, h, w;
  int64_t oc, kh, kw;
  int64_t oh, ow;
  int64_t stride_h, stride_w;
  int64_t pad_top, pad_left, pad_bottom, pad_right;
  int64_t dilation_h, dilation_w;
  int64_t groups;
} jobrt_conv2d_config;

//===----------------------------------------------------------------------===//
// How the work of library calls is split. Functions of shapes only, so that the
// bits of a result depend neither on the machine's cores nor on timing.
//===----------------------------------------------------------------------===//

static inline int64_t jobrt_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t jobrt_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t jobrt_ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}
/// `a` rounded up to a multiple of 16, the channels of one vector block.
static inline int64_t jobrt_round16(int64_t a) { return (a + 15) / 16 * 16; }

/// Number of chunks for `macs` multiply-adds: one per 4 million (about 50
/// microseconds of one core) up to 8 chunks, beyond that one per 128 million up
/// to 16 chunks.
static inline int64_t jobrt_chunks_for_work(double macs) {
  double fine = macs / (4 << 20), coarse = macs / (128 << 20);
  double chunks = fine < 8 ? fine : 8;
  if (coarse > chunks)
    chunks = coarse < 16 ? coarse : 16;
  return chunks < 1 ? 1 : (int64_t)chunks;
}

/// Whether a matrix product is split along the columns of `out` instead of the
/// rows: if there are at least as many columns as rows, since then the chunks
/// share the smaller factor and each packs only its part of the larger one.
static inline int jobrt_matmul_splits_columns(int64_t m, int64_t n) {
  return n >= m;
}

/// First element of chunk `chunk` if `extent` elements are split into chunks of
/// whole groups of `unit` elements; a chunk ends where the next one begins. The
/// sizes of chunks differ by at most one group (the last group may be smaller);
/// with fewer groups than chunks some chunks are empty.
static inline int64_t jobrt_chunk_begin(int64_t extent, int64_t unit,
                                        int64_t chunks, int64_t chunk) {
  int64_t groups = jobrt_ceil_div(extent, unit);
  return jobrt_min(extent, unit * (chunk * groups / chunks));
}

/// Number of parts into which `chunks` chunks split each of `items` independent
/// items: 1 if there are at least as many items as chunks, and then a chunk is
/// a range of items. Otherwise chunk c is part c % parts of item c / parts, if
/// that item exists.
static inline int64_t jobrt_parts_of_item(int64_t items, int64_t chunks) {
  return chunks <= items ? 1 : chunks / items;
}

/// The number of chunks nearest to `chunks` such that `items` equal items, each
/// split into at most `max_parts` parts, give balanced chunks.
static inline int64_t jobrt_chunks_of_items(int64_t items, int64_t max_parts,
                                            int64_t chunks) {
  if (items >= 2 * chunks)
    return chunks;
  return items * jobrt_min(jobrt_ceil_div(chunks, items), max_parts);
}

/// Chunks of `batch` matrix products out[m,n] with sums of k terms.
static inline int64_t jobrt_matmul_chunks(int64_t batch, int64_t m, int64_t n,
                                          int64_t k) {
  int64_t chunks =
      jobrt_chunks_for_work((double)batch * (double)m * (double)n * (double)k);
  int64_t extent = jobrt_matmul_splits_columns(m, n) ? n : m;
  return jobrt_chunks_of_items(batch, jobrt_ceil_div(extent, 16), chunks);
}

/// The three calls of a convolution.
typedef enum jobrt_conv2d_kind {
  JOBRT_CONV2D_FORWARD = 0,
  JOBRT_CONV2D_DATA_GRAD = 1,
  JOBRT_CONV2D_FILTER_GRAD = 2
} jobrt_conv2d_kind;

/// Chunks of any of the three calls of a convolution: parts of the batch, or of
/// the channels if the batch is too small.
static inline int64_t jobrt_conv2d_chunks(const jobrt_conv2d_config *conv) {
  double macs = (double)conv->n * (double)conv->oc * (double)conv->oh *
                (double)conv->ow * (double)(conv->c / conv->groups) *
                (double)conv->kh * (double)conv->kw;
  int64_t chunks = jobrt_chunks_for_work(macs);
  int64_t batch = jobrt_min(chunks, conv->n);
  if (conv->groups != 1)
    return batch;
  return jobrt_max(batch, jobrt_min(chunks, conv->oc / 16));
}

/// Whether a call is split along the channels of its result (for the output and
/// the filter gradient: oc; for the input gradient: c) instead of the batch: if
/// the batch has too few images, or if the filter, which every part of the
/// batch would have to reorder, is larger than the data.
static inline int jobrt_conv2d_splits_channels(const jobrt_conv2d_config *conv,
                                               jobrt_conv2d_kind kind,
                                               int64_t chunks) {
  int64_t channels = kind == JOBRT_CONV2D_DATA_GRAD ? conv->c : conv->oc;
  int64_t data, filter;
  if (chunks == 1 || conv->groups != 1 || channels < 16 * chunks)
    return 0;
  data = conv->n *
         jobrt_max(conv->c * conv->h * conv->w, conv->oc * conv->oh * conv->ow);
  filter = conv->oc * conv->c * conv->kh * conv->kw;
  return conv->n < chunks || filter > data;
}

/// Images that one chunk processes at a time, so that reordered data stays in a
/// core's cache and the workspace does not grow with the batch.
static inline int64_t jobrt_conv2d_tile(const jobrt_conv2d_config *conv,
                                        jobrt_conv2d_kind kind,
                                        int64_t chunks) {
  int64_t image = 4 * (jobrt_round16(conv->c) * conv->h * conv->w +
                       jobrt_round16(conv->oc) * conv->oh * conv->ow);
  int64_t fitting = jobrt_max(1, (512 << 10) / image);
  int64_t part = jobrt_conv2d_splits_channels(conv, kind, chunks)
                     ? conv->n
                     : jobrt_ceil_div(conv->n, chunks);
  return jobrt_ceil_div(part, jobrt_ceil_div(part, fitting));
}

/// Upper bound in bytes of the workspace of one call split into `chunks`
/// chunks. Each chunk owns a slice. For blocked kernels a slice contains one
/// tile of input and output and the chunk's filter (for the filter gradient:
/// the sum and the gradient of one tile), channels rounded up to 16, and a
/// little scratch. If the library has no blocked kernel, it contains the im2col
/// matrix of one image.
static inline int64_t
jobrt_conv2d_kind_workspace_budget(const jobrt_conv2d_config *conv,
                                   jobrt_conv2d_kind kind, int64_t chunks) {
  int64_t c = jobrt_round16(conv->c), oc = jobrt_round16(conv->oc);
  int64_t group_c = conv->c / conv->groups, group_oc = conv->oc / conv->groups;
  int64_t area = conv->kh * conv->kw, positions = conv->oh * conv->ow;
  int64_t tile = jobrt_conv2d_tile(conv, kind, chunks);
  int64_t depthwise = group_c == 1 && group_oc == 1;
  int64_t blocked, filter, products = 0;

  filter = depthwise ? area * jobrt_round16(conv->groups)
                     : area * conv->groups * jobrt_round16(group_c) *
                           jobrt_round16(group_oc);
  if (jobrt_conv2d_splits_channels(conv, kind, chunks)) {
    int64_t channels = kind == JOBRT_CONV2D_DATA_GRAD ? c : oc;
    filter =
        filter / channels * jobrt_round16(jobrt_ceil_div(channels, chunks));
  }
  blocked = tile * (c * conv->h * conv->w + oc * positions) + filter;
  if (kind == JOBRT_CONV2D_FILTER_GRAD)
    blocked += filter;
  /* Strided 1x1: one image without the positions that are skipped. */
  if (area == 1 && conv->stride_h * conv->stride_w > 1)
    blocked += c * positions;

  if (group_c <= 3 ||
      (conv->groups > 1 && !depthwise && (group_c % 16 || group_oc % 16)) ||
      (conv->stride_h * conv->stride_w > 1 &&
       conv->dilation_h * conv->dilation_w > 1)) {
    products = group_c * area * positions;
    if (kind == JOBRT_CONV2D_FILTER_GRAD)
      products += 6 * conv->oc * group_c * area;
  }
  return chunks * (4 * jobrt_max(blocked, products) + (1 << 15));
}

/// The maximum of the bounds of the three calls.
static inline int64_t
jobrt_conv2d_workspace_budget(const jobrt_conv2d_config *conv, int64_t chunks) {
  int64_t forward =
      jobrt_conv2d_kind_workspace_budget(conv, JOBRT_CONV2D_FORWARD, chunks);
  int64_t data =
      jobrt_conv2d_kind_workspace_budget(conv, JOBRT_CONV2D_DATA_GRAD, chunks);
  int64_t filter = jobrt_conv2d_kind_workspace_budget(
      conv, JOBRT_CONV2D_FILTER_GRAD, chunks);
  return jobrt_max(forward, jobrt_max(data, filter));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The parameters of an attention call; blobs are (batch, position, head,
/// channel).
typedef struct jobrt_attention_config {
  int64_t batch, heads;
  int64_t queries, keys;
  int64_t channels, value_channels;
  /// 1: query t attends to keys up to t + keys - queries.
  int64_t causal;
} jobrt_attention_config;

typedef enum jobrt_attention_kind {
  JOBRT_ATTENTION_FORWARD = 0,
  JOBRT_ATTENTION_GRAD = 1
} jobrt_attention_kind;

/// Queries and keys of one block of weights, which stays in a core's cache.
#define JOBRT_ATTENTION_QUERY_BLOCK 48
#define JOBRT_ATTENTION_KEY_BLOCK 256
/// Queries for which the forward call reorders keys and values once.
#define JOBRT_ATTENTION_QUERY_PASS 480

/// Chunks of either call: heads of images, or blocks of queries of each head if
/// there are too few heads.
static inline int64_t
jobrt_attention_chunks(const jobrt_attention_config *attention) {
  double macs = (double)attention->batch * (double)attention->heads *
                (double)attention->queries * (double)attention->keys *
                (double)(attention->channels + attention->value_channels);
  int64_t chunks = jobrt_chunks_for_work(attention->causal ? macs / 2 : macs);
  return jobrt_chunks_of_items(
      attention->batch * attention->heads,
      jobrt_ceil_div(attention->queries, JOBRT_ATTENTION_QUERY_BLOCK), chunks);
}

/// Queries of the largest part of a head.
static inline int64_t
jobrt_attention_part_queries(const jobrt_attention_config *attention,
                             int64_t chunks) {
  int64_t blocks =
      jobrt_ceil_div(attention->queries, JOBRT_ATTENTION_QUERY_BLOCK);
  int64_t parts =
      jobrt_parts_of_item(attention->batch * attention->heads, chunks);
  return jobrt_min(attention->queries,
                   JOBRT_ATTENTION_QUERY_BLOCK * jobrt_ceil_div(blocks, parts));
}

/// Floats of a chunk's slice of the workspace: blocks of reordered operands,
/// weights and sums.
static inline int64_t
jobrt_attention_slice(const jobrt_attention_config *attention,
                      jobrt_attention_kind kind, int64_t chunks) {
  int64_t queries = jobrt_attention_part_queries(attention, chunks);
  int64_t block = jobrt_min(queries, JOBRT_ATTENTION_QUERY_BLOCK);
  int64_t keys =
      jobrt_round16(jobrt_min(attention->keys, JOBRT_ATTENTION_KEY_BLOCK));
  int64_t channels = jobrt_round16(attention->channels);
  int64_t values = jobrt_round16(attention->value_channels);
  if (kind == JOBRT_ATTENTION_FORWARD) {
    int64_t pass = jobrt_min(queries, JOBRT_ATTENTION_QUERY_PASS);
    return keys * (channels + values) + block * keys + pass * values +
           2 * jobrt_round16(pass);
  }
  return keys * (3 * channels + 2 * values) + block * (channels + values) +
         2 * block * keys + queries * channels + jobrt_round16(queries);
}

/// Floats of the partial gradients of keys and values that a part of a head
/// stores in the workspace; 0 if chunks have whole heads.
static inline int64_t
jobrt_attention_partial(const jobrt_attention_config *attention,
                        jobrt_attention_kind kind, int64_t chunks) {
  int64_t items = attention->batch * attention->heads;
  if (kind == JOBRT_ATTENTION_FORWARD ||
      jobrt_parts_of_item(items, chunks) == 1)
    return 0;
  return jobrt_round16(attention->keys *
                       (attention->channels + attention->value_channels));
}

/// Bytes of the workspace: one slice and one partial sum per chunk.
static inline int64_t
jobrt_attention_workspace(const jobrt_attention_config *attention,
                          jobrt_attention_kind kind, int64_t chunks) {
  return 4 * chunks *
         (jobrt_attention_slice(attention, kind, chunks) +
          jobrt_attention_partial(attention, kind, chunks));
}

#ifdef __cplusplus
}
#endif

#endif // JOBRT_ABI_H

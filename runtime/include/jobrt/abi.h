//===- abi.h - Names and numbers shared by compiler and runtime -----------===//
//
// The constants of docs/artifact.md. This and calls.h are the only headers of
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
#define JOBRT_FORMAT_VERSION 7
/// Size of the footer in bytes.
#define JOBRT_FOOTER_BYTES 64
/// Every buffer starts at a multiple of this many bytes.
#define JOBRT_ALIGNMENT 64
/// The most buffers and scalars of the kernels of a launch on a GPU: CUDA takes
/// 32,764 bytes of parameters from PTX 8.1 on (PTX ISA, "Kernel Function
/// Parameters").
#define JOBRT_MAX_KERNEL_PARAMETERS 4000
/// Kernel n is the symbol JOBRT_KERNEL_PREFIX followed by n in decimal.
#define JOBRT_KERNEL_PREFIX "jobk_"
#define JOBRT_CONSTANTS_SYMBOL "jobmlir_constants"
/// Code for devices is in symbols with this prefix, which the manifest names.
#define JOBRT_CODE_PREFIX "jobmlir_code_"
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

//===----------------------------------------------------------------------===//
// The contract of host.attention and its gradient, from which calls.h computes
// the units of a split and the bytes of the workspace. The kernels are compiled
// for these sizes; how many parts a call has is in its configuration. They are
// here since the kernels include no header with functions, as calls.h is.
//===----------------------------------------------------------------------===//

/// Queries and keys of one block of weights, which stays in a core's cache.
/// Parts of the queries are whole blocks.
#define JOBRT_ATTENTION_QUERY_BLOCK 48
#define JOBRT_ATTENTION_KEY_BLOCK 256
/// Queries for which the forward call reorders keys and values once.
#define JOBRT_ATTENTION_QUERY_PASS 480

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// The maximum number of parts of a command that run at once, and so of cores
/// that one command can use.
#define JOBRT_MAX_CHUNKS 64

#ifdef __cplusplus
}
#endif

#endif // JOBRT_ABI_H

//===- ElementTypes.h - The element types of blobs --------------*- C++ -*-===//
//
// A table of the name, the storage and the compute type of each element type.
// Names and sizes are those of jobrt/abi.h.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_ELEMENTTYPES_H
#define JOBDIALECT_IR_ELEMENTTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::job {

/// For messages: "i1, i8, ... or bf16".
StringRef getElementTypeNames();

/// Whether blobs may have elements of this type.
bool isElementType(Type type);

/// The name of an element type, in MLIR and in the runtime: "f32".
StringRef getElementTypeName(Type type);
/// The type of that name; null for another name.
Type parseElementType(MLIRContext *context, StringRef name);

/// Bytes of an element in memory, of a type or of the type of that name.
int64_t getElementBytes(Type type);
int64_t getElementBytes(StringRef name);
/// The C type of an element: "float".
StringRef getElementCType(StringRef name);

/// The type that ops compute with and sums accumulate in: `f32` for `f16` and
/// `bf16`, `i32` for `ui8`, the type itself for all others.
Type getComputeType(Type type);
/// Whether a type is for storage only.
inline bool isStorageOnly(Type type) { return getComputeType(type) != type; }

/// The type of elements in the body of a kernel, where integers have no sign:
/// i8 for `ui8`.
Type getBodyType(Type type);
/// The type of a buffer in the body of a kernel on tensors, or on buffers.
RankedTensorType getBodyTensorType(MemRefType type);
MemRefType getBodyBufferType(MemRefType type);
/// The type of elements in a kernel's memory, of which code with vectors only
/// loads and stores the bits: i8 for `i1` and `ui8`, i16 for `f16` and `bf16`.
Type getCodeType(Type type);

/// `value` as an element of a float type, rounded to nearest even.
double roundToElementType(Type type, double value);

/// The distance from 1 to the next number of a float type.
double getEpsilon(Type type);

/// Whether an op computes with this operand, of a type that is for storage
/// only; likewise for a result. False where the op only holds or moves its
/// elements (MovedElementsOpInterface).
bool computesWithStorageType(OpOperand &operand);
bool computesWithStorageType(OpResult result);
/// Whether `op` computes with such an operand or result.
bool computesWithStorageType(Operation *op);

} // namespace mlir::job

#endif // JOBDIALECT_IR_ELEMENTTYPES_H

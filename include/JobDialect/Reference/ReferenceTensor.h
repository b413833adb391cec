//===- ReferenceTensor.h - Values of the interpreter ------------*- C++ -*-===//

#ifndef JOBDIALECT_REFERENCE_REFERENCETENSOR_H
#define JOBDIALECT_REFERENCE_REFERENCETENSOR_H

#include "JobDialect/IR/JobDialect.h"

#include <string>
#include <vector>

namespace mlir::job {

/// A blob's value: dense, row-major. Floats of any width are held as doubles
/// and may be more exact than the element type; integers and i1 (0 or 1) are
/// held as int64_t and are always in the range of the element type. A value
/// type: copies are deep. Not thread-safe.
class ReferenceTensor {
public:
  /// An empty object, which may only be assigned to.
  ReferenceTensor() = default;
  /// All zeros.
  explicit ReferenceTensor(BlobType type);

  /// The elements of a constant, whose element type must be valid for a blob.
  static ReferenceTensor fromElements(ElementsAttr elements);
  /// From memory in the runtime's layout: dense, row-major, little-endian, an
  /// i1 as one byte that is nonzero for true. Fails without a diagnostic if the
  /// size of `bytes` is not that of the type.
  static FailureOr<ReferenceTensor> fromBytes(BlobType type,
                                              ArrayRef<char> bytes);
  /// The inverse of fromBytes; floats are rounded to the element type.
  std::vector<char> toBytes() const;

  BlobType getType() const { return type; }
  ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getNumElements() const { return type.getNumElements(); }
  bool isFloat() const { return isa<FloatType>(type.getElementType()); }

  /// The elements of a tensor of floats.
  std::vector<double> &getFloats() {
    assert(isFloat() && "a tensor of integers has no floats");
    return floats;
  }
  const std::vector<double> &getFloats() const {
    return const_cast<ReferenceTensor *>(this)->getFloats();
  }

  /// The elements of a tensor of integers. Use setInteger to change them.
  const std::vector<int64_t> &getIntegers() const {
    assert(!isFloat() && "a tensor of floats has no integers");
    return integers;
  }
  /// Stores the value, wrapped to the width of the element type (two's
  /// complement; the lowest bit for i1).
  void setInteger(int64_t index, int64_t value);

  /// Rounds floats to the element type, to nearest even; integers are always
  /// in range.
  void roundToType();

  /// The same elements in another shape.
  ReferenceTensor reshape(BlobType newType) const;
  /// The tensor whose dimension `i` is dimension `permutation[i]` of this one.
  ReferenceTensor permute(ArrayRef<int64_t> permutation) const;

  /// The elements as nested lists, floats with `digits` significant digits:
  /// `[[1, 2.5], [3, nan]]`.
  std::string toString(int digits = 7) const;

private:
  BlobType type;
  std::vector<double> floats;
  std::vector<int64_t> integers;
};

/// Row-major strides, in elements, of a dense array of that shape.
SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape);

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_REFERENCETENSOR_H

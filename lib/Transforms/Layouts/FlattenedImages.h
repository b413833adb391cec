//===- FlattenedImages.h - Dimensions that images have become ---*- C++ -*-===//
//
// A dense layer reads images as rows of a matrix: all dimensions behind the
// first become one. The rows of images in another layout are those rows with
// their elements in another order, and a product with a matrix whose elements
// have that order is the same. This finds where such an order can go: through
// products, elementwise ops, broadcasts, sums and variables to other images.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_LAYOUTS_FLATTENEDIMAGES_H
#define JOBDIALECT_LIB_TRANSFORMS_LAYOUTS_FLATTENEDIMAGES_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// A dimension of a blob that several dimensions of images have become.
struct FlattenedDim {
  int64_t dim;
  /// Of the images, behind their first dimension.
  SmallVector<int64_t> extents;

  bool operator==(const FlattenedDim &other) const {
    return dim == other.dim && extents == other.extents;
  }
};

/// The flattened dimensions of the blobs and variables in some blocks, at most
/// one of each. A blob with one can be permuted: it keeps its type, and the
/// elements along that dimension have the order of permuted images.
class FlattenedImages {
public:
  /// `permutation` is that of images, whose first dimension stays. Where two
  /// orders meet, the one of the first `numFirst` blocks is kept.
  FlattenedImages(ModuleOp module, ArrayRef<Block *> blocks, size_t numFirst,
                  ArrayRef<int64_t> permutation);

  /// Null without one.
  const FlattenedDim *get(Value blob) const;
  const FlattenedDim *get(VariableOp variable) const;
  /// Whether the op is the same for permuted blobs: each operand and result
  /// with a flattened dimension is permuted, and the images that a reshape
  /// flattens or makes.
  bool contains(Operation *op) const { return ops.contains(op); }

  /// Notes that one blob takes the place of another.
  void replace(Value blob, Value with);
  /// Forgets an op that is about to be erased, and its results.
  void erase(Operation *op);

  /// The shape that a blob of the shape is reshaped to, and the permutation of
  /// its dimensions.
  SmallVector<int64_t> getExpandedShape(ArrayRef<int64_t> shape,
                                        const FlattenedDim &flattened) const;
  SmallVector<int64_t> getPermutation(ArrayRef<int64_t> shape,
                                      const FlattenedDim &flattened) const;

  /// Builds the permuted blob of one that is not, `blob`, which has a flattened
  /// dimension, and the other way round.
  Value buildPermuted(OpBuilder &builder, Location loc, Value blob) const;
  Value buildPlain(OpBuilder &builder, Location loc, Value permuted,
                   const FlattenedDim &flattened) const;

private:
  void add(Value blob, int64_t dim, ArrayRef<int64_t> extents);
  void follow(ArrayRef<Block *> blocks);
  void addNeighbours(Operation *op, Value blob);
  bool isConsistent(Operation *op) const;

  ArrayRef<int64_t> permutation;
  DenseMap<Value, FlattenedDim> dims;
  DenseMap<StringAttr, FlattenedDim> variables;
  /// The reads and assignments of each variable in the blocks.
  DenseMap<StringAttr, SmallVector<Operation *>> accesses;
  DenseSet<Operation *> ops;
  /// Blobs with a flattened dimension that is followed from them.
  SmallVector<Value> worklist;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_LAYOUTS_FLATTENEDIMAGES_H

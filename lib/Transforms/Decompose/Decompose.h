//===- Decompose.h - Models of DecomposableOpInterface ----------*- C++ -*-===//
//
// One function a family, each in the file of its name.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_DECOMPOSE_DECOMPOSE_H
#define JOBDIALECT_LIB_TRANSFORMS_DECOMPOSE_DECOMPOSE_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Builds ops on the rows of a blob: the runs along its last dimension. Numbers
/// of rows have the blob's shape without that dimension, or the shape `1`.
class RowOps {
public:
  RowOps(OpBuilder &builder, Location loc, BlobType type);

  BlobType getRowType(Type element) const;
  int64_t getLength() const { return type.getShape().back(); }

  /// A constant for each element, and for each row.
  Value constant(double value) const;
  Value rowConstant(double value, Type element = {}) const;
  /// A number of each row for each of its elements.
  Value broadcast(Value row) const;
  /// A vector for each row.
  Value broadcastVector(Value vector) const;
  Value sum(Value value) const;
  Value maximum(Value value) const;
  Value mean(Value value) const;

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  Value add(Value a, Value b) const { return make<AddOp>(a, b); }
  Value sub(Value a, Value b) const { return make<SubOp>(a, b); }
  Value mul(Value a, Value b) const { return make<MulOp>(a, b); }
  Value div(Value a, Value b) const { return make<DivOp>(a, b); }

  OpBuilder &builder;
  Location loc;
  BlobType type;

private:
  Value broadcastAlong(Value value, ArrayRef<int64_t> dims, BlobType to) const;
};

void attachIndexDecompositions(MLIRContext &context);
void attachLossDecompositions(MLIRContext &context);
void attachNormDecompositions(MLIRContext &context);
void attachReduceDecompositions(MLIRContext &context);
void attachStructureDecompositions(MLIRContext &context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_DECOMPOSE_DECOMPOSE_H

//===- BodyBuilder.h - Kernel regions as structured operations --*- C++ -*-===//
//
// The builder's files by their subject:
//
//   BodyBuilder.cpp  the passes over the data, and the function around them
//   BodyDomain.cpp   dimensions, collapsed ones, and views of tensors
//   BodyStages.cpp   which pass computes a value, and what is kept for later
//   BodyScalars.cpp  the code for one element
//   BodyChecks.cpp   checks for NaN and infinity
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_BODYBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_BODYBUILDER_H

#include "KernelEmitter.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::job {

/// Builds the body of an executable for a kernel of scalar ops, reductions,
/// constants and strided reads, at the builder's place: a list of
/// linalg.generic operations as KernelNest.h describes them. Fills in the
/// checks of `emitted`.
func::FuncOp buildKernelBody(OpBuilder &builder, KernelOp kernel,
                             const KernelSignature &signature,
                             bool checkNumerics, EmittedKernel &emitted);

/// Builds one body.
class BodyBuilder {
public:
  BodyBuilder(OpBuilder &builder, KernelOp kernel,
              const KernelSignature &signature, bool keepsValues)
      : b(builder), signature(signature), keepsValues(keepsValues),
        scratch(kernel->clone()),
        region(cast<KernelOp>(*scratch).getBody().front()),
        loc(kernel.getLoc()) {}

  func::FuncOp build(bool withChecks, EmittedKernel &emitted);

private:
  /// A dimension of a blob: the dimension of the domain that it goes along, if
  /// there is one.
  using Place = StridedRead::Dim;

  /// A stage of the kernel, over its domain or over its rows.
  struct Stage {
    unsigned number = 0;
    bool isRow = false;
    bool operator==(const Stage &other) const {
      return number == other.number && isRow == other.isRow;
    }
  };

  /// A tensor with a dimension for each collapsed dimension that it goes along.
  struct View {
    Value tensor;
    /// The collapsed dimension of each of its dimensions, -1 for an extent
    /// of 1.
    SmallVector<int64_t> groups;
    /// The dimensions of the argument that each of its dimensions is made of.
    SmallVector<ReassociationIndices> reassociation;
  };

  // BodyBuilder.cpp
  void decompose();
  bool isComputed(Value value) const { return stageOf.contains(value); }
  void buildPass(Stage stage);

  // BodyDomain.cpp
  void findDomain();
  SmallVector<Place> getPlaces(Value blob) const;
  SmallVector<Place> getReadPlaces(OpOperand &operand) const;
  void collapseDomain();
  SmallVector<unsigned> getLoops(bool isRow) const;
  AffineMap getMap(ArrayRef<int64_t> groups) const;
  View collapse(Value tensor, ArrayRef<Place> places);
  Value getDestination(Value value);

  // BodyStages.cpp
  void findStages();
  int64_t getCost(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) const;
  unsigned getLastRead(Value value) const;
  void findKeptValues();

  // BodyScalars.cpp
  Value addInput(Value tensor, AffineMap map);
  void addExtents(ArrayRef<AffineMap> destinationMaps);
  Value readInput(BlockArgument input, ArrayRef<Place> places);
  Value readComputed(Value value, ArrayRef<Place> places);
  Value buildLinearIndex();
  Value buildDimIndex(Value value, unsigned dim);
  Value buildScalarOf(Operation *op);
  Value getScalar(Value value);
  Value buildReduction(ReductionKernelOpInterface op);

  // BodyChecks.cpp
  bool isChecked(ReductionKernelOpInterface reduction) const;
  void addCheck(Operation *op, Value scalar);
  bool isGuarded(Value value) const;
  Value guard(Value value, Value scalar);
  void numberChecks(EmittedKernel &emitted);

  OpBuilder &b;
  const KernelSignature &signature;
  bool keepsValues;
  /// A copy of the kernel, in which ops are replaced by those that compute
  /// them.
  OwningOpRef<Operation *> scratch;
  Block &region;
  /// What came of such ops.
  llvm::SmallPtrSet<Operation *, 8> decomposed;
  /// Those that compute a result of one, and its location.
  DenseMap<Operation *, Location> decomposedResults;
  Location loc;
  func::FuncOp body;
  bool checkNumerics = false;

  /// The domain as the ops have it, and which of its dimensions are reduced.
  SmallVector<int64_t> domain;
  SmallVector<bool> reduced;
  /// The collapsed dimension that each dimension is a part of; -1 for those of
  /// extent 1. Extents of the collapsed dimensions.
  SmallVector<int64_t> groupOf;
  SmallVector<int64_t> extents;
  SmallVector<bool> isGroupReduced;
  /// Values that are kept for later stages, and the result in whose memory.
  DenseMap<Value, Value> keptIn;
  /// The stage in which each value is computed.
  DenseMap<Value, Stage> stageOf;
  /// What is yielded, and as which results.
  DenseMap<Value, SmallVector<unsigned>> yieldedAs;
  /// Tensors of values that have been computed.
  DenseMap<Value, Value> tensorOf;
  /// Views of arguments that have been built.
  DenseMap<std::pair<Value, Attribute>, Value> views;

  /// The pass that is being built: its loops, its region, the scalars in it.
  SmallVector<unsigned> loops;
  std::unique_ptr<Block> block;
  std::optional<OpBuilder> inner;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> inputMaps;
  DenseMap<Value, Value> scalarOf;
  /// Reductions of the pass, and the accumulators that stand for them.
  DenseMap<Value, BlockArgument> accumulatorOf;

  /// Checks: ops that were checked, in any order.
  llvm::MapVector<Operation *, plan::CheckOp> checks;
  /// What ops of the pass are checked for.
  SmallVector<Value> checkedScalars;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_BODYBUILDER_H

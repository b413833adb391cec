//===- ProgramBuilder.h - One job as a program ------------------*- C++ -*-===//
//
// Walks a job in order and gives every blob a buffer. The job's order is the
// program's order; job-form-kernels has chosen it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_PROGRAMBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_PROGRAMBUILDER_H

#include "KernelEmitter.h"

#include "JobDialect/Analysis/BlobPlaces.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::job {

/// What the programs of a module share.
class ModuleContext {
public:
  explicit ModuleContext(ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()) {}

  /// The symbol of a constant with this value; equal ones are one.
  FlatSymbolRefAttr getConstant(Location loc, DenseElementsAttr value);
  /// A kernel's executable.
  EmittedKernel getKernel(KernelOp kernel, const KernelSignature &signature,
                          bool checkNumerics);

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;

private:
  DenseMap<Attribute, FlatSymbolRefAttr> constants;
  unsigned numConstants = 0, numKernels = 0;
};

/// Converts one job.
class ProgramBuilder {
public:
  /// With `inPlace` a result may take the memory of an input. With
  /// `checkNumerics` all that is computed is checked for NaN and infinity.
  ProgramBuilder(FuncOp func, ModuleContext &context, bool inPlace,
                 bool checkNumerics)
      : func(func), context(context), inPlace(inPlace),
        checkNumerics(checkNumerics), builder(func.getContext()) {}

  /// Results that took the memory of an input in the arena.
  unsigned getNumInPlace() const { return numInPlace; }

  LogicalResult convert();

private:
  void explainUpdates();
  LogicalResult convertOp(Operation *op);
  void convertRead(ReadOp op);
  static bool areSameMemory(Value a, Value b);
  void convertKernel(KernelOp op);
  void convertLibraryCall(Operation *op, plan::CallConfigAttrInterface config);
  void convertAssign(AssignOp op);
  void convertReturn(ReturnOp op);
  LogicalResult convertMicroSteps(MicroStepsOp op);
  LogicalResult convertSums(MicroStepsOp op);
  void postponeCounters();
  bool isChecked(Value blob) const;
  bool isGuarded(OpResult result) const;
  Value getBuffer(Value blob);
  Value getOutput(unsigned index);
  static Location getResultLoc(OpResult result);
  Value getVariable(Location loc, FlatSymbolRefAttr name, BlobType type);
  Value getResultBuffer(OpResult result);
  Value allocate(Location loc, MemRefType type);
  Value createRows(Location loc, BlobType part, Value whole);
  bool isAt(OpResult result, BlobPlace::Kind kind) const {
    return places->getPlace(result).kind == kind;
  }
  void copy(Location loc, Value from, Value to);

  FuncOp func;
  ModuleContext &context;
  bool inPlace, checkNumerics;
  unsigned numInPlace = 0;
  OpBuilder builder;
  /// Those of the block that is being converted.
  const BlobPlaces *places = nullptr;
  /// The buffers of blobs.
  DenseMap<Value, Value> buffers;
  SmallVector<Value> outputs;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_PROGRAMBUILDER_H

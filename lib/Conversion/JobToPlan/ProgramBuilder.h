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
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::job {

/// A device of the plan.
struct PlanDevice {
  /// Null for the first device, which spaces do not name.
  FlatSymbolRefAttr name;
  plan::DeviceKind kind = plan::DeviceKind::Host;
  /// The number of its only queue.
  int64_t queue = 0;
};

/// What the programs of a module share.
class ModuleContext {
public:
  /// Declares the devices of the jobs; the host is one where nothing is
  /// declared.
  explicit ModuleContext(ModuleOp module);

  /// The device of a placement, the first one for null.
  const PlanDevice &getDevice(PlacementAttr placement) const;
  /// The device of a space.
  const PlanDevice &getDevice(plan::SpaceAttr space) const;
  /// The device that copies from a part of the memory of the host to another.
  const PlanDevice &getHost() const;
  plan::SpaceAttr getSpace(PlacementAttr placement, plan::SpaceRole role) const;
  /// The space of a variable.
  plan::SpaceAttr getVariableSpace(FlatSymbolRefAttr name) const;

  /// The symbol of a constant with this value; equal ones are one.
  FlatSymbolRefAttr getConstant(Location loc, DenseElementsAttr value);
  /// A kernel's executable.
  EmittedKernel getKernel(KernelOp kernel, const KernelSignature &signature,
                          bool checkNumerics);

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;

private:
  void declareDevices();

  /// In the order of their queues.
  llvm::MapVector<PlacementAttr, PlanDevice> devices;
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
  void convertHostCall(HostCallOp op);
  void convertAssign(AssignOp op);
  void convertTransfer(TransferOp op);
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
  Value allocate(Location loc, MemRefType type, PlacementAttr device);
  IntegerAttr getQueue(const PlanDevice &device);
  Value createRows(Location loc, BlobType part, Value whole);
  bool isAt(OpResult result, BlobPlace::Kind kind) const {
    return places->getPlace(result).kind == kind;
  }
  void copy(Location loc, Value from, Value to, PlacementAttr devices);
  void fillWithZeros(Location loc, Value buffer, const PlanDevice &device);

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

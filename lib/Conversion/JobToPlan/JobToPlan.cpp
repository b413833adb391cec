//===- JobToPlan.cpp - Jobs to programs of the plan dialect ---------------===//
//
// Walks a job in order and gives every blob a buffer. The job's order is the
// program's order; job-form-kernels has chosen it.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "KernelEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::job {
#define GEN_PASS_DEF_CONVERTJOBTOPLAN
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

/// What the programs of a module share.
class ModuleContext {
public:
  explicit ModuleContext(ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()) {}

  /// The symbol of a constant with this value; equal ones are one.
  FlatSymbolRefAttr getConstant(Location loc, DenseElementsAttr value);
  /// The symbol of a kernel's function, and the number of chunks; functions
  /// that differ in locations only are one.
  std::pair<FlatSymbolRefAttr, int64_t>
  getKernel(KernelOp kernel, const KernelSignature &signature);

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;

private:
  DenseMap<Attribute, FlatSymbolRefAttr> constants;
  DenseMap<FunctionType, SmallVector<EmittedKernel>> kernels;
  unsigned numConstants = 0, numKernels = 0;
};

/// Converts one job.
class ProgramBuilder {
public:
  ProgramBuilder(FuncOp func, ModuleContext &context)
      : func(func), context(context), builder(func.getContext()) {}

  LogicalResult convert();

private:
  void numberOps();
  void planAssignments();
  bool isUpdatedInPlace(AssignOp assign);
  void planOutputs();
  LogicalResult convertOp(Operation *op);
  void convertRead(ReadOp op);
  void convertKernel(KernelOp op);
  void convertLibraryCall(Operation *op, LibraryCall call);
  void convertAssign(AssignOp op);
  void convertReturn(ReturnOp op);
  Value getBuffer(Value blob);
  Value getOutput(unsigned index);
  Value getVariable(Location loc, FlatSymbolRefAttr name, BlobType type);
  Value getResultBuffer(OpResult result);
  void copy(Location loc, Value from, Value to);

  FuncOp func;
  ModuleContext &context;
  OpBuilder builder;
  DenseMap<Operation *, unsigned> position;
  /// The buffers of blobs.
  DenseMap<Value, Value> buffers;
  /// A result that is written straight into a variable or an output.
  DenseMap<Value, FlatSymbolRefAttr> variableOf;
  DenseMap<Value, unsigned> outputOf;
  llvm::SmallPtrSet<Operation *, 8> doneAssigns;
  SmallVector<Value> outputs;
};

} // namespace

//===----------------------------------------------------------------------===//
// ModuleContext
//===----------------------------------------------------------------------===//

FlatSymbolRefAttr ModuleContext::getConstant(Location loc,
                                             DenseElementsAttr value) {
  FlatSymbolRefAttr &symbol = constants[value];
  if (symbol)
    return symbol;
  builder.setInsertionPointToStart(module.getBody());
  auto constant = plan::ConstantOp::create(
      builder, loc, "constant_" + std::to_string(numConstants++), value,
      /*offset=*/nullptr);
  symbols.insert(constant);
  return symbol = FlatSymbolRefAttr::get(constant.getSymNameAttr());
}

std::pair<FlatSymbolRefAttr, int64_t>
ModuleContext::getKernel(KernelOp kernel, const KernelSignature &signature) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted = emitKernel(builder, kernel, "kernel", signature);
  SmallVector<EmittedKernel> &sameType =
      kernels[emitted.func.getFunctionType()];
  auto it = llvm::find_if(sameType, [&](EmittedKernel &other) {
    return OperationEquivalence::isRegionEquivalentTo(
        &other.func.getBody(), &emitted.func.getBody(),
        OperationEquivalence::IgnoreLocations);
  });
  if (it != sameType.end()) {
    emitted.func.erase();
    emitted = *it;
  } else {
    emitted.func.setSymName("kernel_" + std::to_string(numKernels++));
    symbols.insert(emitted.func);
    sameType.push_back(emitted);
  }
  return {FlatSymbolRefAttr::get(emitted.func.getSymNameAttr()),
          emitted.chunks};
}

//===----------------------------------------------------------------------===//
// Where results are written
//===----------------------------------------------------------------------===//

void ProgramBuilder::numberOps() {
  unsigned index = 0;
  for (Operation &op : func.getBody().front())
    position[&op] = index++;
}

/// True when the assigned blob may be written straight into the variable: from
/// the op that makes it on, nobody looks at the old value.
bool ProgramBuilder::isUpdatedInPlace(AssignOp assign) {
  auto result = dyn_cast<OpResult>(assign.getValue());
  if (!result || !isa<KernelOp, LibraryCallOpInterface>(result.getOwner()))
    return false;
  if (variableOf.contains(result))
    return false;
  Operation *maker = result.getOwner();
  unsigned made = position[maker];
  for (Operation &op : func.getBody().front()) {
    if (auto other = dyn_cast<AssignOp>(op)) {
      // A second assignment needs both values.
      if (other != assign &&
          other.getVariableAttr() == assign.getVariableAttr())
        return false;
      continue;
    }
    auto read = dyn_cast<ReadOp>(op);
    if (!read || read.getVariableAttr() != assign.getVariableAttr())
      continue;
    if (position[read] > made)
      return false;
    for (OpOperand &use : read.getResult().getUses()) {
      Operation *user = use.getOwner();
      if (isa<ReturnOp>(user))
        continue; // copied where it is read
      if (position[user] > made || isa<ReshapeOp>(user))
        return false;
      if (user != maker)
        continue;
      auto kernel = dyn_cast<KernelOp>(user);
      if (!kernel || !readsElementwise(kernel, use.getOperandNumber()))
        return false;
      Value yielded = kernel.getBody().front().getTerminator()->getOperand(
          result.getResultNumber());
      if (yielded.getDefiningOp<ReduceSumOp>())
        return false;
    }
  }
  return true;
}

void ProgramBuilder::planAssignments() {
  for (auto assign : func.getOps<AssignOp>())
    if (isUpdatedInPlace(assign)) {
      variableOf[assign.getValue()] = assign.getVariableAttr();
      doneAssigns.insert(assign);
    }
}

/// A blob that is returned once is written straight into its output.
void ProgramBuilder::planOutputs() {
  for (OpOperand &operand : func.getReturn()->getOpOperands()) {
    auto result = dyn_cast<OpResult>(operand.get());
    if (result && isa<KernelOp, LibraryCallOpInterface>(result.getOwner()) &&
        !variableOf.contains(result))
      outputOf.try_emplace(result, operand.getOperandNumber());
  }
}

/// The buffer of a blob that was computed before. Constants get theirs when
/// somebody asks.
Value ProgramBuilder::getBuffer(Value blob) {
  Value &buffer = buffers[blob];
  if (auto constant = blob.getDefiningOp<ConstantOp>(); constant && !buffer)
    buffer = plan::GetConstantOp::create(
        builder, constant.getLoc(),
        cast<BlobType>(constant.getResult().getType()).getMemRefType(),
        context.getConstant(constant.getLoc(),
                            cast<DenseElementsAttr>(constant.getValue())));
  return buffer;
}

Value ProgramBuilder::getOutput(unsigned index) { return outputs[index]; }

Value ProgramBuilder::getVariable(Location loc, FlatSymbolRefAttr name,
                                  BlobType type) {
  return plan::GetVariableOp::create(builder, loc, type.getMemRefType(), name);
}

Value ProgramBuilder::getResultBuffer(OpResult result) {
  auto type = cast<BlobType>(result.getType());
  Location loc = result.getOwner()->getLoc();
  if (auto it = outputOf.find(result); it != outputOf.end())
    return getOutput(it->second);
  if (auto it = variableOf.find(result); it != variableOf.end())
    return getVariable(loc, it->second, type);
  return plan::AllocOp::create(builder, loc, type.getMemRefType(),
                               /*offset=*/nullptr);
}

void ProgramBuilder::copy(Location loc, Value from, Value to) {
  plan::CopyOp::create(builder, loc, from, to);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void ProgramBuilder::convertRead(ReadOp op) {
  Value buffer =
      getVariable(op.getLoc(), op.getVariableAttr(), op.getResult().getType());
  // A returned value is the one from before the step.
  for (OpOperand &use : op.getResult().getUses())
    if (isa<ReturnOp>(use.getOwner()))
      copy(op.getLoc(), buffer, getOutput(use.getOperandNumber()));

  // Whoever looks after an assignment needs the old value: keep a copy.
  auto looksLate = [&](Value value, auto &&recurse) -> bool {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      if (isa<ReshapeOp>(user))
        return recurse(user->getResult(0), recurse);
      if (isa<ReturnOp>(user))
        return value != op.getResult();
      return llvm::any_of(func.getOps<AssignOp>(), [&](AssignOp assign) {
        if (assign.getVariableAttr() != op.getVariableAttr() ||
            position[assign] < position[op])
          return false;
        // Where the update happens: at its maker when it is in place.
        Operation *update = doneAssigns.contains(assign)
                                ? assign.getValue().getDefiningOp()
                                : assign.getOperation();
        return position[update] < position[user];
      });
    });
  };
  if (looksLate(op.getResult(), looksLate)) {
    Value kept = plan::AllocOp::create(builder, op.getLoc(), buffer.getType(),
                                       /*offset=*/nullptr);
    copy(op.getLoc(), buffer, kept);
    buffer = kept;
  }
  buffers[op.getResult()] = buffer;
}

void ProgramBuilder::convertKernel(KernelOp op) {
  // Distinct buffers in the order of the function's arguments: read, read and
  // written, written.
  SmallVector<Value> inputs, results;
  for (Value input : op.getInputs())
    inputs.push_back(getBuffer(input));
  for (OpResult result : op->getResults())
    results.push_back(buffers[result] = getResultBuffer(result));

  auto sameMemory = [](Value a, Value b) {
    if (a == b)
      return true;
    auto x = a.getDefiningOp<plan::GetVariableOp>();
    auto y = b.getDefiningOp<plan::GetVariableOp>();
    return x && y && x.getSymbolAttr() == y.getSymbolAttr();
  };
  auto contains = [&](ArrayRef<Value> list, Value value) {
    return llvm::any_of(list,
                        [&](Value other) { return sameMemory(other, value); });
  };
  SmallVector<Value> ins, inouts, outs;
  for (Value input : inputs) {
    SmallVector<Value> &list = contains(results, input) ? inouts : ins;
    if (!contains(list, input))
      list.push_back(input);
  }
  for (Value result : results)
    if (!contains(inouts, result))
      outs.push_back(result);

  SmallVector<Value> arguments(ins);
  arguments.append(inouts);
  arguments.append(outs);
  KernelSignature signature;
  auto numberOf = [&](Value value) -> unsigned {
    return llvm::find_if(
               arguments,
               [&](Value other) { return sameMemory(other, value); }) -
           arguments.begin();
  };
  for (Value input : inputs)
    signature.inputs.push_back(numberOf(input));
  for (Value result : results)
    signature.results.push_back(numberOf(result));
  for (Value argument : arguments)
    signature.types.push_back(cast<MemRefType>(argument.getType()));

  auto [symbol, chunks] = context.getKernel(op, signature);
  plan::DispatchOp::create(builder, op.getLoc(), symbol,
                           builder.getI64IntegerAttr(chunks), ins, inouts,
                           outs);
}

void ProgramBuilder::convertLibraryCall(Operation *op, LibraryCall call) {
  SmallVector<Value> ins, outs;
  for (Value operand : op->getOperands())
    ins.push_back(getBuffer(operand));
  for (OpResult result : op->getResults())
    outs.push_back(buffers[result] = getResultBuffer(result));
  NamedAttrList config;
  for (auto &[name, value] : call.config)
    config.append(name, builder.getI64IntegerAttr(value));
  Value workspace;
  if (call.workspaceBytes)
    workspace = plan::WorkspaceOp::create(
        builder, op->getLoc(),
        MemRefType::get({call.workspaceBytes}, builder.getI8Type()));
  plan::CallOp::create(
      builder, op->getLoc(), builder.getStringAttr(call.callee),
      config.getDictionary(builder.getContext()),
      builder.getI64IntegerAttr(call.chunks), ins, outs, workspace);
}

/// True for a constant whose bytes are all zero.
static bool isZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  if (!elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return elements.getSplatValue<APInt>().isZero();
}

void ProgramBuilder::convertAssign(AssignOp op) {
  if (doneAssigns.contains(op))
    return;
  Value variable =
      getVariable(op.getLoc(), op.getVariableAttr(), op.getValue().getType());
  if (isZero(op.getValue()))
    plan::FillOp::create(builder, op.getLoc(), variable,
                         builder.getI64IntegerAttr(0));
  else
    copy(op.getLoc(), getBuffer(op.getValue()), variable);
}

void ProgramBuilder::convertReturn(ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    if (operand.get().getDefiningOp<ReadOp>())
      continue; // copied where it was read
    if (auto it = outputOf.find(operand.get());
        it != outputOf.end() && it->second == index)
      continue;
    copy(op.getLoc(), getBuffer(operand.get()), getOutput(index));
  }
  plan::ReturnOp::create(builder, op.getLoc());
}

LogicalResult ProgramBuilder::convertOp(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return convertRead(read), success();
  if (isa<ConstantOp>(op))
    return success(); // on demand
  if (auto kernel = dyn_cast<KernelOp>(op))
    return convertKernel(kernel), success();
  if (auto assign = dyn_cast<AssignOp>(op))
    return convertAssign(assign), success();
  if (auto ret = dyn_cast<ReturnOp>(op))
    return convertReturn(ret), success();
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    buffers[reshape.getResult()] = plan::ViewOp::create(
        builder, op->getLoc(), reshape.getResult().getType().getMemRefType(),
        getBuffer(reshape.getOperand()));
    return success();
  }
  if (auto library = dyn_cast<LibraryCallOpInterface>(op))
    return convertLibraryCall(op, library.getLibraryCall()), success();
  return op->emitOpError()
         << "expects to be in a job.kernel or to be gone before the plan";
}

LogicalResult ProgramBuilder::convert() {
  numberOps();
  planAssignments();
  planOutputs();

  builder.setInsertionPoint(func);
  Location loc = func.getLoc();
  auto program =
      plan::ProgramOp::create(builder, loc, func.getSymNameAttr(),
                              func.getKindAttr(), func.getResultStructureAttr(),
                              nullptr, nullptr, nullptr, nullptr, nullptr);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    buffers[argument] = plan::InputOp::create(
        builder, argument.getLoc(),
        cast<BlobType>(argument.getType()).getMemRefType(),
        builder.getI64IntegerAttr(index),
        builder.getStringAttr(func.getArgumentName(index)),
        /*offset=*/nullptr);
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    outputs.push_back(plan::OutputOp::create(
        builder, func.getReturn().getLoc(),
        cast<BlobType>(type).getMemRefType(), builder.getI64IntegerAttr(index),
        builder.getStringAttr(func.getResultName(index)),
        /*offset=*/nullptr));
  for (Operation &op : func.getBody().front())
    if (failed(convertOp(&op)))
      return failure();
  func.erase();
  return success();
}

namespace {

struct ConvertJobToPlanPass
    : public job::impl::ConvertJobToPlanBase<ConvertJobToPlanPass> {
  void runOnOperation() override {
    ModuleContext context(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>()))
      if (failed(ProgramBuilder(func, context).convert()))
        return signalPassFailure();
    for (auto variable :
         llvm::make_early_inc_range(getOperation().getOps<VariableOp>())) {
      OpBuilder builder(variable);
      plan::VariableOp::create(
          builder, variable.getLoc(), variable.getSymNameAttr(),
          TypeAttr::get(cast<BlobType>(variable.getType()).getMemRefType()),
          variable.getTrainableAttr(), /*offset=*/nullptr);
      variable.erase();
    }
  }
};

} // namespace

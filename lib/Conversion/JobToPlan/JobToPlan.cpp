//===- JobToPlan.cpp - Jobs to programs of the plan dialect ---------------===//
//
// Walks a job in order and gives every blob a buffer. The job's order is the
// program's order; job-form-kernels has chosen it.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Passes.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Units.h"

#include "KernelEmitter.h"
#include "NumericsChecks.h"

#include "jobrt/abi.h"

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
  /// A kernel's function. Functions that differ in locations only are one.
  EmittedKernel getKernel(KernelOp kernel, const KernelSignature &signature,
                          bool checkNumerics,
                          ArrayRef<KernelCheck> inputChecks);
  /// A function that checks a buffer of this type.
  EmittedKernel getCheckKernel(Location loc, MemRefType type);

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;

private:
  void share(EmittedKernel &emitted, Location loc, StringRef job);

  DenseMap<Attribute, FlatSymbolRefAttr> constants;
  DenseMap<FunctionType, SmallVector<EmittedKernel>> kernels;
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
  void numberOps();
  void planAssignments();
  void planOutputs();
  LogicalResult convertOp(Operation *op);
  void convertRead(ReadOp op);
  void convertKernel(KernelOp op);
  void convertLibraryCall(Operation *op, LibraryCall call);
  void convertAssign(AssignOp op);
  void convertReturn(ReturnOp op);
  LogicalResult convertMicroSteps(MicroStepsOp op);
  LogicalResult planSums(MicroStepsOp op);
  void planParts(MicroStepsOp op);
  void expectCheck(Value blob, Location loc);
  void postponeCounters();
  void check(Value blob);
  SmallVector<KernelCheck> takeInputChecks(KernelOp op);
  void dispatch(Location loc, const EmittedKernel &kernel, int64_t flops,
                ArrayRef<Value> ins, ArrayRef<Value> inouts,
                SmallVector<Value> outs);
  Value getBuffer(Value blob);
  Value getOutput(unsigned index);
  Value getVariable(Location loc, FlatSymbolRefAttr name, BlobType type);
  Value getResultBuffer(OpResult result);
  unsigned getLastUse(Value blob);
  Value findDyingInput(OpResult result, ArrayRef<Value> inputs,
                       ArrayRef<Value> results);
  void copy(Location loc, Value from, Value to);

  FuncOp func;
  ModuleContext &context;
  bool inPlace, checkNumerics;
  unsigned numInPlace = 0;
  OpBuilder builder;
  DenseMap<Operation *, unsigned> position;
  /// The buffers of blobs.
  DenseMap<Value, Value> buffers;
  /// A result that is written straight into a variable or an output.
  DenseMap<Value, FlatSymbolRefAttr> variableOf;
  DenseMap<Value, unsigned> outputOf;
  /// A result of micro-steps that is written straight into a sum, or into the
  /// rows of what is packed.
  DenseMap<Value, Value> yieldedInto;
  llvm::SmallPtrSet<Operation *, 8> doneAssigns;
  SmallVector<Value> outputs;
  /// Blobs that nobody has checked yet for NaN and infinity, and what made
  /// them.
  llvm::MapVector<Value, Location> unchecked;
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

/// Puts the function of an equal kernel in place if there is one.
void ModuleContext::share(EmittedKernel &emitted, Location loc, StringRef job) {
  SmallVector<EmittedKernel> &sameType =
      kernels[emitted.func.getFunctionType()];
  auto it = llvm::find_if(sameType, [&](EmittedKernel &other) {
    return OperationEquivalence::isRegionEquivalentTo(
        &other.func.getBody(), &emitted.func.getBody(),
        OperationEquivalence::IgnoreLocations);
  });
  if (it != sameType.end()) {
    if (auto remark = explainDone(loc, ExplainCategory::Kernels, job))
      remark << "its code is that of " << it->func.getSymName()
             << ", which it shares";
    emitted.func.erase();
    emitted.func = it->func;
    emitted.chunks = it->chunks;
  } else {
    emitted.func.setSymName("kernel_" + std::to_string(numKernels++));
    symbols.insert(emitted.func);
    sameType.push_back(emitted);
  }
}

EmittedKernel ModuleContext::getKernel(KernelOp kernel,
                                       const KernelSignature &signature,
                                       bool checkNumerics,
                                       ArrayRef<KernelCheck> inputChecks) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted = emitKernel(builder, kernel, "kernel", signature,
                                     checkNumerics, inputChecks);
  share(emitted, kernel.getLoc(),
        kernel->getParentOfType<FuncOp>().getSymName());
  return emitted;
}

EmittedKernel ModuleContext::getCheckKernel(Location loc, MemRefType type) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted = emitCheckKernel(builder, loc, "kernel", type);
  share(emitted, loc, "");
  return emitted;
}

//===----------------------------------------------------------------------===//
// Where results are written
//===----------------------------------------------------------------------===//

void ProgramBuilder::numberOps() {
  unsigned index = 0;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    position[op] = index++;
    return isa<KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

void ProgramBuilder::planAssignments() {
  for (auto [assign, obstacle] : findVariableUpdates(func)) {
    int64_t bytes = assign.getValue().getType().getBytes();
    if (!obstacle.empty()) {
      if (auto remark = explainMissed(assign.getLoc(), ExplainCategory::Memory,
                                      func.getSymName()))
        remark << "variable '" << assign.getVariable()
               << "' is not updated in place: " << obstacle << "; "
               << formatDigits(bytes) << " bytes are copied";
      continue;
    }
    if (auto remark = explainDone(assign.getLoc(), ExplainCategory::Memory,
                                  func.getSymName()))
      remark << "variable '" << assign.getVariable()
             << "' is updated in place, which saves a buffer of "
             << formatDigits(bytes) << " bytes and its copy";
    variableOf[assign.getValue()] = assign.getVariableAttr();
    doneAssigns.insert(assign);
  }
}

/// A blob that is returned once is written straight into its output.
void ProgramBuilder::planOutputs() {
  for (OpOperand &operand : func.getReturn()->getOpOperands()) {
    auto result = dyn_cast<OpResult>(operand.get());
    if (result &&
        isa<KernelOp, MicroStepsOp, LibraryCallOpInterface>(
            result.getOwner()) &&
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

/// Where the user wrote what makes the result: of micro-steps, the op in them.
static Location getResultLoc(OpResult result) {
  if (auto loop = dyn_cast<MicroStepsOp>(result.getOwner()))
    return loop.getBody()
        .front()
        .getTerminator()
        ->getOperand(result.getResultNumber())
        .getLoc();
  return result.getOwner()->getLoc();
}

Value ProgramBuilder::getResultBuffer(OpResult result) {
  auto type = cast<BlobType>(result.getType());
  Location loc = getResultLoc(result);
  if (auto it = outputOf.find(result); it != outputOf.end())
    return getOutput(it->second);
  if (auto it = variableOf.find(result); it != variableOf.end())
    return getVariable(loc, it->second, type);
  if (Value place = yieldedInto.lookup(result))
    return place;
  return plan::AllocOp::create(builder, loc, type.getMemRefType(),
                               /*offset=*/nullptr);
}

/// The position of the last op that looks at a blob or a reshape of it.
unsigned ProgramBuilder::getLastUse(Value blob) {
  unsigned last = 0;
  for (Operation *user : blob.getUsers())
    last = std::max(last, isa<ReshapeOp>(user) ? getLastUse(user->getResult(0))
                                               : position[user]);
  return last;
}

/// The buffer of an input that nobody looks at after the kernel of `result`,
/// and that the kernel may overwrite with it; null when there is none. `inputs`
/// are the buffers of the kernel's inputs, `results` those of the results
/// before this one.
Value ProgramBuilder::findDyingInput(OpResult result, ArrayRef<Value> inputs,
                                     ArrayRef<Value> results) {
  auto kernel = cast<KernelOp>(result.getOwner());
  if (!inPlace || outputOf.contains(result) || variableOf.contains(result) ||
      yieldedInto.contains(result))
    return {};
  for (auto [index, buffer] : llvm::enumerate(inputs)) {
    // Staging slots, variables and constants are not ours to overwrite, nor is
    // what the next micro-step sees.
    Operation *root = plan::getBufferRoot(buffer);
    auto isSameMemory = [&](Value other) {
      return plan::getBufferRoot(other) == root;
    };
    if (!isa<plan::AllocOp>(root) ||
        root->getBlock() != builder.getInsertionBlock() ||
        llvm::any_of(results, isSameMemory) ||
        !canOverwrite(kernel, index, result.getResultNumber()))
      continue;
    // The kernel may read the same memory in another way, as a reshape.
    if (llvm::count_if(inputs, isSameMemory) > 1)
      continue;
    Value blob = kernel.getInputs()[index];
    while (auto reshape = blob.getDefiningOp<ReshapeOp>())
      blob = reshape.getOperand();
    if (getLastUse(blob) == position[kernel])
      return buffer;
  }
  return {};
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
  for (OpResult result : op->getResults()) {
    Value buffer = findDyingInput(result, inputs, results);
    numInPlace += buffer != nullptr;
    if (!buffer)
      buffer = getResultBuffer(result);
    else if (auto remark = explainDone(op.getLoc(), ExplainCategory::Memory,
                                       func.getSymName()))
      remark << "result " << std::to_string(result.getResultNumber())
             << " takes the memory of an input that nobody needs any more, "
                "which saves a buffer of "
             << formatDigits(cast<BlobType>(result.getType()).getBytes())
             << " bytes";
    results.push_back(buffers[result] = buffer);
  }

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

  EmittedKernel kernel =
      context.getKernel(op, signature, checkNumerics, takeInputChecks(op));
  dispatch(op.getLoc(), kernel, getFlops(op), ins, inouts, outs);
  if (kernel.needsCheck)
    for (OpResult result : op->getResults())
      expectCheck(result, getLoopKernel(op)->getLoc());
}

void ProgramBuilder::dispatch(Location loc, const EmittedKernel &kernel,
                              int64_t flops, ArrayRef<Value> ins,
                              ArrayRef<Value> inouts, SmallVector<Value> outs) {
  SmallVector<Attribute> checks;
  for (const KernelCheck &check : kernel.checks)
    checks.push_back(check.loc);
  if (!checks.empty())
    outs.push_back(plan::AllocOp::create(
        builder, loc, getStatusType(builder.getContext(), kernel.chunks),
        /*offset=*/nullptr));
  func::FuncOp callee = kernel.func;
  plan::DispatchOp::create(
      builder, loc, FlatSymbolRefAttr::get(callee.getSymNameAttr()),
      builder.getI64IntegerAttr(kernel.chunks),
      builder.getI64IntegerAttr(flops), ins, inouts, outs,
      checks.empty() ? ArrayAttr() : builder.getArrayAttr(checks));
}

//===----------------------------------------------------------------------===//
// Checks for NaN and infinity
//===----------------------------------------------------------------------===//

/// Reshapes are the same values.
static Value getReshaped(Value blob) {
  while (auto reshape = blob.getDefiningOp<ReshapeOp>())
    blob = reshape.getOperand();
  return blob;
}

/// Says that `loc` made the blob and did not check it itself: the next that
/// reads it has to, or a kernel before that one.
void ProgramBuilder::expectCheck(Value blob, Location loc) {
  auto type = cast<BlobType>(blob.getType());
  if (!checkNumerics || !isa<FloatType>(type.getElementType()) ||
      type.getNumElements() == 0)
    return;
  unchecked.insert({blob, loc});
  // Nobody need read a result of the job before the updates.
  if (outputOf.contains(blob) || variableOf.contains(blob))
    check(blob);
}

/// Moves kernels that only count (their own variables go in and come out) to
/// the end of the job, so that a step that fails a check has not counted.
void ProgramBuilder::postponeCounters() {
  Operation *end = func.getReturn();
  SmallVector<KernelOp> kernels(func.getOps<KernelOp>());
  for (KernelOp kernel : kernels) {
    SmallVector<AssignOp> assigns;
    bool onlyAssigned = llvm::all_of(kernel->getUsers(), [&](Operation *user) {
      if (auto assign = dyn_cast<AssignOp>(user))
        assigns.push_back(assign);
      return isa<AssignOp>(user);
    });
    auto isOwn = [&](StringAttr variable) {
      return llvm::any_of(assigns, [&](AssignOp assign) {
        return assign.getVariableAttr().getAttr() == variable;
      });
    };
    bool readsOwn = llvm::all_of(kernel.getInputs(), [&](Value input) {
      auto read = input.getDefiningOp<ReadOp>();
      return input.getDefiningOp<ConstantOp>() ||
             (read && isOwn(read.getVariableAttr().getAttr()));
    });
    if (!onlyAssigned || assigns.empty() || !readsOwn)
      continue;
    // Others see the new value from the assignment on.
    auto isSeenLater = [&](Operation &op) {
      auto read = dyn_cast<ReadOp>(op);
      auto assign = dyn_cast<AssignOp>(op);
      return (read && isOwn(read.getVariableAttr().getAttr()) &&
              !read->isBeforeInBlock(kernel)) ||
             (assign && isOwn(assign.getVariableAttr().getAttr()) &&
              !llvm::is_contained(assigns, assign));
    };
    if (llvm::any_of(func.getBody().front(), isSeenLater))
      continue;
    kernel->moveBefore(end);
    for (AssignOp assign : llvm::reverse(assigns))
      assign->moveBefore(end);
  }
}

/// Checks a blob now, unless that was done.
void ProgramBuilder::check(Value blob) {
  blob = getReshaped(blob);
  auto it = unchecked.find(blob);
  if (it == unchecked.end())
    return;
  Location loc = it->second;
  unchecked.erase(it);
  auto type = cast<BlobType>(blob.getType());
  dispatch(loc, context.getCheckKernel(loc, type.getMemRefType()),
           type.getNumElements(), getBuffer(blob), {}, {});
}

/// Which of its inputs a kernel checks on the way; others are checked now. What
/// goes into a variable is, so that a wrong value does not get there.
SmallVector<KernelCheck> ProgramBuilder::takeInputChecks(KernelOp op) {
  SmallVector<KernelCheck> checks;
  bool writesVariable = llvm::any_of(op->getResults(), [&](Value result) {
    return variableOf.contains(result);
  });
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    auto it = unchecked.find(getReshaped(input));
    if (it == unchecked.end())
      continue;
    if (writesVariable || !canCheckInput(op, index)) {
      check(input);
      continue;
    }
    checks.push_back({static_cast<unsigned>(index), it->second});
    unchecked.erase(it);
  }
  return checks;
}

//===----------------------------------------------------------------------===//
// Library calls, variables, results
//===----------------------------------------------------------------------===//

static std::string toString(const LibraryCall::ConfigValue &value) {
  if (auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  SmallString<16> text;
  APFloat(std::get<double>(value)).toString(text);
  return text.str().str();
}

void ProgramBuilder::convertLibraryCall(Operation *op, LibraryCall call) {
  SmallVector<Value> ins, outs;
  for (Value operand : op->getOperands())
    ins.push_back(getBuffer(operand));
  for (OpResult result : op->getResults())
    outs.push_back(buffers[result] = getResultBuffer(result));
  NamedAttrList config;
  for (auto &[name, value] : call.config) {
    if (auto *fraction = std::get_if<double>(&value))
      config.append(name, builder.getF64FloatAttr(*fraction));
    else
      config.append(name, builder.getI64IntegerAttr(std::get<int64_t>(value)));
  }
  Value workspace;
  if (call.workspaceBytes)
    workspace = plan::WorkspaceOp::create(
        builder, op->getLoc(),
        MemRefType::get({call.workspaceBytes}, builder.getI8Type()));
  if (auto remark = explainDone(op->getLoc(), ExplainCategory::Kernels,
                                func.getSymName())) {
    remark << op->getName().stripDialect() << " is a call of " << call.callee
           << " in " << std::to_string(call.chunks)
           << (call.chunks == 1 ? " chunk" : " chunks") << ", with "
           << formatDigits(call.workspaceBytes) << " bytes of workspace and "
           << formatFlops(call.flops) << ";";
    for (const auto &[name, value] : call.config)
      remark << " " << name << " " << toString(value);
  }
  plan::CallOp::create(
      builder, op->getLoc(), builder.getStringAttr(call.callee),
      config.getDictionary(builder.getContext()),
      builder.getI64IntegerAttr(call.chunks),
      builder.getI64IntegerAttr(call.flops), ins, outs, workspace);
  for (OpResult result : op->getResults())
    expectCheck(result, op->getLoc());
}

void ProgramBuilder::convertAssign(AssignOp op) {
  if (doneAssigns.contains(op))
    return;
  Value variable =
      getVariable(op.getLoc(), op.getVariableAttr(), op.getValue().getType());
  if (isZeroConstant(op.getValue())) {
    plan::FillOp::create(builder, op.getLoc(), variable,
                         builder.getI64IntegerAttr(0));
    return;
  }
  Value buffer = getBuffer(op.getValue());
  // A variable may be assigned the value that it has.
  auto own = buffer.getDefiningOp<plan::GetVariableOp>();
  if (!own || own.getSymbolAttr() != op.getVariableAttr())
    copy(op.getLoc(), buffer, variable);
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

//===----------------------------------------------------------------------===//
// Micro-steps
//===----------------------------------------------------------------------===//

/// Says that each sum grows in its own memory: the kernel that adds to it reads
/// and overwrites it element by element, and nobody else looks at it.
LogicalResult ProgramBuilder::planSums(MicroStepsOp op) {
  for (auto [sofar, yielded, sum] : llvm::zip_equal(
           op.getSumArguments(), op.getYieldedSums(), op.getSums())) {
    auto result = dyn_cast<OpResult>(yielded);
    auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : KernelOp();
    if (!kernel || !sofar.hasOneUse() ||
        sofar.use_begin()->getOwner() != kernel ||
        !canOverwrite(kernel, sofar.use_begin()->getOperandNumber(),
                      result.getResultNumber()) ||
        !yieldedInto.try_emplace(yielded, buffers.lookup(sum)).second)
      return op.emitOpError() << "expects a kernel that alone sees sum #"
                              << cast<OpResult>(sum).getResultNumber()
                              << " and adds to it, element by element";
    buffers[sofar] = buffers.lookup(sum);
  }
  return success();
}

static bool isAligned(Value rows) {
  return plan::getBufferBytes(cast<MemRefType>(rows.getType())) %
             JOBRT_ALIGNMENT ==
         0;
}

/// Says which results are computed in the rows of what is packed. Kernels and
/// libraries expect aligned buffers; what stays is copied when it is yielded.
void ProgramBuilder::planParts(MicroStepsOp op) {
  for (auto [part, all] :
       llvm::zip_equal(op.getYieldedParts(), op.getPacked())) {
    auto result = dyn_cast<OpResult>(part);
    if (!result || !isa<KernelOp, LibraryCallOpInterface>(result.getOwner()) ||
        yieldedInto.contains(result))
      continue;
    Value rows = plan::MicroViewOp::create(
        builder, part.getLoc(), cast<BlobType>(part.getType()).getMemRefType(),
        buffers.lookup(all));
    if (isAligned(rows))
      yieldedInto[result] = rows;
    else
      rows.getDefiningOp()->erase();
  }
}

LogicalResult ProgramBuilder::convertMicroSteps(MicroStepsOp op) {
  Location loc = op.getLoc();
  for (OpResult result : op->getResults())
    buffers[result] = getResultBuffer(result);
  for (Value sum : op.getSums())
    plan::FillOp::create(builder, getResultLoc(cast<OpResult>(sum)),
                         buffers.lookup(sum), builder.getI64IntegerAttr(0));
  // A constant gets its buffer where somebody asks: outside of the loop here.
  for (auto [argument, value] :
       llvm::zip_equal(op.getSharedArguments(), op.getShared()))
    buffers[argument] = getBuffer(value);
  SmallVector<Value> rowsOf;
  for (Value value : op.getRows())
    rowsOf.push_back(getBuffer(value));

  auto repeat = plan::RepeatOp::create(builder, loc, op.getCount());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&repeat.getBody().emplaceBlock());
  for (auto [argument, whole] :
       llvm::zip_equal(op.getPartArguments(), rowsOf)) {
    MemRefType type = cast<BlobType>(argument.getType()).getMemRefType();
    Location loc = argument.getLoc();
    Value rows = plan::MicroViewOp::create(builder, loc, type, whole);
    if (!isAligned(rows)) {
      Value moved = plan::AllocOp::create(builder, loc, type,
                                          /*offset=*/nullptr);
      copy(loc, rows, moved);
      rows = moved;
    }
    buffers[argument] = rows;
  }
  if (failed(planSums(op)))
    return failure();
  planParts(op);
  for (Operation &inner : op.getBody().front().without_terminator())
    if (failed(convertOp(&inner)))
      return failure();
  llvm::for_each(op.getBody().front().getTerminator()->getOperands(),
                 [&](Value value) { check(value); });

  for (auto [part, all] :
       llvm::zip_equal(op.getYieldedParts(), op.getPacked())) {
    Value from = getBuffer(part);
    // Its rows already, unless another result is packed from the same value.
    if (Value place = yieldedInto.lookup(part);
        place &&
        plan::getBufferRoot(place) == plan::getBufferRoot(buffers.lookup(all)))
      continue;
    Value rows = plan::MicroViewOp::create(builder, part.getLoc(),
                                           from.getType(), buffers.lookup(all));
    copy(part.getLoc(), from, rows);
  }
  return success();
}

LogicalResult ProgramBuilder::convertOp(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return convertRead(read), success();
  if (isa<ConstantOp>(op))
    return success(); // on demand
  if (auto kernel = dyn_cast<KernelOp>(op))
    return convertKernel(kernel), success();
  if (!isa<ReshapeOp>(op))
    llvm::for_each(op->getOperands(), [&](Value operand) { check(operand); });
  if (auto loop = dyn_cast<MicroStepsOp>(op))
    return convertMicroSteps(loop);
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
  if (checkNumerics)
    postponeCounters();
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
    std::string name = "input " + func.getArgumentName(index);
    expectCheck(argument,
                NameLoc::get(builder.getStringAttr(name), argument.getLoc()));
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
  using ConvertJobToPlanBase::ConvertJobToPlanBase;

  void runOnOperation() override {
    ModuleContext context(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      ProgramBuilder program(func, context, inPlace, checkNumerics);
      if (failed(program.convert()))
        return signalPassFailure();
      numInPlace += program.getNumInPlace();
    }
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

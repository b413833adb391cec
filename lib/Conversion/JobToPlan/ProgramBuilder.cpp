//===- ProgramBuilder.cpp - Buffers and commands of a job -----------------===//

#include "ProgramBuilder.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Units.h"

using namespace mlir;
using namespace mlir::job;

static MemRefType getBufferType(Type blob, plan::SpaceRole role) {
  return plan::getBufferType(cast<BlobType>(blob).getMemRefType(), role);
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
  for (auto assign : func.getOps<AssignOp>())
    assignsOf[assign.getVariableAttr()].push_back(assign);
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
        getBufferType(constant.getResult().getType(),
                      plan::SpaceRole::Constants),
        context.getConstant(constant.getLoc(),
                            cast<DenseElementsAttr>(constant.getValue())));
  return buffer;
}

Value ProgramBuilder::getOutput(unsigned index) { return outputs[index]; }

Value ProgramBuilder::getVariable(Location loc, FlatSymbolRefAttr name,
                                  BlobType type) {
  return plan::GetVariableOp::create(
      builder, loc, getBufferType(type, plan::SpaceRole::Variables), name);
}

/// Where the user wrote what makes the result: of micro-steps, the op in them.
Location ProgramBuilder::getResultLoc(OpResult result) {
  if (auto loop = dyn_cast<MicroStepsOp>(result.getOwner()))
    return loop.getBody()
        .front()
        .getTerminator()
        ->getOperand(result.getResultNumber())
        .getLoc();
  return result.getOwner()->getLoc();
}

Value ProgramBuilder::getResultBuffer(OpResult result) {
  Location loc = getResultLoc(result);
  if (auto it = outputOf.find(result); it != outputOf.end())
    return getOutput(it->second);
  if (auto it = variableOf.find(result); it != variableOf.end())
    return getVariable(loc, it->second, cast<BlobType>(result.getType()));
  if (Value place = yieldedInto.lookup(result))
    return place;
  return allocate(loc, cast<BlobType>(result.getType()).getMemRefType());
}

/// A buffer of the arena.
Value ProgramBuilder::allocate(Location loc, MemRefType type) {
  return plan::AllocOp::create(
      builder, loc, plan::getBufferType(type, plan::SpaceRole::Arena),
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
  plan::CopyOp::create(builder, loc, from, to, /*queue=*/nullptr);
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
  ArrayRef<AssignOp> assigns = assignsOf[op.getVariableAttr()];
  auto looksLate = [&](Value value, auto &&recurse) -> bool {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      if (isa<ReshapeOp>(user))
        return recurse(user->getResult(0), recurse);
      if (isa<ReturnOp>(user))
        return value != op.getResult();
      return llvm::any_of(assigns, [&](AssignOp assign) {
        if (position[assign] < position[op])
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
    Value kept = allocate(op.getLoc(), cast<MemRefType>(buffer.getType()));
    copy(op.getLoc(), buffer, kept);
    buffer = kept;
  }
  buffers[op.getResult()] = buffer;
}

/// Whether two buffers are one: a variable is asked for wherever it is needed.
bool ProgramBuilder::areSameMemory(Value a, Value b) {
  if (a == b)
    return true;
  auto x = a.getDefiningOp<plan::GetVariableOp>();
  auto y = b.getDefiningOp<plan::GetVariableOp>();
  return x && y && x.getSymbolAttr() == y.getSymbolAttr();
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

  auto contains = [&](ArrayRef<Value> list, Value value) {
    return llvm::any_of(
        list, [&](Value other) { return areSameMemory(other, value); });
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
               [&](Value other) { return areSameMemory(other, value); }) -
           arguments.begin();
  };
  for (Value input : inputs)
    signature.inputs.push_back(numberOf(input));
  for (Value result : results)
    signature.results.push_back(numberOf(result));
  for (Value argument : arguments)
    signature.types.push_back(cast<MemRefType>(argument.getType()));

  signature.numWritten = inouts.size() + outs.size();

  EmittedKernel kernel =
      context.getKernel(op, signature, checkNumerics, takeInputChecks(op));
  dispatch(op.getLoc(), kernel, getFlops(op), ins, inouts, outs);
  for (const UncheckedResult &result : kernel.unchecked)
    expectCheck(op->getResult(result.index), result.loc);
}

void ProgramBuilder::dispatch(Location loc, const EmittedKernel &kernel,
                              int64_t flops, ArrayRef<Value> ins,
                              ArrayRef<Value> inouts, SmallVector<Value> outs) {
  SmallVector<Attribute> checks;
  for (const KernelCheck &check : kernel.checks)
    checks.push_back(check.loc);
  if (!checks.empty())
    outs.push_back(allocate(loc, plan::getStatusType(builder.getContext())));
  plan::ExecutableOp callee = kernel.executable;
  plan::DispatchOp::create(
      builder, loc, FlatSymbolRefAttr::get(callee.getSymNameAttr()),
      builder.getI64IntegerAttr(flops), ins, inouts, outs,
      /*scalars=*/nullptr,
      checks.empty() ? ArrayAttr() : builder.getArrayAttr(checks),
      /*queue=*/nullptr);
}

//===----------------------------------------------------------------------===//
// Library calls, variables, results
//===----------------------------------------------------------------------===//

static std::string toString(Attribute parameter) {
  if (auto integer = dyn_cast<IntegerAttr>(parameter))
    return std::to_string(integer.getInt());
  SmallString<16> text;
  cast<FloatAttr>(parameter).getValue().toString(text);
  return text.str().str();
}

void ProgramBuilder::convertLibraryCall(Operation *op,
                                        plan::CallConfigAttrInterface config) {
  SmallVector<Value> ins, outs;
  for (Value operand : op->getOperands())
    ins.push_back(getBuffer(operand));
  for (OpResult result : op->getResults())
    outs.push_back(buffers[result] = getResultBuffer(result));
  Value workspace;
  if (int64_t bytes = config.getWorkspaceBytes())
    workspace = plan::WorkspaceOp::create(
        builder, op->getLoc(),
        plan::getBufferType(MemRefType::get({bytes}, builder.getI8Type()),
                            plan::SpaceRole::Workspace),
        /*offset=*/nullptr);
  int64_t flops = getFlops(op);
  if (auto remark = explainDone(op->getLoc(), ExplainCategory::Kernels,
                                func.getSymName())) {
    int64_t chunks = config.getNumChunks();
    remark << op->getName().stripDialect() << " is a call of "
           << config.getCallee() << " in " << std::to_string(chunks)
           << (chunks == 1 ? " chunk" : " chunks") << ", with "
           << formatDigits(config.getWorkspaceBytes())
           << " bytes of workspace and " << formatFlops(flops) << ";";
    for (NamedAttribute parameter : config.getParameters())
      remark << " " << parameter.getName().strref() << " "
             << toString(parameter.getValue());
  }
  plan::CallOp::create(builder, op->getLoc(), config,
                       builder.getI64IntegerAttr(flops), ins, outs, workspace,
                       /*queue=*/nullptr);
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
                         builder.getI64IntegerAttr(0), /*queue=*/nullptr);
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
// The job
//===----------------------------------------------------------------------===//

LogicalResult ProgramBuilder::convertOp(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return convertRead(read), success();
  if (isa<ConstantOp>(op))
    return success(); // on demand
  if (auto kernel = dyn_cast<KernelOp>(op))
    return convertKernel(kernel), success();
  if (isa<MicroStepsOp, AssignOp>(op))
    checkAllBut({});
  else if (!isa<ReshapeOp>(op))
    llvm::for_each(op->getOperands(), [&](Value operand) { check(operand); });
  if (auto loop = dyn_cast<MicroStepsOp>(op))
    return convertMicroSteps(loop);
  if (auto assign = dyn_cast<AssignOp>(op))
    return convertAssign(assign), success();
  if (auto ret = dyn_cast<ReturnOp>(op))
    return convertReturn(ret), success();
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    Value source = getBuffer(reshape.getOperand());
    buffers[reshape.getResult()] = plan::ViewOp::create(
        builder, op->getLoc(),
        plan::getBufferType(reshape.getResult().getType().getMemRefType(),
                            plan::getSpace(source.getType())),
        source);
    return success();
  }
  if (auto config = getCallConfig(op))
    return convertLibraryCall(op, config), success();
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
                              /*sizes=*/nullptr);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    buffers[argument] = plan::InputOp::create(
        builder, argument.getLoc(),
        getBufferType(argument.getType(), plan::SpaceRole::Inputs),
        builder.getI64IntegerAttr(index),
        builder.getStringAttr(func.getArgumentName(index)),
        /*offset=*/nullptr);
    std::string name = "input " + func.getArgumentName(index);
    expectCheck(argument,
                NameLoc::get(builder.getStringAttr(name), argument.getLoc()));
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    outputs.push_back(
        plan::OutputOp::create(builder, func.getReturn().getLoc(),
                               getBufferType(type, plan::SpaceRole::Outputs),
                               builder.getI64IntegerAttr(index),
                               builder.getStringAttr(func.getResultName(index)),
                               /*offset=*/nullptr));
  for (Operation &op : func.getBody().front())
    if (failed(convertOp(&op)))
      return failure();
  func.erase();
  return success();
}

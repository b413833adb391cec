//===- ProgramBuilder.cpp - Buffers and commands of a job -----------------===//

#include "ProgramBuilder.h"

#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Analysis/Counts.h"
#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/Analysis/Implementation.h"
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

/// Says which variables are updated in place.
void ProgramBuilder::explainUpdates() {
  for (const VariableUpdate &update : places->getUpdates()) {
    AssignOp assign = update.assign;
    int64_t bytes = assign.getValue().getType().getBytes();
    if (!update.isInPlace()) {
      if (auto remark = explainMissed(assign.getLoc(), ExplainCategory::Memory,
                                      func.getSymName()))
        remark << "variable '" << assign.getVariable()
               << "' is not updated in place: " << update.obstacle << "; "
               << formatDigits(bytes) << " bytes are copied";
      continue;
    }
    if (auto remark = explainDone(assign.getLoc(), ExplainCategory::Memory,
                                  func.getSymName()))
      remark << "variable '" << assign.getVariable()
             << "' is updated in place, which saves a buffer of "
             << formatDigits(bytes) << " bytes and its copy";
  }
}

/// The buffer of a blob that was computed before. Constants get theirs at their
/// first use.
Value ProgramBuilder::getBuffer(Value blob) {
  Value &buffer = buffers[blob];
  if (auto constant = blob.getDefiningOp<ConstantOp>(); constant && !buffer)
    buffer = plan::GetConstantOp::create(
        builder, constant.getLoc(),
        plan::getBufferType(constant.getResult().getType().getMemRefType(),
                            context.getSpace(getPlacement(constant),
                                             plan::SpaceRole::Constants)),
        context.getConstant(constant.getLoc(),
                            cast<DenseElementsAttr>(constant.getValue())));
  return buffer;
}

Value ProgramBuilder::getOutput(unsigned index) { return outputs[index]; }

Value ProgramBuilder::getVariable(Location loc, FlatSymbolRefAttr name,
                                  BlobType type) {
  return plan::GetVariableOp::create(
      builder, loc,
      plan::getBufferType(type.getMemRefType(), context.getVariableSpace(name)),
      name);
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

/// The buffer of a result, where BlobPlaces says.
Value ProgramBuilder::getResultBuffer(OpResult result) {
  auto type = cast<BlobType>(result.getType());
  Location loc = getResultLoc(result);
  BlobPlace place = places->getPlace(result);
  auto getLoop = [&] {
    return cast<MicroStepsOp>(result.getOwner()->getParentOp());
  };
  switch (place.kind) {
  case BlobPlace::Arena:
    return allocate(loc, type.getMemRefType(), getBlobDevices(result));
  case BlobPlace::Input:
    ++numInPlace;
    if (auto remark = explainDone(result.getOwner()->getLoc(),
                                  ExplainCategory::Memory, func.getSymName()))
      remark << "result " << std::to_string(result.getResultNumber())
             << " takes the memory of an input that no later op reads, "
                "which saves a buffer of "
             << formatDigits(type.getBytes()) << " bytes";
    return getBuffer(result.getOwner()->getOperand(place.index));
  case BlobPlace::Variable:
    return getVariable(loc, places->getVariable(result), type);
  case BlobPlace::Output:
    return getOutput(place.index);
  case BlobPlace::Sum:
    return buffers.lookup(getLoop().getSums()[place.index]);
  case BlobPlace::Rows:
    return createRows(loc, type,
                      buffers.lookup(getLoop().getPacked()[place.index]));
  }
  llvm_unreachable("unknown kind of place");
}

/// A buffer of the arena of a device.
Value ProgramBuilder::allocate(Location loc, MemRefType type,
                               PlacementAttr device) {
  plan::SpaceAttr arena = context.getSpace(device, plan::SpaceRole::Arena);
  return plan::AllocOp::create(builder, loc, plan::getBufferType(type, arena),
                               /*offset=*/nullptr);
}

/// Null for queue 0.
IntegerAttr ProgramBuilder::getQueue(const PlanDevice &device) {
  return device.queue ? builder.getI64IntegerAttr(device.queue) : IntegerAttr();
}

/// Whether a buffer is in the memory of the host that callers fill and read.
static bool isStaging(Value buffer) {
  plan::SpaceRole role = plan::getSpace(buffer.getType()).getRole();
  return role == plan::SpaceRole::Inputs || role == plan::SpaceRole::Outputs;
}

/// Copies a blob that is on `devices`. Runs on a device that holds one of the
/// buffers, a GPU rather than the host.
void ProgramBuilder::copy(Location loc, Value from, Value to,
                          PlacementAttr devices) {
  SmallVector<const PlanDevice *> holders;
  if (!isStaging(to))
    holders.push_back(&context.getDevice(plan::getSpace(to.getType())));
  // What an op on a GPU computes gets there from the memory of the GPU.
  if (!isStaging(from))
    holders.push_back(&context.getDevice(plan::getSpace(from.getType())));
  else if (devices)
    holders.push_back(&context.getDevice(devices));
  auto isGPU = [](const PlanDevice *device) {
    return device->kind != plan::DeviceKind::Host;
  };
  auto it = llvm::find_if(holders, isGPU);
  const PlanDevice &device = it != holders.end() ? **it
                             : holders.empty()   ? context.getHost()
                                                 : *holders.front();
  plan::CopyOp::create(builder, loc, from, to, getQueue(device));
}

void ProgramBuilder::fillWithZeros(Location loc, Value buffer,
                                   const PlanDevice &device) {
  plan::FillOp::create(builder, loc, buffer, builder.getI64IntegerAttr(0),
                       getQueue(device));
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
      copy(op.getLoc(), buffer, getOutput(use.getOperandNumber()),
           getPlacement(op));

  if (places->isCopied(op.getResult())) {
    Value kept = allocate(op.getLoc(), cast<MemRefType>(buffer.getType()),
                          getPlacement(op));
    copy(op.getLoc(), buffer, kept, getPlacement(op));
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
  for (OpResult result : op->getResults())
    results.push_back(buffers[result] = getResultBuffer(result));

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
  KernelSignature signature;
  for (OpResult result : op->getResults())
    if (isGuarded(result)) {
      Value buffer = results[result.getResultNumber()];
      signature.guarded.push_back(result.getResultNumber());
      if (!contains(inouts, buffer))
        inouts.push_back(buffer);
    }
  for (Value result : results)
    if (!contains(inouts, result))
      outs.push_back(result);

  SmallVector<Value> arguments(ins);
  arguments.append(inouts);
  arguments.append(outs);
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

  EmittedKernel kernel = context.getKernel(op, signature, checkNumerics);
  SmallVector<Attribute> checks(kernel.checks.begin(), kernel.checks.end());
  if (!checks.empty())
    outs.push_back(allocate(op.getLoc(),
                            plan::getStatusType(builder.getContext()),
                            getPlacement(op)));
  plan::ExecutableOp callee = kernel.executable;
  plan::DispatchOp::create(
      builder, op.getLoc(), FlatSymbolRefAttr::get(callee.getSymNameAttr()),
      builder.getI64IntegerAttr(getFlops(op)), ins, inouts, outs,
      /*scalars=*/nullptr,
      checks.empty() ? ArrayAttr() : builder.getArrayAttr(checks),
      /*epilogue=*/nullptr, /*joined=*/nullptr,
      getQueue(context.getDevice(getPlacement(op))));
}

//===----------------------------------------------------------------------===//
// Library calls, variables, results
//===----------------------------------------------------------------------===//

static std::string printParameter(Attribute parameter) {
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
        plan::getBufferType(
            MemRefType::get({bytes}, builder.getI8Type()),
            context.getSpace(getPlacement(op), plan::SpaceRole::Workspace)),
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
             << printParameter(parameter.getValue());
  }
  plan::CallOp::create(builder, op->getLoc(), config,
                       builder.getI64IntegerAttr(flops), ins, outs, workspace,
                       checkNumerics ? builder.getUnitAttr() : UnitAttr(),
                       getQueue(context.getDevice(getPlacement(op))));
}

void ProgramBuilder::convertHostCall(HostCallOp op) {
  SmallVector<Value> ins, outs;
  for (Value input : op.getInputs())
    ins.push_back(getBuffer(input));
  for (OpResult result : op->getResults())
    outs.push_back(buffers[result] = getResultBuffer(result));
  plan::HostCallOp::create(builder, op.getLoc(), op.getCalleeAttr(), ins,
                           /*inouts=*/ValueRange(), outs,
                           getQueue(context.getDevice(getPlacement(op))));
}

void ProgramBuilder::convertAssign(AssignOp op) {
  if (places->isInPlace(op))
    return;
  Value variable =
      getVariable(op.getLoc(), op.getVariableAttr(), op.getValue().getType());
  if (isZeroConstant(op.getValue()))
    return fillWithZeros(op.getLoc(), variable,
                         context.getDevice(plan::getSpace(variable.getType())));
  Value buffer = getBuffer(op.getValue());
  // A variable may be assigned the value that it has, also after reshapes.
  auto own = dyn_cast<plan::GetVariableOp>(plan::getBufferRoot(buffer));
  if (!own || own.getSymbolAttr() != op.getVariableAttr())
    copy(op.getLoc(), buffer, variable, getBlobDevices(op.getValue()));
}

void ProgramBuilder::convertTransfer(TransferOp op) {
  Value source = getBuffer(op.getOperand());
  Value target = buffers[op.getResult()] = getResultBuffer(op->getResult(0));
  copy(op.getLoc(), source, target, getBlobDevices(op.getOperand()));
}

void ProgramBuilder::convertReturn(ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    if (operand.get().getDefiningOp<ReadOp>())
      continue; // copied where it was read
    // Computed there, unless another output has the same value.
    if (auto result = dyn_cast<OpResult>(operand.get());
        result && isAt(result, BlobPlace::Output) &&
        places->getPlace(result).index == index)
      continue;
    copy(op.getLoc(), getBuffer(operand.get()), getOutput(index),
         getBlobDevices(operand.get()));
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
  if (auto loop = dyn_cast<MicroStepsOp>(op))
    return convertMicroSteps(loop);
  if (auto call = dyn_cast<HostCallOp>(op))
    return convertHostCall(call), success();
  if (auto assign = dyn_cast<AssignOp>(op))
    return convertAssign(assign), success();
  if (auto ret = dyn_cast<ReturnOp>(op))
    return convertReturn(ret), success();
  if (auto transfer = dyn_cast<TransferOp>(op))
    return convertTransfer(transfer), success();
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
  // Text of a later stage than `job-verify`'s may be a person's.
  if (failed(verifyCounts(func)))
    return failure();
  if (checkNumerics)
    postponeCounters();
  BlobPlaces jobPlaces(func.getBody().front(), {inPlace, checkNumerics});
  places = &jobPlaces;
  explainUpdates();

  builder.setInsertionPoint(func);
  Location loc = func.getLoc();
  auto program =
      plan::ProgramOp::create(builder, loc, func.getSymNameAttr(),
                              func.getKindAttr(), func.getResultStructureAttr(),
                              /*sizes=*/nullptr, func.getPackingAttr());
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    bool checked = isChecked(argument) && !argument.use_empty();
    buffers[argument] = plan::InputOp::create(
        builder, argument.getLoc(),
        getBufferType(argument.getType(), plan::SpaceRole::Inputs),
        builder.getI64IntegerAttr(index),
        builder.getStringAttr(func.getArgumentName(index)),
        /*offset=*/nullptr, checked ? builder.getUnitAttr() : UnitAttr());
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    IntegerAttr count;
    int64_t boundedDim = 0;
    if (auto blob = cast<BlobType>(type); blob.isBounded()) {
      count = builder.getI64IntegerAttr(*findCountResult(func, index));
      boundedDim = blob.getBoundedDim();
    }
    outputs.push_back(plan::OutputOp::create(
        builder, func.getReturn().getLoc(),
        getBufferType(type, plan::SpaceRole::Outputs),
        builder.getI64IntegerAttr(index),
        builder.getStringAttr(func.getResultName(index)),
        /*offset=*/nullptr, count, builder.getI64IntegerAttr(boundedDim)));
  }
  for (Operation &op : func.getBody().front())
    if (failed(convertOp(&op)))
      return failure();
  func.erase();
  return success();
}

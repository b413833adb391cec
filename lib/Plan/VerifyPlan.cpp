//===- VerifyPlan.cpp - Verify commands against what they run -------------===//

#include "Epilogues.h"
#include "Launches.h"
#include "VerifyCalls.h"

#include "JobDialect/Analysis/CommandOrder.h"
#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/IR/AttributeNames.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Suggestions.h"

#include "jobrt/abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANVERIFY
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

static LogicalResult verifySchedule(VariantOp variant, const KernelNest &nest) {
  return variant.getScheduleAttr().verifyKernel(variant, nest);
}

static LogicalResult verifySchedule(VariantOp variant, const ItemLoop &loop) {
  return variant.getScheduleAttr().verifyItemLoop(variant, loop);
}

/// Checks the schedule of a variant against the body in one of its forms.
template <typename Form>
static LogicalResult verifyVariant(VariantOp variant, const Form &form) {
  ScheduleAttrInterface schedule = variant.getScheduleAttr();
  if (!schedule)
    return success();
  if (failed(verifyTarget(variant)) || failed(verifySchedule(variant, form)))
    return failure();
  int64_t chunks = getNumChunks(schedule, form);
  if (variant.getChunks().value_or(chunks) == static_cast<uint64_t>(chunks))
    return success();
  return variant.emitOpError()
         << "expects " << chunks << " chunks, as the schedule makes, but got "
         << *variant.getChunks();
}

/// Checks a body in one of its forms, and the schedules of all variants.
template <typename Form>
static LogicalResult verifyBody(ExecutableOp executable) {
  FailureOr<Form> form = Form::get(executable.getBody());
  if (failed(form))
    return failure();
  for (VariantOp variant : executable.getVariants())
    if (failed(verifyVariant(variant, *form)))
      return failure();
  return success();
}

static LogicalResult verifyExecutable(ExecutableOp executable) {
  for (VariantOp variant : executable.getVariants()) {
    if (!llvm::is_contained({job::kCPUTarget, job::kCUDATarget},
                            variant.getSymName()))
      return variant.emitOpError()
             << "expects a variant of a target of this build, "
             << job::kCPUTarget << " or " << job::kCUDATarget << ", but got "
             << variant.getSymName();
    if (func::FuncOp code = variant.getCode(); code && code.isExternal())
      return code.emitOpError("expects code but got a declaration");
  }
  func::FuncOp body = executable.getBody();
  if (!body)
    return success();
  return ItemLoop::isFormOf(body) ? verifyBody<ItemLoop>(executable)
                                  : verifyBody<KernelNest>(executable);
}

static LogicalResult verifyDispatch(DispatchOp dispatch,
                                    SymbolTableCollection &symbols) {
  auto executable = symbols.lookupNearestSymbolFrom<ExecutableOp>(
      dispatch->getParentOp(), dispatch.getKernelAttr());
  func::FuncOp body = executable.getBody();
  if (!body)
    return success();
  int64_t expected = 0;
  body.walk([&](CheckOp check) {
    expected = static_cast<int64_t>(check.getCount());
  });
  int64_t checks = dispatch.getChecks() ? dispatch.getChecks()->size() : 0;
  if (checks == expected)
    return success();
  InFlightDiagnostic error = dispatch.emitOpError()
                             << "expects " << expected
                             << " checks, as its kernel has, but got "
                             << checks;
  error.attachNote(executable.getLoc()) << "the kernel is here";
  return error;
}

/// Chunks of an epilogue run beside those of the commands before it.
static LogicalResult verifyEpilogue(DispatchOp dispatch, KernelNests &nests) {
  if (!dispatch.getEpilogue())
    return success();
  PlanCommandOpInterface before = getPredecessor(dispatch);
  if (!before)
    return dispatch.emitOpError("expects an epilogue to come after a call or a "
                                "dispatch on its queue but got none there");
  auto fail = [&](PlanCommandOpInterface command) {
    InFlightDiagnostic error = dispatch.emitOpError();
    error.attachNote(command.getLoc()) << "the command is here";
    return error;
  };
  // On a GPU the launch is one kernel, whose chunks are those of all members.
  if (getTarget(dispatch) == job::kCUDATarget && before.isInLaunchBefore())
    return fail(before) << "expects an epilogue of a dispatch that is launched "
                           "alone but got one of a launch of several";
  // The accesses of lowered code are trusted.
  bool isLowered = plan::isLowered(nests.getExecutable(dispatch));
  ScheduleAttrInterface schedule = nests.getSchedule(dispatch);
  const KernelNest *nest = nests.lookup(dispatch);
  if (!isLowered && (!schedule || !nest))
    return dispatch.emitOpError("expects an epilogue to have a kernel with "
                                "passes over data and a schedule");
  std::optional<int64_t> chunks = dispatch.getChunkCount(),
                         expected = before.getChunkCount();
  if (chunks != expected)
    return fail(before) << "expects an epilogue of a command of "
                        << expected.value_or(0)
                        << " chunks to have as many but got "
                        << chunks.value_or(0);
  if (isLowered)
    return success();
  if (Operation *buffer = findBufferWithoutOffset(dispatch, nests)) {
    InFlightDiagnostic error = dispatch.emitOpError(
        "expects offsets of all buffers for an epilogue but got none");
    error.attachNote(buffer->getLoc()) << "the buffer is here";
    return error;
  }
  if (std::optional<EpilogueObstacle> obstacle =
          findObstacle(dispatch, *nest, schedule, nests))
    return fail(obstacle->command)
           << "expects the chunks of an epilogue to be independent of other "
              "chunks of a command before it but one "
           << obstacle->reason;
  return success();
}

/// The dispatches of a launch run at once, on a GPU as one kernel.
static LogicalResult verifyLaunch(DispatchOp dispatch,
                                  CommandConflicts &conflicts) {
  SmallVector<DispatchOp> launch = getLaunch(dispatch);
  int64_t parameters = 0;
  for (DispatchOp member : launch)
    parameters += getNumParameters(member);
  if (getTarget(dispatch) == job::kCUDATarget &&
      parameters > JOBRT_MAX_KERNEL_PARAMETERS)
    return dispatch.emitOpError()
           << "expects at most " << JOBRT_MAX_KERNEL_PARAMETERS
           << " buffers and scalars in a launch but got " << parameters;
  if (!dispatch.getJoined())
    return success();
  if (launch.size() < 2)
    return dispatch.emitOpError(
        "expects a dispatch that joins a launch to come "
        "after a dispatch on its queue but got none "
        "there");
  for (DispatchOp member : {launch.front(), dispatch})
    if (member.getEpilogue() || member.getChecks())
      return member.emitOpError(
          "expects the dispatches of a launch to have no checks and to be no "
          "epilogues");
  for (DispatchOp other : ArrayRef(launch).drop_back()) {
    if (!conflicts.mayConflict(dispatch, other))
      continue;
    InFlightDiagnostic error = dispatch.emitOpError(
        "expects the dispatches of a launch to be independent but one writes "
        "what another one accesses");
    error.attachNote(other.getLoc()) << "the other one is here";
    return error;
  }
  return success();
}

/// The command directly before, if it is a collective on the same queue.
static CollectiveOp getCollectiveBefore(CollectiveOp collective) {
  Operation *op = collective->getPrevNode();
  while (op && !isa<PlanCommandOpInterface, RepeatOp>(op))
    op = op->getPrevNode();
  auto before = dyn_cast_if_present<CollectiveOp>(op);
  return before && before.getQueue() == collective.getQueue() ? before
                                                              : CollectiveOp();
}

/// A joined collective is in one group with the collective before it.
static LogicalResult verifyGroup(CollectiveOp collective,
                                 CommandConflicts &conflicts) {
  for (CollectiveOp member = collective; member.getJoined();) {
    CollectiveOp other = getCollectiveBefore(member);
    if (!other)
      return member.emitOpError("expects a collective that is joined to come "
                                "after a collective on its queue but got none "
                                "there");
    if (conflicts.mayConflict(collective, other)) {
      InFlightDiagnostic error = collective.emitOpError(
          "expects the collectives of a group to be independent but one writes "
          "what another one accesses");
      error.attachNote(other.getLoc()) << "the other one is here";
      return error;
    }
    member = other;
  }
  return success();
}

/// Ranks that run collectives in different orders wait for each other.
static LogicalResult verifyCollectives(ProgramOp program,
                                       CommandConflicts &conflicts) {
  if (getOpsOfProgram<CollectiveOp>(program).empty())
    return success();
  CommandOrder order(program);
  int64_t last = -1;
  for (auto [index, op] : llvm::enumerate(order.getCommands())) {
    auto collective = dyn_cast<CollectiveOp>(*op);
    if (!collective)
      continue;
    if (failed(verifyGroup(collective, conflicts)))
      return failure();
    int64_t number = index;
    if (last >= 0 && !collective.getJoined() && !order.isBefore(last, number)) {
      PlanCommandOpInterface other = order.getCommands()[last];
      InFlightDiagnostic error =
          collective.emitOpError()
          << "expects to be ordered after command " << last
          << ", which is a collective as well, but got queue "
          << collective.getQueue() << " that does not wait for queue "
          << other.getQueue();
      error.attachNote(other->getLoc()) << "command " << last << " is here";
      return error;
    }
    last = number;
  }
  return success();
}

static LogicalResult verifyCommunicators(ModuleOp module) {
  auto communicators = module.getOps<CommunicatorOp>();
  if (communicators.empty() || llvm::hasSingleElement(communicators))
    return success();
  InFlightDiagnostic error =
      (*std::next(communicators.begin()))
          .emitOpError("expects to be the only communicator but got a second "
                       "one");
  error.attachNote((*communicators.begin()).getLoc()) << "the first is here";
  return error;
}

/// The names of the devices that the queues of a module belong to, by queue.
/// Null stands for the first device.
static SmallVector<StringAttr> getQueues(ModuleOp module) {
  SmallVector<StringAttr> queues;
  for (auto device : module.getOps<DeviceOp>())
    queues.append(device.getQueues(),
                  queues.empty() ? StringAttr() : device.getSymNameAttr());
  if (queues.empty())
    queues.push_back(StringAttr());
  return queues;
}

static std::string describeDevice(StringAttr device) {
  return device ? "device @" + device.str() : "the first device";
}

/// Whether a space is memory of the host that is there for all devices.
static bool isStaging(SpaceAttr space) {
  return !space.getDevice() && (space.getRole() == SpaceRole::Inputs ||
                                space.getRole() == SpaceRole::Outputs);
}

/// Queues are those of the module's devices, and a command on one of them
/// accesses the memory of its device, and staging memory.
static LogicalResult verifyQueue(PlanCommandOpInterface command,
                                 ArrayRef<StringAttr> queues) {
  uint64_t queue = command.getQueue();
  if (queue >= queues.size())
    return command->emitOpError()
           << "expects a queue below " << queues.size()
           << ", the number of queues of the module's devices, but got "
           << queue;
  std::optional<unsigned> remote;
  bool hasLocal = false;
  auto getDevice = [](SpaceAttr space) {
    return space.getDevice() ? space.getDevice().getAttr() : StringAttr();
  };
  for (auto [index, type] : llvm::enumerate(command->getOperandTypes())) {
    SpaceAttr space = getSpace(type);
    if (!space || isStaging(space))
      continue;
    if (getDevice(space) == queues[queue])
      hasLocal = true;
    else if (!remote)
      remote = index;
  }
  if (!remote || (hasLocal && command.copiesBetweenDevices()))
    return success();
  return command->emitOpError()
         << "expects buffers of " << describeDevice(queues[queue])
         << ", which queue " << queue << " belongs to, but operand #" << *remote
         << " is on "
         << describeDevice(
                getDevice(getSpace(command->getOperand(*remote).getType())));
}

/// In a program of several devices inputs and outputs are memory of the host,
/// which a GPU reaches by copies only: none to an input, and none between two
/// of them.
static LogicalResult verifyStaging(ProgramOp program,
                                   ArrayRef<DeviceOp> devices) {
  SmallVector<DeviceOp> ofQueues;
  for (DeviceOp device : devices)
    ofQueues.append(device.getQueues(), device);
  llvm::SmallDenseSet<StringAttr> used;
  for (PlanCommandOpInterface command : getCommands(program)) {
    DeviceOp device = ofQueues[command.getQueue()];
    used.insert(device == devices.front() ? StringAttr()
                                          : device.getSymNameAttr());
    for (Type type : command->getOperandTypes())
      if (SpaceAttr space = getSpace(type); space && !isStaging(space))
        used.insert(space.getDevice() ? space.getDevice().getAttr()
                                      : StringAttr());
  }
  if (used.size() < 2)
    return success();
  for (PlanCommandOpInterface command : getCommands(program)) {
    DeviceOp device = ofQueues[command.getQueue()];
    // Functions of the session are called on the host.
    if (device.getKind() != DeviceKind::CUDA || isa<HostCallOp>(*command))
      continue;
    if (auto copy = dyn_cast<CopyOp>(*command)) {
      SpaceAttr from = getSpace(copy.getSource().getType()),
                to = getSpace(copy.getTarget().getType());
      if (to.getRole() == SpaceRole::Inputs ||
          (isStaging(from) && isStaging(to)))
        return copy.emitOpError()
               << "expects a copy on device @" << device.getSymName()
               << " of a program of several devices to be from or to an "
                  "output, from an input or on the device but got one from "
               << from << " to " << to;
      continue;
    }
    for (auto [index, type] : llvm::enumerate(command->getOperandTypes()))
      if (SpaceAttr space = getSpace(type); space && isStaging(space))
        return command->emitOpError()
               << "expects memory of device @" << device.getSymName()
               << " in a program of several devices but operand #" << index
               << " is in " << space << ", memory of the host";
  }
  return success();
}

/// The spaces of buffers and of sizes name devices of the module, the first one
/// not by name.
static LogicalResult verifySpace(Operation *op, SpaceAttr space,
                                 ArrayRef<DeviceOp> devices) {
  if (!space || !space.getDevice())
    return success();
  StringAttr name = space.getDevice().getAttr();
  if (!devices.empty() && DeviceOp(devices.front()).getSymNameAttr() == name)
    return op->emitOpError()
           << "expects a space of the first device without its name but got "
           << space;
  for (DeviceOp device : devices)
    if (device.getSymNameAttr() == name)
      return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expects a space of a plan.device but got "
                             << space << ", which names none";
  SmallVector<StringRef> names;
  for (DeviceOp device : devices)
    names.push_back(device.getSymName());
  job::suggestName(error, name, names, "@");
  return error;
}

static LogicalResult verifySpaces(Operation *op, SizesAttr sizes,
                                  ArrayRef<DeviceOp> devices) {
  if (sizes)
    for (const SpaceSize &size : sizes.getSpaces())
      if (failed(verifySpace(op, size.space, devices)))
        return failure();
  return success();
}

static LogicalResult verifySpaces(ModuleOp module) {
  SmallVector<DeviceOp> devices(module.getOps<DeviceOp>());
  if (failed(verifySpaces(
          module, module->getAttrOfType<SizesAttr>(kSizesAttrName), devices)))
    return failure();
  for (auto variable : module.getOps<VariableOp>())
    if (failed(verifySpace(variable, getSpace(variable.getType()), devices)))
      return failure();
  for (auto program : module.getOps<ProgramOp>()) {
    if (failed(verifySpaces(program, program.getSizesAttr(), devices)))
      return failure();
    WalkResult result = program.walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (failed(verifySpace(op, getSpace(type), devices)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

/// The program of kind init writes each variable before anything reads it.
static LogicalResult verifyInit(ProgramOp program) {
  llvm::SmallDenseSet<const void *> written;
  for (PlanCommandOpInterface command : getCommands(program)) {
    SmallVector<OpOperand *> writes = command.getWrittenOperands();
    for (OpOperand *operand : command.getReadOperands()) {
      auto read = dyn_cast<GetVariableOp>(getBufferRoot(operand->get()));
      // A kernel may write what it then checks.
      if (!read || llvm::is_contained(writes, operand) ||
          written.contains(getMemory(read)))
        continue;
      InFlightDiagnostic error =
          command.emitOpError()
          << "expects a program of kind init to read variables that it has "
             "written but got @"
          << read.getSymbol();
      error.attachNote(read.getLoc()) << "the variable is read here";
      return error;
    }
    for (OpOperand *operand : writes)
      written.insert(getMemory(operand->get()));
  }
  for (auto variable :
       program->getParentOfType<ModuleOp>().getOps<VariableOp>())
    if (!written.contains(FlatSymbolRefAttr::get(variable.getSymNameAttr())
                              .getAsOpaquePointer()))
      return variable.emitOpError()
             << "expects program @" << program.getSymName()
             << " of kind init to write the variable but got no command that "
                "does";
  return success();
}

namespace {
struct PlanVerify : public plan::impl::PlanVerifyBase<PlanVerify> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(job::verifyAttributeNames(module,
                                         PlanDialect::getDialectNamespace())))
      return signalPassFailure();
    for (auto executable : module.getOps<ExecutableOp>())
      if (failed(verifyExecutable(executable)))
        return signalPassFailure();
    if (failed(verifySpaces(module)) || failed(verifyCommunicators(module)))
      return signalPassFailure();
    SmallVector<StringAttr> queues = getQueues(module);
    SmallVector<DeviceOp> devices(module.getOps<DeviceOp>());
    SymbolTableCollection symbols;
    KernelNests nests(symbols);
    CommandConflicts conflicts(symbols);
    for (auto program : module.getOps<ProgramOp>()) {
      if (failed(verifyCollectives(program, conflicts)) ||
          (program.getKind() == job::JobKind::Init &&
           failed(verifyInit(program))))
        return signalPassFailure();
      for (PlanCommandOpInterface command : getCommands(program)) {
        LogicalResult result = verifyQueue(command, queues);
        if (failed(result))
          return signalPassFailure();
        if (auto dispatch = dyn_cast<DispatchOp>(*command))
          result = success(succeeded(verifyDispatch(dispatch, symbols)) &&
                           succeeded(verifyEpilogue(dispatch, nests)) &&
                           succeeded(verifyLaunch(dispatch, conflicts)));
        else if (auto call = dyn_cast<CallOp>(*command))
          result = verifyLibraryCall(call);
        if (failed(result))
          return signalPassFailure();
      }
      if (!devices.empty() && failed(verifyStaging(program, devices)))
        return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace

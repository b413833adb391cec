//===- MemoryReport.cpp - The memory of programs --------------------------===//

#include "JobDialect/Analysis/MemoryReport.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Analysis/Lifetimes.h"
#include "JobDialect/Analysis/Passes.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Support/OutputFile.h"
#include "JobDialect/Support/Units.h"
#include "jobrt/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <numeric>

namespace mlir::job {
#define GEN_PASS_DEF_JOBREPORTMEMORY
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

std::string job::formatBufferType(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : type.getShape())
    os << extent << 'x';
  os << type.getElementType();
  return text;
}

std::vector<size_t> ProgramMemory::getPeakBuffers() const {
  std::vector<size_t> live;
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (buffer.first <= peakCommand && peakCommand <= buffer.last)
      live.push_back(index);
  llvm::sort(live, [&](size_t a, size_t b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });
  return live;
}

std::vector<size_t> ProgramMemory::getRecomputations() const {
  std::vector<size_t> indices;
  for (auto [index, command] : llvm::enumerate(commands))
    if (command.recomputedBytes)
      indices.push_back(index);
  return indices;
}

int64_t ProgramMemory::getFlops() const {
  int64_t flops = 0;
  for (const MemoryCommand &command : commands)
    flops = addOperationCounts(flops, command.flops);
  return flops;
}

/// Finds the first command with the largest sum of live bytes.
static void findPeak(ProgramMemory &memory) {
  for (auto [index, command] : llvm::enumerate(memory.commands))
    if (command.liveBytes > memory.commands[memory.peakCommand].liveBytes)
      memory.peakCommand = index;
}

ProgramMemory job::getArenaOf(const ProgramMemory &program, unsigned device) {
  ProgramMemory result = program;
  result.arena = program.devices[device].arena;
  result.lowerBound = program.devices[device].lowerBound;
  result.peakCommand = 0;
  llvm::erase_if(result.buffers, [&](const MemoryBuffer &buffer) {
    return buffer.device != device;
  });
  for (MemoryCommand &command : result.commands)
    command.liveBytes = 0;
  for (const MemoryBuffer &buffer : result.buffers)
    for (int64_t i = buffer.first; i <= buffer.last; ++i)
      result.commands[i].liveBytes += buffer.bytes;
  findPeak(result);
  return result;
}

MemoryTotals job::getMemoryTotals(ArrayRef<ProgramMemory> programs) {
  MemoryTotals totals;
  int64_t inputs = 0, outputs = 0;
  std::vector<DeviceMemory> largest;
  for (const ProgramMemory &program : programs) {
    SmallVector<DeviceMemory> devices(program.devices.begin(),
                                      program.devices.end());
    if (devices.empty())
      devices.push_back(
          {"", program.arena, program.lowerBound, 0, 0, program.workspace, 0});
    largest.resize(devices.size());
    for (auto [most, device] : llvm::zip_equal(largest, devices)) {
      most.arena = std::max(most.arena, device.arena);
      most.lowerBound = std::max(most.lowerBound, device.lowerBound);
      most.workspace = std::max(most.workspace, device.workspace);
    }
    inputs = std::max(inputs, program.inputs);
    outputs = std::max(outputs, program.outputs);
    // Shared by all.
    totals.bank = program.bank;
    totals.constants = program.constants;
  }
  for (const DeviceMemory &device : largest) {
    totals.arena += device.arena;
    totals.arenaLowerBound += device.lowerBound;
    totals.workspace += device.workspace;
  }
  totals.staging = inputs + outputs;
  return totals;
}

static std::string getLine(Location loc) {
  std::optional<UserLocation> line = getUserLocation(loc);
  return line ? line->str() : "";
}

static MemoryRole getRole(Location loc, StringRef name) {
  if (isRecomputation(loc))
    return MemoryRole::Recomputation;
  if (name.starts_with("gradient of"))
    return MemoryRole::Gradient;
  if (name.starts_with("update of"))
    return MemoryRole::Update;
  return MemoryRole::Forward;
}

namespace {
/// The devices of a module, by number.
class Devices {
public:
  explicit Devices(ModuleOp module) {
    for (auto device : module.getOps<plan::DeviceOp>()) {
      ofQueues.append(device.getQueues(), names.size());
      numbers[device.getSymNameAttr()] = names.size();
      names.push_back(device.getSymName());
      areHosts.push_back(device.getKind() == plan::DeviceKind::Host);
    }
    for (auto program : module.getOps<plan::ProgramOp>())
      program.walk([&](plan::GetConstantOp constant) {
        withConstants.insert(
            getNumber(plan::getSpace(constant.getResult().getType())));
      });
  }

  /// Whether there are several.
  bool areSeveral() const { return names.size() > 1; }
  ArrayRef<StringRef> getNames() const { return names; }
  unsigned getNumber(plan::SpaceAttr space) const {
    return space.getDevice() ? numbers.lookup(space.getDevice().getAttr()) : 0;
  }
  bool isHost(unsigned device) const { return areHosts[device]; }
  /// The devices whose memory a program uses, or that run a command of it.
  llvm::SmallDenseSet<unsigned> findUsed(plan::ProgramOp program) const {
    llvm::SmallDenseSet<unsigned> used;
    for (plan::PlanCommandOpInterface command : plan::getCommands(program)) {
      // plan-verify reports a queue that is not there.
      if (command.getQueue() < ofQueues.size())
        used.insert(ofQueues[command.getQueue()]);
      for (Type type : command->getOperandTypes())
        if (plan::SpaceAttr space = plan::getSpace(type);
            space && space.getRole() != plan::SpaceRole::Inputs &&
            space.getRole() != plan::SpaceRole::Outputs)
          used.insert(getNumber(space));
    }
    return used;
  }
  /// Each device that uses constants has all of them.
  bool hasConstants(unsigned device) const {
    return withConstants.contains(device);
  }

private:
  DenseMap<StringAttr, unsigned> numbers;
  SmallVector<StringRef> names;
  SmallVector<bool> areHosts;
  /// The device of each queue.
  SmallVector<unsigned> ofQueues;
  llvm::SmallDenseSet<unsigned> withConstants;
};
} // namespace

static void addSize(const plan::SpaceSize &size, const Devices &devices,
                    ProgramMemory &memory) {
  DeviceMemory unused;
  DeviceMemory &device = devices.areSeveral()
                             ? memory.devices[devices.getNumber(size.space)]
                             : unused;
  auto add = [&](int64_t &all, int64_t &own, int64_t bytes) {
    all += bytes;
    own += bytes;
  };
  switch (size.space.getRole()) {
  case plan::SpaceRole::Arena:
    add(memory.arena, device.arena, size.bytes);
    add(memory.lowerBound, device.lowerBound, *size.lowerBound);
    break;
  case plan::SpaceRole::Variables:
    add(memory.bank, device.bank, size.bytes);
    break;
  case plan::SpaceRole::Constants:
    if (!devices.areSeveral())
      memory.constants += size.bytes;
    for (auto [number, copy] : llvm::enumerate(memory.devices))
      if (devices.hasConstants(number))
        add(memory.constants, copy.constants, size.bytes);
    break;
  case plan::SpaceRole::Inputs:
    memory.inputs += size.bytes;
    break;
  case plan::SpaceRole::Outputs:
    memory.outputs += size.bytes;
    break;
  case plan::SpaceRole::Workspace:
    add(memory.workspace, device.workspace, size.bytes);
    break;
  }
}

/// Adds the sizes of spaces.
static void addSizes(plan::SizesAttr sizes, const Devices &devices,
                     ProgramMemory &memory) {
  for (const plan::SpaceSize &size : sizes.getSpaces())
    addSize(size, devices, memory);
}

static LogicalResult collectProgram(plan::ProgramOp program,
                                    const Devices &devices,
                                    ProgramMemory &memory) {
  memory.name = program.getSymName().str();
  memory.kind = stringifyJobKind(program.getKind()).str();
  if (!program.getSize(plan::SpaceRole::Arena))
    return program.emitOpError(
        "expects the arena's size: run plan-pack-memory first");
  if (!program.getSize(plan::SpaceRole::Inputs) ||
      !program.getSize(plan::SpaceRole::Outputs) ||
      !program.getSize(plan::SpaceRole::Workspace))
    return program.emitOpError(
        "expects the slots' sizes: run plan-assign-offsets first");
  addSizes(*program.getSizes(), devices, memory);
  llvm::SmallDenseSet<unsigned> used = devices.findUsed(program);
  for (auto [number, device] : llvm::enumerate(memory.devices))
    if (devices.isHost(number) || (used.size() == 1 && used.contains(number)))
      device.staging = memory.inputs + memory.outputs;

  for (plan::PlanCommandOpInterface op : plan::getCommands(program)) {
    OpCost cost = getOpCost(op);
    auto loop = op->getParentOfType<plan::RepeatOp>();
    MemoryCommand &command = memory.commands.emplace_back();
    command.what = op.getTitle();
    command.name = getUserName(op->getLoc());
    command.line = getLine(op->getLoc());
    command.flops = getOperationCount(
        {cost.flops, loop ? static_cast<int64_t>(loop.getCount()) : 1});
    if (isRecomputation(op->getLoc()))
      command.recomputedBytes = cost.bytesWritten;
  }
  plan::Lifetimes lifetimes(program);
  for (auto buffer : plan::getOpsOfProgram<plan::AllocOp>(program)) {
    const plan::Lifetime *lifetime = lifetimes.lookup(buffer);
    if (!lifetime)
      continue;
    if (!buffer.getOffset())
      return buffer.emitOpError(
          "expects an offset: run plan-pack-memory first");
    auto type = cast<MemRefType>(buffer.getResult().getType());
    std::string name = getUserName(buffer.getLoc());
    int64_t bytes = llvm::alignTo(plan::getBufferBytes(type), JOBRT_ALIGNMENT);
    memory.buffers.push_back({name, getLine(buffer.getLoc()),
                              formatBufferType(type),
                              getRole(buffer.getLoc(), name),
                              static_cast<int64_t>(*buffer.getOffset()), bytes,
                              lifetime->first, lifetime->last, buffer.getLoc(),
                              devices.getNumber(plan::getSpace(type))});
    for (int64_t i = lifetime->first; i <= lifetime->last; ++i)
      memory.commands[i].liveBytes += bytes;
  }
  findPeak(memory);
  return success();
}

FailureOr<std::vector<ProgramMemory>> job::collectMemory(ModuleOp module) {
  auto shared = module->getAttrOfType<plan::SizesAttr>(plan::kSizesAttrName);
  if (!shared && (!module.getOps<plan::VariableOp>().empty() ||
                  !module.getOps<plan::ConstantOp>().empty()))
    return module.emitError("expects the sizes of variables and constants: run "
                            "plan-assign-offsets first");
  Devices devices(module);
  std::vector<ProgramMemory> programs;
  for (auto program : module.getOps<plan::ProgramOp>()) {
    ProgramMemory &memory = programs.emplace_back();
    if (devices.areSeveral())
      for (StringRef name : devices.getNames())
        memory.devices.push_back({name.str()});
    if (shared)
      addSizes(shared, devices, memory);
    if (failed(collectProgram(program, devices, memory)))
      return failure();
  }
  if (programs.empty())
    return emitError(module.getLoc(),
                     "expects a plan.program: run job-plan-pipeline first");
  return programs;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "name (line)", with what is there.
static std::string describe(StringRef name, StringRef line) {
  if (name.empty())
    return line.str();
  return line.empty() ? name.str() : (name + " (" + line + ")").str();
}

/// What is computed again, and what that costs.
static void writeRecomputations(raw_ostream &os, const ProgramMemory &program) {
  std::vector<size_t> again = program.getRecomputations();
  if (again.empty())
    return;
  int64_t flops = 0;
  for (size_t index : again)
    flops = addOperationCounts(flops, program.commands[index].flops);
  int64_t step = std::max<int64_t>(program.getFlops(), 1);
  os << "  computed again instead of kept: " << again.size()
     << (again.size() == 1 ? " command, " : " commands, ") << formatFlops(flops)
     << llvm::format(", %.2f %% of the step's\n", 100.0 * flops / step);
  for (size_t index : again) {
    const MemoryCommand &command = program.commands[index];
    os << "    "
       << llvm::right_justify(formatDigits(command.recomputedBytes), 16) << "  "
       << llvm::right_justify(formatFlops(command.flops), 11) << "  command "
       << index << ", " << command.what;
    if (std::string who = describe(command.name, command.line); !who.empty())
      os << ", " << who;
    os << '\n';
  }
}

std::string job::formatMemoryText(ArrayRef<ProgramMemory> programs,
                                  unsigned largest) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const ProgramMemory &program : programs) {
    auto row = [&](const Twine &what, int64_t bytes, const Twine &more = "") {
      os << "  " << llvm::left_justify(what.str(), 18)
         << llvm::right_justify(formatDigits(bytes), 18) << more << '\n';
    };
    int64_t gap = program.arena - program.lowerBound;
    std::string percent;
    llvm::raw_string_ostream(percent) << llvm::format(
        "  %.2f %%",
        program.lowerBound ? 100.0 * gap / program.lowerBound : 0.0);
    os << "memory of '" << program.name << "' (" << program.kind << "), "
       << program.commands.size() << " commands, bytes:\n";
    row("arena", program.arena);
    row("  lower bound", program.lowerBound);
    row("  gap", gap, percent);
    row("bank", program.bank);
    row("staging, inputs", program.inputs);
    row("staging, outputs", program.outputs);
    row("workspace", program.workspace);
    row("constants", program.constants);
    row("total", program.getTotal(), "  " + formatBytes(program.getTotal()));
    for (const DeviceMemory &device : program.devices)
      row("  on " + device.name, device.getTotal(),
          "  arena " + formatDigits(device.arena) + ", bank " +
              formatDigits(device.bank) + ", staging " +
              formatDigits(device.staging) + ", workspace " +
              formatDigits(device.workspace) + ", constants " +
              formatDigits(device.constants));
    if (program.buffers.empty())
      continue;

    const MemoryCommand &peak = program.commands[program.peakCommand];
    std::vector<size_t> live = program.getPeakBuffers();
    os << "  peak at command " << program.peakCommand << ", " << peak.what;
    if (std::string who = describe(peak.name, peak.line); !who.empty())
      os << ", " << who;
    os << ": " << formatDigits(peak.liveBytes) << " bytes in " << live.size()
       << (live.size() == 1 ? " buffer\n" : " buffers\n");
    size_t shown = std::min<size_t>(live.size(), largest);
    for (size_t index : ArrayRef<size_t>(live).take_front(shown)) {
      const MemoryBuffer &buffer = program.buffers[index];
      os << "    " << llvm::right_justify(formatDigits(buffer.bytes), 16)
         << "  " << llvm::left_justify(buffer.type, 18) << "  commands "
         << buffer.first << " to " << buffer.last;
      if (std::string who = describe(buffer.name, buffer.line); !who.empty())
        os << "  " << who;
      os << '\n';
    }
    if (shown < live.size())
      os << "    and " << live.size() - shown << " smaller\n";
    writeRecomputations(os, program);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ReportMemoryPass
    : public job::impl::JobReportMemoryBase<ReportMemoryPass> {
  using JobReportMemoryBase::JobReportMemoryBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    FailureOr<std::vector<ProgramMemory>> programs =
        collectMemory(getOperation());
    if (failed(programs) ||
        failed(write(output, formatMemoryText(*programs, largest))))
      return signalPassFailure();
    if (!html.empty() && failed(write(html, formatMemoryHtml(*programs))))
      return signalPassFailure();
  }

private:
  LogicalResult write(StringRef path, StringRef text) {
    return writeOutputFile(getOperation().getLoc(), path, text);
  }
};

} // namespace

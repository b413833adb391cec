//===- Compiler.cpp - From a module to an artifact ------------------------===//

#include "JobDialect/Pipelines/Compiler.h"

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/SystemError.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Target/Artifact.h"
#include "JobDialect/Target/CUDAToolkit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::job;

/// What JOBMLIR_CACHE_POLICY need not say: an artifact of a model has some 100
/// kB, with code for GPUs a few MB. 720 hours are 30 days.
static constexpr StringLiteral kCachePolicy =
    "prune_after=720h:cache_size_bytes=4g";

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

void job::setPipelineOptions(PipelineOptions &pipeline,
                             const CompilerOptions &options) {
  pipeline.simplify = options.simplify;
  pipeline.fuse = options.fuse;
  pipeline.packing = options.packing;
  pipeline.schedule = options.schedule;
  pipeline.inPlace = options.inPlace;
  pipeline.epilogues = options.epilogues;
  pipeline.joinLaunches = options.joinLaunches;
  pipeline.queues = options.queues;
  pipeline.layouts = options.layouts;
  pipeline.checkNumerics = options.checkNumerics;
  pipeline.memoryBudget = options.memoryBudget;
  pipeline.precision = options.precision;
  pipeline.tf32 = options.tf32;
  pipeline.cpuFeatures = getCallFeatures(options.cpu, options.features);
  pipeline.device = options.device;
  pipeline.gpuTargets = options.gpuTargets;
}

std::optional<int64_t> job::findGPU(ModuleOp module,
                                    const CompilerOptions &options) {
  bool isDefault = options.device == stringifyDeviceKind(DeviceKind::GPU).str();
  std::optional<int64_t> found;
  auto find = [&](PlacementAttr placement) {
    if (!found && placement && getTarget(placement) == kCUDATarget)
      found = placement.getRanges().front().first;
  };
  for (auto func : module.getOps<job::FuncOp>()) {
    PlacementAttr placement = func.getPlacementAttr();
    if (!placement && isDefault && func.getKind() != JobKind::Init)
      return found.value_or(0);
    find(placement);
    func.getBody().walk([&](Operation *op) { find(getOwnPlacement(op)); });
  }
  for (auto variable : module.getOps<job::VariableOp>())
    find(variable.getPlacementAttr());
  if (found)
    return found;
  for (auto device : module.getOps<plan::DeviceOp>())
    if (device.getKind() == plan::DeviceKind::CUDA)
      return device.getIndex();
  return std::nullopt;
}

std::string job::selectGPUTarget(StringRef device) {
  unsigned capability = 0;
  StringRef digits = device;
  if (!digits.consume_front(kChipPrefix) ||
      digits.getAsInteger(/*Radix=*/10, capability))
    return device.str();
  std::string best = device.str();
  for (const GPUTarget &target : kGPUTargets) {
    unsigned other = 0;
    StringRef version = target.chip.drop_front(kChipPrefix.size());
    version.getAsInteger(/*Radix=*/10, other);
    if (other > capability)
      continue;
    // The last digit is the minor number.
    best = other / 10 == capability / 10 ? target.chip.str()
                                         : (kPTXPrefix + version).str();
  }
  return best;
}

/// Calls ops without a name after what they are, for errors that name the op to
/// blame: modules that people write have lines, but seldom names.
static void nameOps(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa_and_nonnull<JobDialect>(op->getDialect()) ||
        op->getNumResults() == 0 || !getUserName(op->getLoc()).empty())
      return;
    auto name = StringAttr::get(op->getContext(), op->getName().stripDialect());
    op->setLoc(NameLoc::get(name, op->getLoc()));
  });
}

/// The first target whose code is made by ptxas: any of a job's on a GPU, but
/// not the simulated one, nor PTX. Empty if there is none.
static StringRef findAssembledTarget(ModuleOp module,
                                     const CompilerOptions &options) {
  auto target = llvm::find_if(options.gpuTargets, [](StringRef name) {
    return name != kSimulatedTarget && !name.starts_with(kPTXPrefix);
  });
  if (target == options.gpuTargets.end() || !findGPU(module, options))
    return "";
  return *target;
}

static LogicalResult verifyToolkit(ModuleOp module,
                                   const CompilerOptions &options) {
  StringRef target = findAssembledTarget(module, options);
  if (target.empty() || !findCUDAToolkit().empty())
    return success();
  return emitError(module.getLoc())
         << "expects ptxas of a CUDA toolkit to make code for " << target
         << " but got none in CUDA_HOME, PATH or /usr/local/cuda; the package "
            "nvidia-cuda-nvcc of PyPI has it";
}

static LogicalResult compile(ModuleOp module, const CompilerOptions &options,
                             const TargetDescription &target, StringRef path) {
  // Those of a nested module would be lost in silence.
  if (module.getOps<job::FuncOp>().empty() &&
      module.getOps<plan::ProgramOp>().empty())
    return emitError(module.getLoc(),
                     "expects at least one job.func in the outermost module "
                     "but got none");
  if (failed(verifyToolkit(module, options)))
    return failure();
  PipelineOptions pipelineOptions;
  setPipelineOptions(pipelineOptions, options);
  if (options.checkNumerics)
    nameOps(module);
  PassManager pm(module.getContext());
  buildRemainingPipelines(pm, module, pipelineOptions);
  if (failed(pm.run(module)))
    return failure();
  return writeArtifact(module, target, path);
}

LogicalResult job::compileToArtifact(ModuleOp module,
                                     const CompilerOptions &options,
                                     StringRef path) {
  FailureOr<TargetDescription> target =
      TargetDescription::create(module.getLoc(), options.cpu, options.features);
  if (failed(target))
    return failure();
  FailureOr<std::string> file = findOutputFile(module.getLoc(), path);
  return failed(file) ? failure() : compile(module, options, *target, *file);
}

//===----------------------------------------------------------------------===//
// The cache's folder
//===----------------------------------------------------------------------===//

/// The folder of the cache when the caller names none.
static std::string getDefaultCacheDirectory() {
  using llvm::sys::Process;
  if (std::optional<std::string> folder = Process::GetEnv("JOBMLIR_CACHE_DIR"))
    if (!folder->empty())
      return *folder;
  SmallString<128> path;
  std::optional<std::string> xdg = Process::GetEnv("XDG_CACHE_HOME");
  if (xdg && llvm::sys::path::is_absolute(*xdg)) {
    path = *xdg;
    llvm::sys::path::append(path, "jobmlir");
  } else if (llvm::sys::path::home_directory(path)) {
    llvm::sys::path::append(path, ".cache", "jobmlir");
  } else {
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/false, path);
    llvm::sys::path::append(path, "jobmlir-" + Twine(::geteuid()));
  }
  return std::string(path);
}

/// Makes the folder when it is missing. Code is loaded from it, so no other
/// user may write there.
static LogicalResult prepareCacheDirectory(Location loc, StringRef folder) {
  using namespace llvm::sys::fs;
  file_status status;
  std::error_code code =
      create_directories(folder, /*IgnoreExisting=*/true, perms::owner_all);
  if (!code)
    code = llvm::sys::fs::status(folder, status);
  if (!code && !is_directory(status))
    code = std::make_error_code(std::errc::not_a_directory);
  if (code)
    return emitError(loc) << "cannot use the cache folder '" << folder
                          << "': " << describeSystemError(code);
  if (status.getUser() != ::geteuid())
    return emitError(loc) << "expects a cache folder of user " << ::geteuid()
                          << " but got '" << folder << "' of user "
                          << status.getUser();
  if (status.permissions() & (perms::group_write | perms::others_write)) {
    std::string mode;
    llvm::raw_string_ostream(mode) << llvm::format("%o", status.permissions());
    return emitError(loc) << "expects a cache folder that only its owner may "
                             "write but got '"
                          << folder << "' of mode " << mode;
  }
  return success();
}

/// Removes what was not used for long, and what was used least if there is too
/// much of it. Other processes may do the same; an artifact that one has loaded
/// stays in its memory.
static LogicalResult pruneCacheDirectory(Location loc, StringRef folder) {
  std::string text = kCachePolicy.str();
  std::optional<std::string> wanted =
      llvm::sys::Process::GetEnv("JOBMLIR_CACHE_POLICY");
  if (wanted && !wanted->empty())
    text += ":" + *wanted;
  auto policy = llvm::parseCachePruningPolicy(text);
  if (!policy)
    return emitError(loc) << "expects a pruning policy of LLVM in "
                             "JOBMLIR_CACHE_POLICY but got '"
                          << *wanted
                          << "': " << llvm::toString(policy.takeError());
  llvm::pruneCache(folder, *policy);
  return success();
}

/// Tells pruning that an artifact is in use, where reading does not.
static void noteUse(StringRef path) {
  if (llvm::Expected<llvm::sys::fs::file_t> file =
          llvm::sys::fs::openNativeFileForRead(path,
                                               llvm::sys::fs::OF_UpdateAtime))
    llvm::sys::fs::closeFile(*file);
  else
    llvm::consumeError(file.takeError());
}

//===----------------------------------------------------------------------===//
// The cache's key
//===----------------------------------------------------------------------===//

/// Tells files apart without reading them: size and time of the last change.
static std::string getFileIdentity(const Twine &path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return "";
  return std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

/// Tells this build of the compiler from another one of the same version: the
/// file that its code was loaded from.
static std::string getBuildIdentity() {
  Dl_info info;
  link_map *object = nullptr;
  if (!dladdr1(reinterpret_cast<void *>(&getBuildIdentity), &info,
               reinterpret_cast<void **>(&object), RTLD_DL_LINKMAP))
    return "";
  // The program itself has no name there; the one that it was started by need
  // not lead to it.
  const char *path = *object->l_name ? object->l_name : "/proc/self/exe";
  return getFileIdentity(path);
}

/// What makes the code for GPUs: an artifact without such code is the same
/// whatever toolkit PATH leads to.
static std::string getAssemblerIdentity(ModuleOp module,
                                        const CompilerOptions &options) {
  if (findAssembledTarget(module, options).empty())
    return "";
  std::string toolkit = findCUDAToolkit();
  return toolkit + " " + getFileIdentity(toolkit + "/bin/ptxas");
}

/// SHA-256, in hexadecimal, of everything that an artifact depends on.
static std::string getCacheKey(ModuleOp module, const CompilerOptions &options,
                               const TargetDescription &target) {
  static const std::string identity = getBuildIdentity();
  std::string text;
  llvm::raw_string_ostream stream(text);
  // One part a line; what a user writes cannot contain a newline unless the
  // module's text follows it.
  stream << getCompilerVersion() << "\n"
         << identity << "\n"
         << target.triple << "\n"
         << target.cpu << "\n"
         << target.features << "\n"
         << options.simplify << options.fuse << options.schedule
         << options.inPlace << options.epilogues << options.joinLaunches
         << options.queues << "\n"
         << options.layouts << options.checkNumerics << "\n"
         << options.packing << "\n"
         << options.memoryBudget << "\n"
         << options.precision << options.tf32 << "\n"
         << llvm::join(target.callFeatures, ",") << "\n"
         << options.device << "\n"
         << llvm::join(options.gpuTargets, ",") << "\n"
         << getAssemblerIdentity(module, options) << "\n";
  module.print(stream, OpPrintingFlags().enableDebugInfo());
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

FailureOr<std::string> job::compileThroughCache(ModuleOp module,
                                                const CompilerOptions &options,
                                                StringRef cacheDirectory) {
  FailureOr<TargetDescription> target =
      TargetDescription::create(module.getLoc(), options.cpu, options.features);
  if (failed(target))
    return failure();
  SmallString<128> path(cacheDirectory.empty() ? getDefaultCacheDirectory()
                                               : cacheDirectory.str());
  // The caller need not know the folder that an error is about.
  ScopedDiagnosticHandler addNote(
      module.getContext(),
      [&, folder = path.str().str()](Diagnostic &diagnostic) {
        if (cacheDirectory.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            StringRef(diagnostic.str()).contains("'" + folder))
          diagnostic.attachNote()
              << "set the environment variable JOBMLIR_CACHE_DIR for another "
                 "folder of compiled jobs";
        return failure();
      });
  if (failed(prepareCacheDirectory(module.getLoc(), path)))
    return failure();
  std::string folder(path);
  // Pruning touches files with this prefix only.
  llvm::sys::path::append(
      path, "llvmcache-" + getCacheKey(module, options, *target) + ".so");
  // A damaged file is compiled again; so is every one if remarks about its
  // compilation are requested.
  if (!module.getContext()->getRemarkEngine() && isIntactArtifact(path)) {
    noteUse(path);
    return std::string(path);
  }
  // Before the artifact is there, which may exceed all limits by itself.
  if (failed(pruneCacheDirectory(module.getLoc(), folder)))
    return failure();
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(compile(*copy, options, *target, path)))
    return failure();
  return std::string(path);
}

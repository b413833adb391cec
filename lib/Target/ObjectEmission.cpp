//===- ObjectEmission.cpp - From the LLVM dialect to objects --------------===//

#include "ObjectEmission.h"

#include "Partition.h"
#include "SplitMaskedLoads.h"

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Target/CodeObjects.h"
#include "jobrt/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace mlir;
using namespace mlir::job;

/// Operations of the LLVM dialect that are worth a part of their own: setting
/// LLVM up takes a millisecond.
static constexpr unsigned kMinPartOps = 1000;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The elements' bytes in memory when the attribute holds them as they are.
static std::optional<ArrayRef<char>> getRawData(ElementsAttr elements) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    if (!dense.isSplat() && !dense.getElementType().isInteger(1))
      return dense.getRawData();
  return std::nullopt;
}

/// Writes the elements in row-major order, little endian, an i1 as one byte.
static LogicalResult writeElements(plan::ConstantOp op,
                                   MutableArrayRef<char> out) {
  ElementsAttr elements = op.getValue();
  Type type = elements.getElementType();
  if (std::optional<ArrayRef<char>> raw = getRawData(elements)) {
    if (raw->size() != out.size())
      return op.emitError() << "expects data of " << out.size()
                            << " bytes but got " << raw->size();
    llvm::copy(*raw, out.begin());
    return success();
  }
  unsigned bytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  char *position = out.data();
  auto write = [&](uint64_t bits) {
    for (unsigned i = 0; i < bytes; ++i)
      *position++ = char(bits >> (8 * i));
  };
  if (auto values = elements.tryGetValues<APFloat>()) {
    for (const APFloat &value : *values)
      write(value.bitcastToAPInt().getZExtValue());
    return success();
  }
  if (auto values = elements.tryGetValues<APInt>()) {
    for (const APInt &value : *values)
      write(value.getZExtValue());
    return success();
  }
  // For example a resource that the text names and does not hold.
  return op.emitError() << "expects data but got none";
}

/// The constant section, up to a multiple of the alignment.
static FailureOr<std::vector<char>> buildConstants(ModuleOp module) {
  std::vector<char> section;
  for (auto op : module.getOps<plan::ConstantOp>()) {
    if (!op.getOffset())
      return op.emitError() << "expects a constant with an offset but got none";
    ShapedType type = op.getValue().getShapedType();
    uint64_t begin = *op.getOffset();
    uint64_t bytes = type.getNumElements() *
                     llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    if (section.size() < begin + bytes)
      section.resize(llvm::alignTo(begin + bytes, JOBRT_ALIGNMENT));
    if (failed(writeElements(
            op, MutableArrayRef<char>(section).slice(begin, bytes))))
      return failure();
  }
  return section;
}

/// A global with the bytes, aligned for any use.
static void addBytes(llvm::Module &module, StringRef symbol, StringRef bytes) {
  llvm::Constant *data = llvm::ConstantDataArray::getRaw(
      bytes, bytes.size(), llvm::Type::getInt8Ty(module.getContext()));
  auto *global = new llvm::GlobalVariable(
      module, data->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, data, symbol);
  global->setAlignment(llvm::Align(JOBRT_ALIGNMENT));
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// Ops of the LLVM dialect as LLVM IR.
static std::unique_ptr<llvm::Module>
translate(Location loc, ArrayRef<Operation *> ops, llvm::LLVMContext &context) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(kernels->getBody());
  for (Operation *op : ops)
    builder.clone(*op);
  return translateModuleToLLVMIR(*kernels, context, "jobmlir");
}

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const TargetDescription &target) {
  llvm::Triple triple(target.triple);
  std::string error;
  const llvm::Target *machine =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!machine)
    return nullptr;
  llvm::TargetOptions options;
  // A product and a sum are never fused on LLVM's own account: it would change
  // bits with the optimization level.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  options.FunctionSections = options.DataSections = true;
  return std::unique_ptr<llvm::TargetMachine>(machine->createTargetMachine(
      triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static bool isExported(StringRef symbol) {
  return symbol.starts_with(JOBRT_KERNEL_PREFIX) ||
         symbol.starts_with(JOBRT_CODE_PREFIX) ||
         symbol == JOBRT_CONSTANTS_SYMBOL;
}

/// Everything but external symbols becomes local, and every function is for the
/// target.
static void finalize(llvm::Module &module, const TargetDescription &target,
                     llvm::TargetMachine &machine,
                     function_ref<bool(StringRef)> isExternal) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  bool hasAVX512 = llvm::is_contained(target.requiredFeatures, "avx512f");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(isExternal(function.getName())
                            ? llvm::GlobalValue::ExternalLinkage
                            : llvm::GlobalValue::InternalLinkage);
    function.setDoesNotThrow();
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    // LLVM prefers narrower vectors than the machine has for code that mixes
    // with scalars; kernels do not.
    if (hasAVX512)
      function.addFnAttr("prefer-vector-width", "512");
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration() && !isExternal(global.getName()))
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopInterleaving = tuning.LoopVectorization = true;
  tuning.SLPVectorization = tuning.LoopUnrolling = true;
  llvm::PassBuilder passes(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cycles;
  llvm::ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(cycles);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, cycles, modules);
  llvm::ModulePassManager pipeline =
      passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  pipeline.run(module, modules);
}

static ObjectFile emit(llvm::Module &module, llvm::TargetMachine &machine) {
  ObjectFile object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emission;
  // Every target that this machine's LLVM knows natively writes ELF.
  [[maybe_unused]] bool unsupported = machine.addPassesToEmitFile(
      emission, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  assert(!unsupported && "a target without object files");
  emission.run(module);
  return object;
}

namespace {
/// LLVM IR in a context of its own, so that a thread of its own can compile it.
struct Part {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  ObjectFile object;
};
} // namespace

/// Takes the part's LLVM IR to its object.
static void compile(Part &part, const TargetDescription &target,
                    function_ref<bool(StringRef)> isExternal) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  finalize(*part.module, target, *machine, isExternal);
  optimize(*part.module, *machine);
  splitMaskedLoads(*part.module, *machine);
  part.object = emit(*part.module, *machine);
  part.module.reset();
}

static LogicalResult checkTarget(Location loc,
                                 const TargetDescription &target) {
  if (createTargetMachine(target))
    return success();
  return emitError(loc) << "expects a target that LLVM generates code for but "
                           "got '"
                        << target.triple << "'";
}

FailureOr<ObjectFile> job::emitObject(Location loc, ArrayRef<Operation *> ops,
                                      function_ref<bool(StringRef)> isExternal,
                                      const TargetDescription &target) {
  Part part;
  if (failed(checkTarget(loc, target)) ||
      !(part.module = translate(loc, ops, part.context)))
    return failure();
  compile(part, target, isExternal);
  return std::move(part.object);
}

FailureOr<SmallVector<ObjectFile>>
job::emitObjects(ModuleOp module, const TargetDescription &target) {
  FailureOr<std::vector<char>> constants = buildConstants(module);
  if (failed(constants))
    return failure();
  if (failed(checkTarget(module.getLoc(), target)))
    return failure();
  SmallVector<ModulePart> partition = partitionModule(module, kMinPartOps);
  // The data, first, is with no kernel.
  partition.insert(partition.begin(), ModulePart());
  std::vector<Part> parts(partition.size());
  // Translation may ask MLIR's context for attributes and is quick.
  for (auto [part, ops] : llvm::zip_equal(parts, partition)) {
    part.module = translate(module.getLoc(), ops, part.context);
    if (!part.module)
      return failure();
  }
  if (!constants->empty())
    addBytes(*parts.front().module, JOBRT_CONSTANTS_SYMBOL,
             StringRef(constants->data(), constants->size()));
  for (auto [index, object] : llvm::enumerate(getCodeObjects(module)))
    addBytes(*parts.front().module, (JOBRT_CODE_PREFIX + Twine(index)).str(),
             object.getObject().getValue());
  parallelForEach(module.getContext(), parts,
                  [&](Part &part) { compile(part, target, isExported); });
  return llvm::map_to_vector(parts,
                             [](Part &part) { return std::move(part.object); });
}

//===- ObjectEmission.cpp - From the LLVM dialect to an object ------------===//

#include "ObjectEmission.h"

#include "JobDialect/Plan/PlanDialect.h"
#include "jobrt/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/ExpandReductions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace mlir;
using namespace mlir::job;

/// Sums that a vectorized loop makes side by side: what LLVM takes for x86-64
/// where nothing in a loop speaks against it.
static constexpr unsigned kMaxInterleaving = 4;
/// Operations on floats of the loops where that pays: several exponentials,
/// say, side by side need more registers than there are.
static constexpr unsigned kMaxInterleavedArithmetic = 8;

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

static void addConstants(llvm::Module &module, ArrayRef<char> section) {
  if (section.empty())
    return;
  llvm::Constant *data = llvm::ConstantDataArray::getRaw(
      StringRef(section.data(), section.size()), section.size(),
      llvm::Type::getInt8Ty(module.getContext()));
  auto *global = new llvm::GlobalVariable(
      module, data->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, data, JOBRT_CONSTANTS_SYMBOL);
  global->setAlignment(llvm::Align(JOBRT_ALIGNMENT));
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// The module's ops of the LLVM dialect as LLVM IR.
static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               llvm::LLVMContext &context) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(kernels->getBody());
  for (Operation &op : *module.getBody())
    if (isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()))
      builder.clone(op);
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

/// Everything but kernels and constants becomes local, and every function is
/// for the target.
static void finalize(llvm::Module &module, const TargetDescription &target,
                     llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  bool hasAVX512 = llvm::is_contained(target.requiredFeatures, "avx512f");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(function.getName().starts_with(JOBRT_KERNEL_PREFIX)
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
    if (!global.isDeclaration() && global.getName() != JOBRT_CONSTANTS_SYMBOL)
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// Whether the order of a sum's terms is free, and what the terms are.
static llvm::Type *getTermsOfSum(const llvm::Instruction &instruction) {
  if (!isa<llvm::FPMathOperator>(instruction) || !instruction.hasAllowReassoc())
    return nullptr;
  return instruction.getType()->getScalarType();
}

/// The terms of a sum that a loop makes in a register; null without one.
static llvm::Type *getTermsOfSum(const llvm::Loop &loop) {
  for (llvm::PHINode &phi : loop.getHeader()->phis())
    for (auto [value, block] : llvm::zip(phi.incoming_values(), phi.blocks()))
      if (auto *next = dyn_cast<llvm::Instruction>(value);
          next && loop.contains(block))
        if (llvm::Type *terms = getTermsOfSum(*next))
          return terms;
  return nullptr;
}

static unsigned countArithmetic(const llvm::Loop &loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    count += llvm::count_if(*block, [](const llvm::Instruction &instruction) {
      return isa<llvm::BinaryOperator, llvm::CallBase>(instruction) &&
             isa<llvm::FPMathOperator>(instruction);
    });
  return count;
}

namespace {
/// Says how many sums the vectorizer makes side by side, from the trip counts
/// and the arithmetic of loops with one. By itself it looks at all that the
/// loops do, so that a kernel that overwrites one of its inputs would add in
/// another order than one that does not. Runs right before it: loops that add
/// in memory, row by row, have no order to fix.
struct FixInterleaving : llvm::PassInfoMixin<FixInterleaving> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &functions);
};
} // namespace

llvm::PreservedAnalyses
FixInterleaving::run(llvm::Function &function,
                     llvm::FunctionAnalysisManager &functions) {
  uint64_t vectorBits =
      functions.getResult<llvm::TargetIRAnalysis>(function)
          .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  auto &loops = functions.getResult<llvm::LoopAnalysis>(function);
  auto &evolution =
      functions.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::Type *terms = getTermsOfSum(*loop);
    if (!terms)
      continue;
    uint64_t lanes = vectorBits / terms->getPrimitiveSizeInBits();
    uint64_t trips = evolution.getSmallConstantTripCount(loop);
    unsigned count = countArithmetic(*loop) <= kMaxInterleavedArithmetic
                         ? kMaxInterleaving
                         : 1;
    while (trips && count > 1 && count * lanes > trips)
      count /= 2;
    llvm::addStringMetadataToLoop(loop, "llvm.loop.interleave.count", count);
  }
  return llvm::PreservedAnalyses::all();
}

/// Fixes the order of the terms of sums for good: the code generator would
/// choose again, by the latencies of what happens to stand around a sum. Calls
/// keep their flags: a reduction that was not expanded is a tree with them and
/// a chain without.
static void fixOrderOfSums(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (getTermsOfSum(instruction) && !isa<llvm::CallBase>(instruction))
        instruction.copyFastMathFlags(llvm::FastMathFlags());
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
  passes.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &pipeline, llvm::OptimizationLevel) {
        pipeline.addPass(FixInterleaving());
      });
  llvm::ModulePassManager pipeline =
      passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  pipeline.addPass(
      llvm::createModuleToFunctionPassAdaptor(llvm::ExpandReductionsPass()));
  pipeline.run(module, modules);
  fixOrderOfSums(module);
}

FailureOr<SmallVector<char, 0>>
job::emitObject(ModuleOp module, const TargetDescription &target) {
  FailureOr<std::vector<char>> constants = buildConstants(module);
  if (failed(constants))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translate(module, context);
  if (!llvmModule)
    return failure();
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  if (!machine)
    return module.emitError()
           << "expects a target that LLVM generates code for but got '"
           << target.triple << "'";
  addConstants(*llvmModule, *constants);
  finalize(*llvmModule, target, *machine);
  optimize(*llvmModule, *machine);

  SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emission;
  // Every target that this machine's LLVM knows natively writes ELF.
  [[maybe_unused]] bool unsupported = machine->addPassesToEmitFile(
      emission, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  assert(!unsupported && "a target without object files");
  emission.run(*llvmModule);
  return object;
}

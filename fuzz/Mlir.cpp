//===- Mlir.cpp - Fuzzes the compiler with module text --------------------===//
//
// Text that parses and verifies is printed and parsed again, and then goes
// through the train and the plan pipeline. Every pass leaves a module that
// verifies.
//
// The input is parsed with our two dialects alone, so that faults of MLIR's own
// dialects do not end the run; the pipelines have all dialects. Modules with
// many ops or large blobs end after parsing: what a compile costs grows with
// the sizes that the text asks for.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "fuzz/Require.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <optional>

using namespace mlir;

static constexpr int64_t kMaxElements = 1 << 14;
static constexpr int64_t kMaxOps = 100;

namespace {

/// A context that renders what is said in it and throws it away. It is made
/// anew now and then, since types and attributes stay in it for good.
class Context {
public:
  explicit Context(void (*registerDialects)(DialectRegistry &))
      : registerDialects(registerDialects) {}

  MLIRContext &get() {
    if (++uses > 500)
      context.reset();
    if (!context) {
      DialectRegistry registry;
      registerDialects(registry);
      context.emplace(registry, MLIRContext::Threading::DISABLED);
      context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
        REQUIRE(!diagnostic.str().empty());
        return success();
      });
      uses = 0;
    }
    return *context;
  }

private:
  void (*registerDialects)(DialectRegistry &);
  std::optional<MLIRContext> context;
  int uses = 0;
};

/// Ends the process when a pass leaves what does not verify.
class VerifyAfterPass : public PassInstrumentation {
  void runAfterPass(Pass *pass, Operation *op) override {
    if (succeeded(verify(op)))
      return;
    llvm::errs() << "after pass " << pass->getName() << ":\n" << *op << "\n";
    REQUIRE(!"a pass leaves a module that verifies");
  }
};

} // namespace

static bool isSmall(Type type, int64_t &elements) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return true;
  // The verifier bounds a single blob far from overflow.
  return shaped.getNumElements() <= kMaxElements &&
         (elements += shaped.getNumElements()) <= kMaxElements;
}

static bool isSmall(ModuleOp module) {
  int64_t ops = 0, elements = 0;
  return !module
              .walk([&](Operation *op) {
                bool small = ++ops <= kMaxOps;
                for (Value result : op->getResults())
                  small = small && isSmall(result.getType(), elements);
                for (Region &region : op->getRegions())
                  for (Block &block : region)
                    for (Value argument : block.getArguments())
                      small = small && isSmall(argument.getType(), elements);
                if (auto variable = dyn_cast<job::VariableOp>(op))
                  small = small && isSmall(variable.getType(), elements);
                return small ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static void runPipelines(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addInstrumentation(std::make_unique<VerifyAfterPass>());
  job::PipelineOptions options;
  job::buildTrainPipeline(pm, options);
  job::buildPlanPipeline(pm, options);
  (void)pm.run(module);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Context ours([](DialectRegistry &registry) {
    registry.insert<job::JobDialect, plan::PlanDialect>();
    plan::registerScheduleModels(registry);
  });
  static Context all(job::registerAllDialects);

  std::string text(reinterpret_cast<const char *>(data), size);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &ours.get());
  if (!module)
    return 0;
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  if (!isSmall(*module))
    return 0;

  OwningOpRef<ModuleOp> copy = parseSourceString<ModuleOp>(printed, &all.get());
  if (!copy)
    llvm::errs() << printed << "\n";
  REQUIRE(copy);
  runPipelines(*copy);
  return 0;
}

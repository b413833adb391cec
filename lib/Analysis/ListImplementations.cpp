//===- ListImplementations.cpp - How ops are computed ---------------------===//

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/Analysis/Passes.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Support/OutputFile.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/IR/IRMapping.h"

#include <set>

namespace mlir::job {
#define GEN_PASS_DEF_JOBLISTIMPLEMENTATIONS
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

/// An op that no target computes: the pass that replaces it, or what
/// convert-job-to-plan makes of it.
struct Replacement {
  StringLiteral op, how;
};

} // namespace

static constexpr Replacement kReplacements[] = {
    {"job.loss", "pass job-autodiff"},
    {"job.gradient", "pass job-autodiff"},
    {"job.update", "pass job-optimizer"},
    {"job.minimize", "pass job-optimizer"},
    {"job.step", "pass job-step-counter"},
    {"job.unpack", "pass job-form-micro-steps"},
    {"job.broadcast_micro_steps", "pass job-form-micro-steps"},
    {"job.acc", "pass job-form-micro-steps"},
    {"job.pack", "pass job-form-micro-steps"},
    {"job.custom_gradient", "pass job-decompose"},
    {"job.func", "plan plan.program"},
    {"job.return", "plan plan.return"},
    {"job.variable", "plan plan.variable"},
    {"job.read", "plan plan.get_variable"},
    {"job.assign", "plan plan.get_variable"},
    {"job.reshape", "plan plan.view"},
    {"job.constant", "plan plan.constant"},
    {"job.kernel", "plan plan.executable"},
    {"job.transfer", "plan plan.copy"},
    {"job.host_call", "plan plan.host_call"},
    {"job.micro_steps", "plan plan.repeat"},
    {"job.yield", "plan plan.repeat"}};

namespace {

struct JobListImplementations
    : public job::impl::JobListImplementationsBase<JobListImplementations> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (name.getDialectNamespace() == JobDialect::getDialectNamespace())
        listKind(name);
    getOperation().walk([&](Operation *op) {
      if (auto decomposable = dyn_cast<DecomposableOpInterface>(op))
        listParts(decomposable);
      if (auto call = dyn_cast<LibraryCallOpInterface>(op))
        listFunctions(call);
    });
    std::string text;
    for (const std::string &line : lines)
      text += line + '\n';
    if (failed(writeOutputFile(getOperation().getLoc(), output, text)))
      return signalPassFailure();
  }

private:
  void add(StringRef op, StringRef how) {
    lines.insert((op + " " + how).str());
  }
  void addForAll(StringRef op, StringRef how) {
    for (StringRef target : {kCPUTarget, kCUDATarget})
      add(op, (target + " " + how).str());
  }
  void listKind(RegisteredOperationName name);
  void listParts(DecomposableOpInterface op);
  void listFunctions(LibraryCallOpInterface op);

  std::set<std::string> lines;
};

} // namespace

/// What is the same for all instances of an op, from its interfaces.
void JobListImplementations::listKind(RegisteredOperationName name) {
  StringRef op = name.getStringRef();
  add(op, "op");
  if (name.hasInterface<ScalarKernelOpInterface>())
    addForAll(op, "elements");
  if (name.hasInterface<ReductionKernelOpInterface>())
    addForAll(op, "reduction");
  if (name.hasInterface<StridedReadOpInterface>())
    addForAll(op, "access");
  if (name.hasInterface<LoopKernelOpInterface>())
    addForAll(op, "loops");
  for (const Replacement &replacement : kReplacements)
    if (replacement.op == op)
      addForAll(op, replacement.how);
}

void JobListImplementations::listParts(DecomposableOpInterface op) {
  Block block;
  OpBuilder builder(&getContext());
  builder.setInsertionPointToEnd(&block);
  op.decompose(builder);
  for (Operation &part : block)
    addForAll(op->getName().getStringRef(),
              ("parts " + part.getName().getStringRef()).str());
  // In reverse order: a part uses those before it.
  while (!block.empty())
    block.back().erase();
}

/// The functions for each type of floats, of which the module may have one
/// only.
void JobListImplementations::listFunctions(LibraryCallOpInterface op) {
  Builder builder(&getContext());
  for (Type element :
       {Type(builder.getF16Type()), Type(builder.getBF16Type()),
        Type(builder.getF32Type()), Type(builder.getF64Type())}) {
    auto convert = [&](Type type) -> Type {
      auto blob = cast<BlobType>(type);
      return isa<FloatType>(blob.getElementType())
                 ? blob.withElementType(element)
                 : blob;
    };
    Block block;
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand,
                  block.addArgument(convert(operand.getType()), op->getLoc()));
    Operation *copy = op->clone(mapping);
    block.push_back(copy);
    for (OpResult result : copy->getResults())
      result.setType(convert(result.getType()));
    for (StringRef target : {kCPUTarget, kCUDATarget})
      if (auto config = dyn_cast<plan::CallConfigAttrInterface>(
              chooseImplementation(cast<LibraryCallOpInterface>(copy), target)))
        add(op->getName().getStringRef(),
            (target + " library " + config.getCallee() + " " +
             getElementTypeName(element))
                .str());
  }
}

//===- TestModule.h - Modules and diagnostics for tests ---------*- C++ -*-===//

#ifndef JOBDIALECT_UNITTESTS_REFERENCE_TESTMODULE_H
#define JOBDIALECT_UNITTESTS_REFERENCE_TESTMODULE_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/Interpreter.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::job {

/// A context with the job dialect and its models, a module, and the text of the
/// errors since the last look.
class TestModule : public testing::Test {
protected:
  TestModule() : context(makeRegistry()) {
    context.loadDialect<JobDialect>();
    handler = context.getDiagEngine().registerHandler([this](Diagnostic &d) {
      errors += d.str() + "\n";
      return success();
    });
  }
  ~TestModule() override { context.getDiagEngine().eraseHandler(handler); }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << takeErrors();
  }

  std::string takeErrors() { return std::exchange(errors, {}); }

  ReferenceTensor floats(ArrayRef<double> values) {
    ReferenceTensor tensor(BlobType::get(static_cast<int64_t>(values.size()),
                                         Float32Type::get(&context)));
    tensor.getFloats().assign(values.begin(), values.end());
    return tensor;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<JobDialect>();
    registerInitializerModels(registry);
    registerOptimizerModels(registry);
    registerReferenceModels(registry);
    return registry;
  }

  DiagnosticEngine::HandlerID handler;
  std::string errors;
};

} // namespace mlir::job

#endif // JOBDIALECT_UNITTESTS_REFERENCE_TESTMODULE_H

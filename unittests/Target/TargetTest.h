//===- TargetTest.h - What tests of the back end share ----------*- C++ -*-===//

#ifndef JOBMLIR_UNITTESTS_TARGET_TARGETTEST_H
#define JOBMLIR_UNITTESTS_TARGET_TARGETTEST_H

#include "../TestFolder.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Target/Artifact.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include <gtest/gtest.h>

namespace mlir::job {

/// A context that collects diagnostics, and an empty folder.
class TargetTest : public testing::Test, protected TestFolder {
protected:
  TargetTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return success();
        }) {
    DialectRegistry registry;
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<plan::PlanDialect, LLVM::LLVMDialect>();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    return module;
  }

  Location getLoc() { return UnknownLoc::get(&context); }

  TargetDescription getNative() {
    auto target = TargetDescription::create(getLoc(), "native", "");
    EXPECT_TRUE(succeeded(target)) << messages;
    return *target;
  }

  MLIRContext context;
  /// Diagnostics so far, one a line.
  std::string messages;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::job

#endif // JOBMLIR_UNITTESTS_TARGET_TARGETTEST_H

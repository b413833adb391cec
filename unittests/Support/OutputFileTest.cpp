//===- OutputFileTest.cpp - Text that a user asked for --------------------===//

#include "JobDialect/Support/OutputFile.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace mlir;
using namespace mlir::job;

TEST(OutputFileTest, AnErrorLeavesNoPartialFile) {
  SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("output-file", path));
  std::string folder(path);
  llvm::sys::path::append(path, "x.txt");
  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  Location loc = UnknownLoc::get(&context);

  EXPECT_TRUE(succeeded(writeOutputFile(loc, path, "short")));
  auto text = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(text));
  EXPECT_EQ((*text)->getBuffer(), "short");

  // Files of at most 100 bytes.
  auto *signalHandler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit saved;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  rlimit limit = {100, saved.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  LogicalResult result = writeOutputFile(loc, path, std::string(200, 'x'));
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, signalHandler);
  EXPECT_TRUE(failed(result));
  EXPECT_EQ(message, ("cannot write '" + path + "': file too large").str());
  EXPECT_FALSE(llvm::sys::fs::exists(path));
  llvm::sys::fs::remove(folder);
}

//===- DrawSvgTest.cpp - How `dot` may behave -----------------------------===//

#include "JobDialect/Analysis/Graph.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::job;

namespace {

/// Puts a program `dot` on PATH, with nothing beside it.
class DrawSvgTest : public testing::Test {
protected:
  DrawSvgTest()
      : handler(&context,
                [&](Diagnostic &diagnostic) { message = diagnostic.str(); }) {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("draw-svg", folder));
    setenv("PATH", folder.c_str(), /*overwrite=*/1);
  }
  ~DrawSvgTest() override {
    setenv("PATH", path.c_str(), /*overwrite=*/1);
    llvm::sys::fs::remove_directories(folder);
  }

  void makeDot(StringRef script) {
    SmallString<128> file(folder);
    llvm::sys::path::append(file, "dot");
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << script;
    EXPECT_FALSE(error);
    EXPECT_FALSE(llvm::sys::fs::setPermissions(file, llvm::sys::fs::all_perms));
  }

  FailureOr<std::string> draw(unsigned seconds = 60) {
    return drawSvg("digraph {}\n", UnknownLoc::get(&context), seconds);
  }

  std::string message;

private:
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  std::string path = getenv("PATH");
  SmallString<128> folder;
};

} // namespace

TEST_F(DrawSvgTest, ItReadsTheTextAndWritesThePicture) {
  makeDot("#!/bin/sh\necho \"$@\"\nread line\necho \"$line\"\n");
  EXPECT_TRUE(hasDot());
  FailureOr<std::string> svg = draw();
  ASSERT_TRUE(succeeded(svg)) << message;
  EXPECT_EQ(*svg, "-Tsvg\ndigraph {}\n");
}

TEST_F(DrawSvgTest, ItIsMissing) {
  EXPECT_FALSE(hasDot());
  EXPECT_TRUE(failed(draw()));
  EXPECT_EQ(message, "expects Graphviz's program 'dot' on PATH");
}

TEST_F(DrawSvgTest, ItFails) {
  makeDot("#!/bin/sh\necho 'syntax error' >&2\nexit 3\n");
  EXPECT_TRUE(failed(draw()));
  EXPECT_TRUE(
      StringRef(message).ends_with("dot' failed with status 3: syntax error"))
      << message;
}

TEST_F(DrawSvgTest, ItDoesNotEnd) {
  makeDot("#!/bin/sh\nwhile :; do :; done\n");
  EXPECT_TRUE(failed(draw(/*seconds=*/1)));
  EXPECT_TRUE(StringRef(message).ends_with("dot' to end within 1 seconds"))
      << message;
}

//===- PartitionTest.cpp - Parts of a module to compile apart -------------===//

#include "Partition.h"

#include "ObjectEmission.h"
#include "TargetTest.h"

using namespace mlir;
using namespace mlir::job;

namespace {

class PartitionTest : public TargetTest {
protected:
  /// The names of the symbols in each part.
  std::vector<std::vector<std::string>> getNames(StringRef text,
                                                 unsigned minOps) {
    OwningOpRef<ModuleOp> module = parse(text);
    std::vector<std::vector<std::string>> names;
    for (const ModulePart &part : partitionModule(*module, minOps)) {
      names.emplace_back();
      for (Operation *op : part)
        names.back().push_back(SymbolTable::getSymbolName(op).str());
    }
    return names;
  }
};

using Names = std::vector<std::vector<std::string>>;

/// Two entry points of one kernel, one of another; both kernels refer to the
/// same table and to a function from outside, one of them to a counter.
constexpr StringLiteral kernelsText = R"mlir(
  llvm.func @sqrtf(f32) -> f32
  llvm.mlir.global internal constant @table(1.0 : f32) : f32
  llvm.mlir.global internal @counter(0 : i32) : i32
  llvm.func internal @a(%x: f32) -> f32 {
    %p = llvm.mlir.addressof @table : !llvm.ptr
    %0 = llvm.call @sqrtf(%x) : (f32) -> f32
    llvm.return %0 : f32
  }
  llvm.func @jobk_0(%x: f32) {
    %0 = llvm.call @a(%x) : (f32) -> f32
    llvm.return
  }
  llvm.func internal @b(%x: f32) -> f32 {
    %p = llvm.mlir.addressof @table : !llvm.ptr
    %q = llvm.mlir.addressof @counter : !llvm.ptr
    llvm.return %x : f32
  }
  llvm.func @jobk_1(%x: f32) {
    %0 = llvm.call @b(%x) : (f32) -> f32
    llvm.return
  }
  llvm.func @jobk_2(%x: f32) {
    %0 = llvm.call @a(%x) : (f32) -> f32
    llvm.return
  }
  plan.program @p kind predict {
    plan.return
  }
)mlir";

TEST_F(PartitionTest, DefinitionsStayTogether) {
  EXPECT_EQ(getNames(kernelsText, 1),
            (Names{{"table", "counter", "b", "jobk_1"},
                   {"sqrtf", "table", "a", "jobk_0", "jobk_2"}}));
}

TEST_F(PartitionTest, SmallPartsAreJoined) {
  EXPECT_EQ(getNames(kernelsText, 1000),
            (Names{{"sqrtf", "table", "counter", "a", "jobk_0", "b", "jobk_1",
                    "jobk_2"}}));
  EXPECT_EQ(getNames("", 1), Names());
}

/// Kernels enough for several parts: the same bytes with one thread and many.
TEST_F(PartitionTest, ThreadsChangeNothing) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (unsigned i = 0; i < 200; ++i) {
    stream << "llvm.func @jobk_" << i << "(%args: !llvm.ptr, %chunk: i64) {\n"
           << "  %p = llvm.load %args : !llvm.ptr -> !llvm.ptr\n"
           << "  %x0 = llvm.load %p : !llvm.ptr -> f32\n";
    for (unsigned j = 0; j < 20; ++j)
      stream << "  %x" << j + 1 << " = llvm.fmul %x" << j << ", %x0 : f32\n";
    stream << "  llvm.store %x20, %p : f32, !llvm.ptr\n  llvm.return\n}\n";
  }
  OwningOpRef<ModuleOp> module = parse(text);
  auto parallel = emitObjects(*module, getNative());
  ASSERT_TRUE(succeeded(parallel)) << messages;
  EXPECT_GT(parallel->size(), 2u);
  context.disableMultithreading();
  auto sequential = emitObjects(*module, getNative());
  ASSERT_TRUE(succeeded(sequential)) << messages;
  EXPECT_TRUE(*parallel == *sequential);
}

} // namespace

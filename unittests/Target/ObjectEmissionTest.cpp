//===- ObjectEmissionTest.cpp - From the LLVM dialect to a library --------===//

#include "ObjectEmission.h"
#include "Linker.h"
#include "TargetTest.h"
#include "jobrt/abi.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <dlfcn.h>
#include <thread>

using namespace mlir;
using namespace mlir::job;

namespace {

/// Adds two vectors of four through a function of its own, and calls memcpy on
/// the way; a program of the plan stands by and does not matter.
constexpr StringLiteral addText = R"mlir(
  llvm.mlir.global internal constant @one(1.0 : f32) : f32
  llvm.func @add(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) attributes {no_inline} {
    %0 = llvm.load %a : !llvm.ptr -> vector<4xf32>
    %1 = llvm.load %b : !llvm.ptr -> vector<4xf32>
    %2 = llvm.fadd %0, %1 : vector<4xf32>
    llvm.store %2, %c : vector<4xf32>, !llvm.ptr
    llvm.return
  }
  llvm.func @jobk_0(%args: !llvm.ptr, %chunk: i64) {
    %p1 = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %p2 = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %a = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %b = llvm.load %p1 : !llvm.ptr -> !llvm.ptr
    %c = llvm.load %p2 : !llvm.ptr -> !llvm.ptr
    llvm.call @add(%a, %b, %c) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    llvm.return
  }
  llvm.func @jobk_1(%args: !llvm.ptr, %chunk: i64) {
    %p1 = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %a = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %b = llvm.load %p1 : !llvm.ptr -> !llvm.ptr
    %bytes = llvm.mlir.constant(100000 : i64) : i64
    "llvm.intr.memcpy"(%b, %a, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    llvm.return
  }
  plan.constant @scale dense<[1.0, 2.0]> : tensor<2xf32> {offset = 0 : i64}
  plan.constant @mask dense<[true, false, true]> : tensor<3xi1> {offset = 64 : i64}
  plan.constant @same dense<-2> : tensor<5xi32> {offset = 128 : i64}
  plan.constant @text dense_resource<data> : tensor<2xi8> {offset = 192 : i64}
  plan.program @p kind predict {
    plan.return
  }
  {-# dialect_resources: {builtin: {data: "0x010000000709"}} #-}
)mlir";

class ObjectEmissionTest : public TargetTest {
protected:
  /// A library in memory from the text of a module.
  void *load(StringRef text, const TargetDescription &target) {
    OwningOpRef<ModuleOp> module = parse(text);
    auto objects = emitObjects(*module, target);
    EXPECT_TRUE(succeeded(objects)) << messages;
    if (failed(objects))
      return nullptr;
    auto linked = linkSharedObject(getLoc(), target, *objects);
    EXPECT_TRUE(succeeded(linked)) << messages;
    if (failed(linked))
      return nullptr;
    path = getPath("kernels.so");
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    stream.write(linked->data(), linked->size());
    stream.close();
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library) << dlerror();
    return library;
  }

  std::string path;
};

TEST_F(ObjectEmissionTest, CallsKernels) {
  void *library = load(addText, getNative());
  ASSERT_TRUE(library);
  auto add = reinterpret_cast<jobrt_kernel_fn>(dlsym(library, "jobk_0"));
  ASSERT_TRUE(add);
  alignas(64) float a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, c[4] = {};
  void *args[] = {a, b, c};
  add(args, 0);
  EXPECT_EQ(c[0], 11);
  EXPECT_EQ(c[3], 44);
  auto copy = reinterpret_cast<jobrt_kernel_fn>(dlsym(library, "jobk_1"));
  ASSERT_TRUE(copy);
  std::vector<char> from(100000, 'x'), to(100000);
  void *copyArgs[] = {from.data(), to.data()};
  copy(copyArgs, 0);
  EXPECT_EQ(from, to);
  dlclose(library);
}

TEST_F(ObjectEmissionTest, Constants) {
  void *library = load(addText, getNative());
  ASSERT_TRUE(library);
  auto *data =
      static_cast<const char *>(dlsym(library, JOBRT_CONSTANTS_SYMBOL));
  ASSERT_TRUE(data);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % JOBRT_ALIGNMENT, 0u);
  auto *scale = reinterpret_cast<const float *>(data);
  EXPECT_EQ(scale[0], 1);
  EXPECT_EQ(scale[1], 2);
  EXPECT_EQ(std::string(data + 64, 3), std::string("\1\0\1", 3));
  auto *same = reinterpret_cast<const int32_t *>(data + 128);
  EXPECT_EQ(same[0], -2);
  EXPECT_EQ(same[4], -2);
  EXPECT_EQ(std::string(data + 192, 2), "\x07\x09");
  dlclose(library);
}

TEST_F(ObjectEmissionTest, ExportsOnlyKernelsAndConstants) {
  void *library = load(addText, getNative());
  ASSERT_TRUE(library);
  dlclose(library);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(buffer);
  auto file = llvm::object::ObjectFile::createELFObjectFile(**buffer);
  ASSERT_TRUE(bool(file));
  auto &elf = cast<llvm::object::ELFObjectFileBase>(**file);
  std::vector<std::string> names;
  for (llvm::object::ELFSymbolRef symbol : elf.getDynamicSymbolIterators())
    if (llvm::Expected<StringRef> name = symbol.getName(); name)
      names.push_back(name->str());
  llvm::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"jobk_0", "jobk_1",
                                             "jobmlir_constants", "memcpy"}));
}

TEST_F(ObjectEmissionTest, OtherProcessor) {
  // Only emitted and linked: this machine may not run it.
  auto target = TargetDescription::create(getLoc(), "x86-64", "");
  if (failed(target))
    GTEST_SKIP() << "processors of x86-64";
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    llvm.func @jobk_0(%args: !llvm.ptr, %chunk: i64) {
      %a = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %x = llvm.load %a : !llvm.ptr -> f32
      %y = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
      llvm.store %y, %a : f32, !llvm.ptr
      llvm.return
    })mlir");
  auto objects = emitObjects(*module, *target);
  ASSERT_TRUE(succeeded(objects));
  // Without an instruction the product and sum come from libm.
  auto linked = linkSharedObject(getLoc(), *target, *objects);
  ASSERT_TRUE(succeeded(linked)) << messages;
  StringRef bytes(linked->data(), linked->size());
  EXPECT_TRUE(bytes.contains("fmaf"));
  EXPECT_TRUE(bytes.contains("libm.so.6"));
  EXPECT_FALSE(bytes.contains("libc.so.6"));
}

TEST_F(ObjectEmissionTest, UnknownFunction) {
  TargetDescription target = getNative();
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    llvm.func @launch_rocket()
    llvm.func @jobk_0(%args: !llvm.ptr, %chunk: i64) {
      llvm.call @launch_rocket() : () -> ()
      llvm.return
    })mlir");
  auto objects = emitObjects(*module, target);
  ASSERT_TRUE(succeeded(objects));
  for (int i = 0; i < 2; ++i) {
    messages.clear();
    EXPECT_TRUE(failed(linkSharedObject(getLoc(), target, *objects)));
    EXPECT_NE(messages.find("cannot link the kernels: "), std::string::npos);
    EXPECT_NE(messages.find("undefined symbol: launch_rocket"),
              std::string::npos)
        << messages;
  }
  // A failure leaves the linker usable.
  void *library = load(addText, target);
  ASSERT_TRUE(library);
  dlclose(library);
}

/// Sets the folder of temporary files.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string &path) {
    if (const char *old = std::getenv("TMPDIR"))
      saved = old;
    setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryFolder() {
    if (saved)
      setenv("TMPDIR", saved->c_str(), 1);
    else
      unsetenv("TMPDIR");
  }

private:
  std::optional<std::string> saved;
};

TEST_F(ObjectEmissionTest, NoTemporaryFile) {
  TargetDescription target = getNative();
  TemporaryFolder folder(getPath("missing"));
  EXPECT_TRUE(failed(linkSharedObject(getLoc(), target, {})));
  EXPECT_NE(messages.find("cannot link the kernels: cannot make a temporary "
                          "file in '" +
                          getPath("missing") + "': no such file or directory"),
            std::string::npos)
      << messages;
}

TEST_F(ObjectEmissionTest, LeavesNoFiles) {
  TargetDescription target = getNative();
  std::string path = getPath("temporary");
  ASSERT_FALSE(llvm::sys::fs::create_directory(path));
  TemporaryFolder folder(path);
  EXPECT_TRUE(succeeded(linkSharedObject(getLoc(), target, {})));
  SmallVector<char, 0> broken = {'x'};
  EXPECT_TRUE(failed(linkSharedObject(getLoc(), target, {broken})));
  std::error_code code;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(path, code),
            llvm::sys::fs::directory_iterator());
  EXPECT_FALSE(code);
}

TEST_F(ObjectEmissionTest, ConcurrentLinks) {
  TargetDescription target = getNative();
  OwningOpRef<ModuleOp> module = parse(addText);
  auto objects = emitObjects(*module, target);
  ASSERT_TRUE(succeeded(objects));
  std::vector<std::thread> threads;
  std::atomic<int> linked = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      linked += succeeded(linkSharedObject(getLoc(), target, *objects));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(linked, 4) << messages;
}

TEST_F(ObjectEmissionTest, Refused) {
  TargetDescription target = getNative();
  auto refuse = [&](StringRef text) {
    messages.clear();
    OwningOpRef<ModuleOp> module = parse(text);
    EXPECT_TRUE(failed(emitObjects(*module, target)));
    return messages;
  };
  EXPECT_EQ(refuse("plan.constant @c dense<1.0> : tensor<2xf32>"),
            "expects a constant with an offset but got none\n");
  EXPECT_EQ(refuse("plan.constant @c dense_resource<data> : tensor<2xf32> "
                   "{offset = 0 : i64}\n{-# dialect_resources: {builtin: "
                   "{data: \"0x0400000001020304\"}} #-}"),
            "expects data of 8 bytes but got 4\n");
  EXPECT_EQ(refuse("plan.constant @c dense_resource<missing> : tensor<2xf32> "
                   "{offset = 0 : i64}"),
            "expects data but got none\n");
  target.triple = "abacus-unknown-none";
  EXPECT_EQ(refuse(""), "expects a target that LLVM generates code for but got "
                        "'abacus-unknown-none'\n");
}

} // namespace

//===- CompilerTest.cpp - From a module to an artifact --------------------===//

#include "JobDialect/Pipelines/Compiler.h"
#include "../TestFolder.h"

#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Target/Artifact.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::job;
namespace fs = llvm::sys::fs;

namespace {

constexpr StringLiteral trainText = R"mlir(
  job.variable @weight : !job.blob<10x64xf32> init #job.random_uniform_init<min = -0.1, max = 0.1>
  job.func @train(%x: !job.blob<20x64xf32> {job.name = "images"}, %labels: !job.blob<20xi32> {job.name = "labels"}) -> !job.blob<20xf32> kind train {
    %w = job.read @weight : !job.blob<10x64xf32> loc("weight"("train.py":3:5))
    %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<20x64xf32>, !job.blob<10x64xf32> loc("dense"("train.py":4:5))
    %loss = job.sparse_softmax_cross_entropy %0, %labels : !job.blob<20x10xf32>, !job.blob<20xi32>
    job.loss %loss : !job.blob<20xf32>
    job.minimize #job.sgd schedule #job.constant_schedule<0.1>
    job.return %loss : !job.blob<20xf32>
  }
)mlir";

constexpr StringLiteral predictText = R"mlir(
  job.func @predict(%x: !job.blob<8xf32>) -> !job.blob<8xf32> kind predict {
    %0 = job.tanh %x : !job.blob<8xf32>
    job.return %0 : !job.blob<8xf32>
  }
)mlir";

/// Sets an environment variable (null: removes it) while it lives.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      saved = old;
    set(value);
  }
  ~ScopedVariable() { set(saved ? saved->c_str() : nullptr); }

private:
  void set(const char *value) {
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  const char *name;
  std::optional<std::string> saved;
};

class CompilerTest : public testing::Test, protected TestFolder {
protected:
  CompilerTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return success();
        }) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    return module;
  }
  std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, OpPrintingFlags().enableDebugInfo());
    return text;
  }

  uint64_t getInode(StringRef path) {
    fs::file_status status;
    EXPECT_FALSE(fs::status(path, status));
    return status.getUniqueID().getFile();
  }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
  CompilerOptions options;
};

//===----------------------------------------------------------------------===//
// selectGPUTarget
//===----------------------------------------------------------------------===//

TEST(SelectGPUTargetTest, Devices) {
  EXPECT_EQ(selectGPUTarget("sm_90"), "sm_90");
  EXPECT_EQ(selectGPUTarget("sm_87"), "sm_86");
  EXPECT_EQ(selectGPUTarget("sm_121"), "sm_120");
  // PTX for what is later than what has a target.
  EXPECT_EQ(selectGPUTarget("sm_110"), "compute_103");
  EXPECT_EQ(selectGPUTarget("sm_130"), "compute_120");
  EXPECT_EQ(selectGPUTarget("sm_75"), "sm_75");
  EXPECT_EQ(selectGPUTarget("compute_90"), "compute_90");
  EXPECT_EQ(selectGPUTarget("simulated"), "simulated");
}

//===----------------------------------------------------------------------===//
// compileToArtifact
//===----------------------------------------------------------------------===//

// A stage that was printed, read and started again ends in the same artifact.
TEST_F(CompilerTest, EveryStage) {
  for (StringRef text : {trainText, predictText}) {
    std::string stage = text.str();
    std::vector<std::string> artifacts;
    using Build = void (*)(OpPassManager &, const PipelineOptions &);
    const Build pipelines[] = {nullptr, buildTrainPipeline, buildPlanPipeline,
                               buildLowerPipeline};
    // The parser gives what has no location a place in the text, which is
    // another one in every stage.
    stage = print(*parse(stage));
    for (Build build : pipelines) {
      OwningOpRef<ModuleOp> module = parse(stage);
      if (build) {
        PassManager pm(&context);
        build(pm, PipelineOptions());
        ASSERT_TRUE(succeeded(pm.run(*module))) << messages;
        stage = print(*module);
        module = parse(stage);
      }
      std::string path = getPath("stage" + Twine(artifacts.size()) + ".so");
      ASSERT_TRUE(succeeded(compileToArtifact(*module, options, path)))
          << messages << stage;
      EXPECT_TRUE(isIntactArtifact(path));
      artifacts.push_back(read(path));
    }
    for (const std::string &artifact : artifacts)
      EXPECT_TRUE(artifact == artifacts.front());
  }
}

TEST_F(CompilerTest, Errors) {
  std::string path = getPath("a.so");
  OwningOpRef<ModuleOp> module = parse(predictText);
  options.cpu = "pentium-9000";
  EXPECT_TRUE(failed(compileToArtifact(*module, options, path)));
  EXPECT_EQ(messages,
            "expects a processor that LLVM knows but got 'pentium-9000'\n");
  EXPECT_TRUE(failed(compileThroughCache(*module, options, folder)));
  // Nothing is left of a compilation that fails.
  options = CompilerOptions();
  options.packing = "origami";
  EXPECT_TRUE(failed(compileToArtifact(*module, options, path)));
  EXPECT_TRUE(
      failed(compileThroughCache(*parse(predictText), options, folder)));
  // Of the cache there is the time of its last pruning.
  EXPECT_EQ(countFiles(folder), 1u);
  EXPECT_TRUE(fs::exists(getPath("llvmcache.timestamp")));
}

//===----------------------------------------------------------------------===//
// compileThroughCache
//===----------------------------------------------------------------------===//

TEST_F(CompilerTest, CacheHit) {
  OwningOpRef<ModuleOp> module = parse(trainText);
  std::string before = print(*module);
  auto path = compileThroughCache(*module, options, folder);
  ASSERT_TRUE(succeeded(path)) << messages;
  EXPECT_TRUE(isIntactArtifact(*path));
  EXPECT_TRUE(StringRef(*path).ends_with(".so"));
  StringRef name = llvm::sys::path::stem(*path);
  EXPECT_TRUE(name.consume_front("llvmcache-"));
  EXPECT_EQ(name.size(), 64u);
  EXPECT_EQ(print(*module), before);
  uint64_t inode = getInode(*path);
  auto again = compileThroughCache(*module, options, folder);
  ASSERT_TRUE(succeeded(again));
  EXPECT_EQ(*again, *path);
  EXPECT_EQ(getInode(*again), inode);
}

TEST_F(CompilerTest, CacheKey) {
  std::vector<std::string> paths;
  auto compile = [&](StringRef text, CompilerOptions options) {
    auto path = compileThroughCache(*parse(text), options, folder);
    EXPECT_TRUE(succeeded(path)) << messages;
    paths.push_back(succeeded(path) ? *path : "");
  };
  compile(predictText, options);
  CompilerOptions changed;
  changed.fuse = false;
  compile(predictText, changed);
  changed = CompilerOptions();
  changed.simplify = false;
  compile(predictText, changed);
  changed = CompilerOptions();
  changed.cpu = "x86-64";
  if (succeeded(TargetDescription::create(UnknownLoc::get(&context),
                                          changed.cpu, "")))
    compile(predictText, changed);
  // Another line of the user's is another artifact: messages name it.
  std::string moved = predictText.str();
  size_t at = moved.find("%0 = job.tanh %x : !job.blob<8xf32>");
  moved.insert(at + 35, " loc(\"other.py\":1:1)");
  compile(moved, options);
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(std::unique(paths.begin(), paths.end()), paths.end());
}

/// Makes a file look as if it was written and read so long ago.
static void setAge(StringRef path, std::chrono::hours age) {
  int file;
  ASSERT_FALSE(
      fs::openFileForReadWrite(path, file, fs::CD_OpenExisting, fs::OF_None));
  EXPECT_FALSE(fs::setLastAccessAndModificationTime(
      file, std::chrono::system_clock::now() - age));
  fs::file_t handle = file;
  EXPECT_FALSE(fs::closeFile(handle));
}

TEST_F(CompilerTest, CacheHitIsAUse) {
  auto path = compileThroughCache(*parse(predictText), options, folder);
  ASSERT_TRUE(succeeded(path)) << messages;
  auto old = std::chrono::system_clock::now() - std::chrono::hours(1);
  setAge(*path, std::chrono::hours(100));
  ASSERT_TRUE(
      succeeded(compileThroughCache(*parse(predictText), options, folder)));
  fs::file_status status;
  ASSERT_FALSE(fs::status(*path, status));
  EXPECT_GT(status.getLastAccessedTime(), old);
}

TEST_F(CompilerTest, CacheIsPruned) {
  setenv("JOBMLIR_CACHE_POLICY", "prune_interval=0s:cache_size_files=1", 1);
  std::vector<std::string> paths;
  for (bool simplify : {false, true})
    for (bool fuse : {false, true}) {
      options.simplify = simplify;
      options.fuse = fuse;
      auto path = compileThroughCache(*parse(predictText), options, folder);
      ASSERT_TRUE(succeeded(path)) << messages;
      EXPECT_TRUE(isIntactArtifact(*path));
      paths.push_back(*path);
    }
  // One is left by each pruning, before the next one is compiled.
  EXPECT_FALSE(fs::exists(paths[0]));
  EXPECT_FALSE(fs::exists(paths[1]));
  EXPECT_TRUE(fs::exists(paths[2]));
  // What a policy does not say stays: nothing here is 30 days old.
  setenv("JOBMLIR_CACHE_POLICY", "prune_interval=0s", 1);
  setAge(paths[3], std::chrono::hours(20 * 24));
  options.epilogues = false;
  ASSERT_TRUE(
      succeeded(compileThroughCache(*parse(predictText), options, folder)));
  EXPECT_TRUE(fs::exists(paths[3]));
  setAge(paths[3], std::chrono::hours(31 * 24));
  options.layouts = false;
  ASSERT_TRUE(
      succeeded(compileThroughCache(*parse(predictText), options, folder)));
  EXPECT_FALSE(fs::exists(paths[3]));
  setenv("JOBMLIR_CACHE_POLICY", "cache_size=7", 1);
  options.schedule = false;
  EXPECT_TRUE(
      failed(compileThroughCache(*parse(predictText), options, folder)));
  unsetenv("JOBMLIR_CACHE_POLICY");
  EXPECT_TRUE(StringRef(messages).starts_with(
      "expects a pruning policy of LLVM in JOBMLIR_CACHE_POLICY but got "
      "'cache_size=7': "))
      << messages;
}

TEST_F(CompilerTest, DamagedEntryIsRebuilt) {
  auto path = compileThroughCache(*parse(predictText), options, folder);
  ASSERT_TRUE(succeeded(path)) << messages;
  std::string whole = read(*path);
  for (StringRef damaged : {StringRef(whole).drop_back(1),
                            StringRef(whole).take_front(10), StringRef()}) {
    std::error_code code;
    fs::remove(*path);
    llvm::raw_fd_ostream(*path, code) << damaged;
    auto again = compileThroughCache(*parse(predictText), options, folder);
    ASSERT_TRUE(succeeded(again)) << messages;
    EXPECT_EQ(*again, *path);
    EXPECT_TRUE(read(*again) == whole);
  }
}

TEST_F(CompilerTest, CacheFolderIsPrivate) {
  std::string cache = getPath("a/b");
  auto path = compileThroughCache(*parse(predictText), options, cache);
  ASSERT_TRUE(succeeded(path)) << messages;
  struct stat status;
  ASSERT_EQ(stat(cache.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, mode_t(0700));

  for (mode_t mode : {0777, 0720, 0702}) {
    messages.clear();
    ASSERT_EQ(chmod(cache.c_str(), mode), 0);
    EXPECT_TRUE(
        failed(compileThroughCache(*parse(predictText), options, cache)));
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%o", unsigned(mode));
    EXPECT_EQ(messages, "expects a cache folder that only its owner may write "
                        "but got '" +
                            cache + "' of mode " + text + "\n");
  }
  ASSERT_EQ(chmod(cache.c_str(), 0755), 0);
  EXPECT_TRUE(
      succeeded(compileThroughCache(*parse(predictText), options, cache)));
}

TEST_F(CompilerTest, CacheFolderOfAnother) {
  if (geteuid() != 0)
    GTEST_SKIP() << "giving a folder away takes root";
  std::string cache = getPath("cache");
  ASSERT_FALSE(fs::create_directory(cache, true, fs::owner_all));
  ASSERT_EQ(chown(cache.c_str(), 12345, gid_t(-1)), 0);
  EXPECT_TRUE(failed(compileThroughCache(*parse(predictText), options, cache)));
  EXPECT_EQ(messages, "expects a cache folder of user 0 but got '" + cache +
                          "' of user 12345\n");
}

TEST_F(CompilerTest, CacheFolderIsAFile) {
  std::string cache = getPath("cache");
  std::error_code code;
  llvm::raw_fd_ostream(cache, code) << "x";
  EXPECT_TRUE(failed(compileThroughCache(*parse(predictText), options, cache)));
  EXPECT_NE(messages.find("cannot use the cache folder '" + cache + "': "),
            std::string::npos)
      << messages;
}

TEST_F(CompilerTest, CacheFolderOfTheEnvironment) {
  std::string own = getPath("own"), xdg = getPath("xdg"),
              home = getPath("home");
  auto expectParent = [&](StringRef parent) {
    auto path = compileThroughCache(*parse(predictText), options);
    ASSERT_TRUE(succeeded(path)) << messages;
    EXPECT_EQ(llvm::sys::path::parent_path(*path), parent);
  };
  ScopedVariable homeVariable("HOME", home.c_str());
  {
    ScopedVariable ownVariable("JOBMLIR_CACHE_DIR", own.c_str());
    ScopedVariable xdgVariable("XDG_CACHE_HOME", xdg.c_str());
    expectParent(own);
  }
  ScopedVariable ownVariable("JOBMLIR_CACHE_DIR", "");
  {
    ScopedVariable xdgVariable("XDG_CACHE_HOME", xdg.c_str());
    expectParent(xdg + "/jobmlir");
  }
  {
    // A relative one is to be ignored, says the standard.
    ScopedVariable xdgVariable("XDG_CACHE_HOME", "relative");
    expectParent(home + "/.cache/jobmlir");
  }
  ScopedVariable xdgVariable("XDG_CACHE_HOME", nullptr);
  expectParent(home + "/.cache/jobmlir");
}

} // namespace

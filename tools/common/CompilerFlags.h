//===- CompilerFlags.h - Options of everything that compiles ----*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_COMPILERFLAGS_H
#define JOBMLIR_TOOLS_COMMON_COMPILERFLAGS_H

#include "ExplainFlag.h"

#include "JobDialect/Pipelines/Compiler.h"
#include "JobDialect/Support/ByteCountParser.h"
#include "JobDialect/Support/MemoryPlanner.h"

#include "llvm/Support/CommandLine.h"

#include <functional>

namespace jobmlir {

/// Parses the name of a packing strategy: what is none should be an error of
/// the command line, not of the first job.
class PackingParser : public llvm::cl::parser<std::string> {
public:
  using llvm::cl::parser<std::string>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             std::string &strategy) {
    if (!mlir::job::symbolizePackingStrategy(text))
      return option.error("expects strategy best, size, conflicts, time or "
                          "none but got '" +
                          text + "'");
    strategy = text.str();
    return false;
  }
};

/// Parses how many queues of a GPU programs use.
class QueuesParser : public llvm::cl::parser<std::string> {
public:
  using llvm::cl::parser<std::string>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             std::string &queues) {
    if (!llvm::is_contained({"auto", "one", "two"}, text))
      return option.error("expects auto, one or two but got '" + text + "'");
    queues = text.str();
    return false;
  }
};

/// Parses the precision of jobs.
class PrecisionParser : public llvm::cl::parser<std::string> {
public:
  using llvm::cl::parser<std::string>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             std::string &precision) {
    if (!llvm::is_contained({"f32", "bf16", "f16"}, text))
      return option.error("expects f32, bf16 or f16 but got '" + text + "'");
    precision = text.str();
    return false;
  }
};

/// Parses the path of an option that has no default: an empty one, as from a
/// variable of the shell that is not set, is not the same as none.
class PathParser : public llvm::cl::parser<std::string> {
public:
  using llvm::cl::parser<std::string>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             std::string &path) {
    if (text.empty())
      return option.error("expects a path but got ''");
    path = text.str();
    return false;
  }
};

/// The name of the first of some options that the command line has; empty when
/// it has none of them.
inline llvm::StringRef
findGiven(std::initializer_list<std::reference_wrapper<const llvm::cl::Option>>
              options) {
  for (const llvm::cl::Option &option : options)
    if (option.getNumOccurrences() > 0)
      return option.ArgStr;
  return "";
}

/// The compiler's options as job-compile and job-run take them. LLVM's parser
/// keeps pointers to its options: make one that is static.
class CompilerFlags {
public:
  explicit CompilerFlags(llvm::cl::OptionCategory &category)
      : cpu("mcpu",
            llvm::cl::desc("Processor to compile for (default: native)"),
            llvm::cl::init("native"), llvm::cl::cat(category)),
        features("mattr",
                 llvm::cl::desc("Its features, as \"+avx512f,-amx-tile\""),
                 llvm::cl::cat(category)),
        simplify("simplify", llvm::cl::desc("Simplify the jobs"),
                 llvm::cl::init(true), llvm::cl::cat(category)),
        fuse("fuse", llvm::cl::desc("Group several ops into one kernel"),
             llvm::cl::init(true), llvm::cl::cat(category)),
        packing("packing", llvm::cl::desc("Strategy of plan-pack-memory"),
                llvm::cl::init("best"), llvm::cl::cat(category)),
        schedule("schedule",
                 llvm::cl::desc("Order ops for a lower peak of live bytes"),
                 llvm::cl::init(true), llvm::cl::cat(category)),
        inPlace("in-place", llvm::cl::desc("Let kernels overwrite dead inputs"),
                llvm::cl::init(true), llvm::cl::cat(category)),
        epilogues("epilogues",
                  llvm::cl::desc("Run kernels chunk by chunk after library "
                                 "calls"),
                  llvm::cl::init(true), llvm::cl::cat(category)),
        joinLaunches("join-launches",
                     llvm::cl::desc("On a GPU, run small kernels in the launch "
                                    "of another one"),
                     llvm::cl::init(true), llvm::cl::cat(category)),
        queues("queues",
               llvm::cl::desc("The queues that run the commands of a GPU: one, "
                              "two, or auto, two where that is faster by the "
                              "estimate of job-report-time (default: auto)"),
               llvm::cl::value_desc("number"), llvm::cl::init("auto"),
               llvm::cl::cat(category)),
        layouts("layouts",
                llvm::cl::desc("Store images with the channels last where "
                               "libraries are faster with them"),
                llvm::cl::init(true), llvm::cl::cat(category)),
        checkNumerics(
            "check-numerics",
            llvm::cl::desc("Stop a step at the first op that computes "
                           "a NaN or infinity"),
            llvm::cl::cat(category)),
        memoryBudget(
            "memory-budget",
            llvm::cl::desc(
                "Limit of a job's memory on each of its devices in bytes, such "
                "as 1048576 or 512M: "
                "arena, variables, constants, workspace and the staging of "
                "one call (a session with several calls in flight has one "
                "staging slot for each); blobs are recomputed instead of "
                "kept where needed"),
            llvm::cl::value_desc("bytes"), llvm::cl::init(0),
            llvm::cl::cat(category)),
        precision("precision",
                  llvm::cl::desc("The type that jobs compute in where it is "
                                 "safe: f32, bf16 or f16 (default: f32)"),
                  llvm::cl::value_desc("type"), llvm::cl::init("f32"),
                  llvm::cl::cat(category)),
        tf32("tf32",
             llvm::cl::desc("On a GPU, let libraries round the factors of "
                            "products of f32 to TF32"),
             llvm::cl::cat(category)),
        gpuTargets("gpu-target",
                   llvm::cl::desc(
                       "GPUs to compile for: sm_90, compute_90 (PTX), "
                       "simulated, ... (default: sm_90, in job-run the "
                       "device)"),
                   llvm::cl::value_desc("target"), llvm::cl::CommaSeparated,
                   llvm::cl::cat(category)),
        explain(category) {}

  /// What the command line said.
  mlir::job::CompilerOptions get() const {
    mlir::job::CompilerOptions options{
        cpu,      features,      simplify,     fuse,         packing,
        schedule, inPlace,       epilogues,    joinLaunches, queues,
        layouts,  checkNumerics, memoryBudget, precision,    tf32};
    if (!gpuTargets.empty())
      options.gpuTargets.assign(gpuTargets.begin(), gpuTargets.end());
    // Who names a GPU wants code for it.
    if (!gpuTargets.empty())
      options.device = "gpu";
    return options;
  }
  bool hasGPUTargets() const { return !gpuTargets.empty(); }
  std::vector<mlir::job::ExplainCategory> getExplained() const {
    return explain.get();
  }
  /// The name of an option that the command line has, empty when it has none
  /// of them.
  llvm::StringRef getGiven() const {
    return findGiven({cpu, features, simplify, fuse, packing, schedule, inPlace,
                      epilogues, joinLaunches, queues, layouts, checkNumerics,
                      memoryBudget, precision, tf32, gpuTargets,
                      explain.getOption()});
  }

private:
  llvm::cl::opt<std::string> cpu, features;
  llvm::cl::opt<bool> simplify, fuse;
  llvm::cl::opt<std::string, false, PackingParser> packing;
  llvm::cl::opt<bool> schedule, inPlace, epilogues, joinLaunches;
  llvm::cl::opt<std::string, false, QueuesParser> queues;
  llvm::cl::opt<bool> layouts, checkNumerics;
  llvm::cl::opt<int64_t, false, mlir::job::ByteCountParser> memoryBudget;
  llvm::cl::opt<std::string, false, PrecisionParser> precision;
  llvm::cl::opt<bool> tf32;
  llvm::cl::list<std::string> gpuTargets;
  ExplainFlag explain;
};

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_COMPILERFLAGS_H

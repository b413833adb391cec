//===- Builder.h - Building a module of the job dialect ---------*- C++ -*-===//
//
// A generic builder: ops are named by text and their result types inferred by
// the dialect, so that a new op needs no code here. A ModuleBuilder and
// everything made by it belong to one thread at a time.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_PYTHON_BUILDER_H
#define JOBMLIR_PYTHON_BUILDER_H

#include "Diagnostics.h"

#include "JobDialect/Analysis/MemoryReport.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Pipelines/Compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <memory>
#include <optional>
#include <variant>

namespace jobmlir {

/// An attribute in MLIR's syntax, for the kinds that have no Python value.
struct AttributeText {
  std::string text;
};

/// Becomes BoolAttr, I64Attr, F64Attr, StrAttr, DenseI64ArrayAttr, or whatever
/// the text says.
using AttributeValue = std::variant<bool, int64_t, double, std::string,
                                    std::vector<int64_t>, AttributeText>;
using AttributeList = std::vector<std::pair<std::string, AttributeValue>>;

/// Shape and element type ("f32") of a blob.
struct BlobSpec {
  std::vector<int64_t> shape;
  std::string dtype;
};

BlobSpec describe(mlir::Value value);

/// The inputs and outputs of a kernel that a user has written, as MLIR text;
/// see Conversion/LinalgToJob.h. Places in errors are of the file "kernel".
std::pair<std::vector<BlobSpec>, std::vector<BlobSpec>>
checkKernel(const std::string &text);

class FunctionBuilder;

/// A module and the context that it lives in. Functions throw DiagnosticError.
class ModuleBuilder {
public:
  ModuleBuilder();
  ModuleBuilder(const ModuleBuilder &) = delete;

  /// Appends an op without operands to the module itself.
  void create(const std::string &op, const AttributeList &attributes,
              const std::string &name, const std::vector<Frame> &frames);
  /// Erases all variables.
  void eraseVariables();

  /// Appends a job function. `kind` is "train" or "predict"; arguments are
  /// pairs of user-visible name and blob.
  std::unique_ptr<FunctionBuilder>
  createFunction(const std::string &name, const std::string &kind,
                 const std::vector<std::pair<std::string, BlobSpec>> &arguments,
                 const std::vector<Frame> &frames);

  /// Places the function of that name on the device `index` of machine 0, of
  /// the kind "cpu" or "gpu".
  void place(const std::string &function, const std::string &device,
             uint32_t index);
  /// Keeps gradients in the function of that name away from a variable, which
  /// other functions may train.
  void freeze(const std::string &function, const std::string &variable);

  void verify();
  std::string print(bool locations) const;
  /// A copy of the module as it is after `stage`: "job" (as built), "train",
  /// "plan" or "lower".
  std::string printStage(const std::string &stage, bool locations);
  /// An SVG picture of a stage and true, or without Graphviz its DOT text and
  /// false, see Analysis/Graph.h.
  std::pair<std::string, bool>
  drawStage(const std::string &stage, const std::string &entry, bool updates);
  /// The memory of all jobs as text or as a page, see Analysis/MemoryReport.h.
  std::string reportMemory(bool html);
  /// Why the compiler decided as it did about "fusion", "memory" or "kernels",
  /// see Support/Explain.h.
  std::string explain(const std::vector<std::string> &topics);
  /// What a session with all jobs needs.
  mlir::job::MemoryTotals getMemoryTotals();
  /// The path of the artifact, see Pipelines/Compiler.h.
  std::string compile(const std::string &cacheDirectory);

  /// Of all stages.
  mlir::job::CompilerOptions options;

private:
  friend class FunctionBuilder;
  mlir::Operation *
  createOp(mlir::OpBuilder &builder, const std::string &op,
           mlir::ValueRange operands, const AttributeList &attributes,
           const std::optional<std::vector<BlobSpec>> &resultTypes,
           mlir::Location loc);

  /// A copy of the module after a stage; errors are raised by `capture`.
  mlir::OwningOpRef<mlir::ModuleOp> runTo(const std::string &stage,
                                          DiagnosticCapture &capture);

  /// Has threads only while a pipeline runs: a forked child, which has none of
  /// its parent's threads, may use and free it.
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The body of one job function, built from its first op to its last. Must not
/// outlive its module.
class FunctionBuilder {
public:
  FunctionBuilder(ModuleBuilder &parent, mlir::job::FuncOp func);

  std::vector<mlir::Value> arguments();
  /// Appends an argument to those that the function has.
  mlir::Value addArgument(const std::string &name, const BlobSpec &blob,
                          const std::vector<Frame> &frames);

  /// Appends an op and checks it. Without `resultTypes` they are inferred.
  std::vector<mlir::Value>
  create(const std::string &op, const std::vector<mlir::Value> &operands,
         const AttributeList &attributes,
         const std::optional<std::vector<BlobSpec>> &resultTypes,
         const std::string &name, const std::vector<Frame> &frames);

  /// Appends the ops of a kernel and gives each the attributes; see
  /// checkKernel, which has accepted both texts. `gradient` computes the
  /// gradients of the operands of floats, see job.custom_gradient.
  std::vector<mlir::Value> importKernel(
      const std::string &kernel, const std::optional<std::string> &gradient,
      const std::vector<mlir::Value> &operands, const AttributeList &attributes,
      const std::string &name, const std::vector<Frame> &frames);

  /// Ends the function. `structure` is the nesting of the results as JSON text,
  /// `attributes` are further ones of the function, and `observers` what sees
  /// results, by their numbers.
  void finish(const std::vector<mlir::Value> &results,
              const std::vector<std::string> &names,
              const std::string &structure, const AttributeList &attributes,
              const std::map<unsigned, std::string> &observers,
              const std::vector<Frame> &frames);

  /// Erases the function from its module; nothing may be called after it.
  void erase();

private:
  ModuleBuilder &parent;
  mlir::job::FuncOp func;
  mlir::OpBuilder builder;
};

} // namespace jobmlir

#endif // JOBMLIR_PYTHON_BUILDER_H

//===- Builder.cpp - Building a module of the job dialect -----------------===//

#include "Builder.h"

#include "JobDialect/Analysis/Graph.h"
#include "JobDialect/Analysis/MemoryReport.h"
#include "JobDialect/Conversion/LinalgToJob.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Pipelines/Compiler.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Support/Explain.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Signals.h"

using namespace mlir;
using namespace mlir::job;
using namespace jobmlir;

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

/// Null after an error at `loc`.
static Type makeType(Location loc, const BlobSpec &spec) {
  Type element = parseElementType(loc.getContext(), spec.dtype);
  if (!element) {
    emitError(loc) << "expects an element type of " << getElementTypeNames()
                   << " but got " << spec.dtype;
    return nullptr;
  }
  return BlobType::getChecked([&] { return emitError(loc); }, spec.shape,
                              element);
}

static BlobSpec describe(Type type) {
  auto blob = cast<BlobType>(type);
  return {blob.getShape().vec(),
          getElementTypeName(blob.getElementType()).str()};
}

BlobSpec jobmlir::describe(Value value) { return ::describe(value.getType()); }

/// Null after an error at `loc`.
static Attribute makeAttribute(Location loc, const AttributeValue &value) {
  Builder builder(loc.getContext());
  return std::visit(
      [&](const auto &v) -> Attribute {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return builder.getBoolAttr(v);
        } else if constexpr (std::is_same_v<T, int64_t>) {
          return builder.getI64IntegerAttr(v);
        } else if constexpr (std::is_same_v<T, double>) {
          return builder.getF64FloatAttr(v);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return builder.getStringAttr(v);
        } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
          return builder.getDenseI64ArrayAttr(v);
        } else {
          // The parser speaks of places in its own text: keep its message and
          // say it where the user is.
          std::string message;
          Attribute attr;
          {
            ScopedDiagnosticHandler handler(loc.getContext(),
                                            [&](Diagnostic &diagnostic) {
                                              if (message.empty())
                                                message = diagnostic.str();
                                              return success();
                                            });
            attr = parseAttribute(v.text, loc.getContext());
          }
          if (!attr)
            emitError(loc) << message;
          return attr;
        }
      },
      value);
}

//===----------------------------------------------------------------------===//
// ModuleBuilder
//===----------------------------------------------------------------------===//

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

namespace {
/// Gives a context threads for the life of this object.
class ThreadingScope {
public:
  explicit ThreadingScope(MLIRContext &context) : context(context) {
    context.enableMultithreading();
  }
  ThreadingScope(const ThreadingScope &) = delete;
  ~ThreadingScope() { context.disableMultithreading(); }

private:
  MLIRContext &context;
};
} // namespace

ModuleBuilder::ModuleBuilder()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  // The op is named by its location; its text says nothing to a Python user.
  context.printOpOnDiagnostic(false);
  context.loadDialect<JobDialect>();
  module = ModuleOp::create(UnknownLoc::get(&context));
}

/// The result types that the op infers from its operands and attributes.
static LogicalResult inferTypes(const OperationState &state,
                                SmallVectorImpl<Type> &types) {
  RegisteredOperationName name = *state.name.getRegisteredInfo();
  auto *interface = name.getInterface<InferTypeOpInterface>();
  if (!interface)
    return success(); // An op without results.
  MLIRContext *context = state.getContext();
  DictionaryAttr attributes = state.attributes.getDictionary(context);

  // Typed attributes live in the op's properties, which inference reads.
  auto storage = std::make_unique<std::max_align_t[]>(
      name.getOpPropertyByteSize() / sizeof(std::max_align_t) + 1);
  OpaqueProperties properties(storage.get());
  if (name.getOpPropertyByteSize() == 0)
    properties = OpaqueProperties(nullptr);
  else
    name.initOpProperties(properties, OpaqueProperties(nullptr));
  auto emitPropertyError = [&] { return emitError(state.location); };
  LogicalResult result = success();
  if (properties) {
    name.populateDefaultProperties(properties);
    result = name.setOpPropertiesFromAttribute(name, properties, attributes,
                                               emitPropertyError);
  }
  if (succeeded(result))
    result =
        interface->inferReturnTypes(context, state.location, state.operands,
                                    attributes, properties, {}, types);
  if (properties)
    name.destroyOpProperties(properties);
  return result;
}

Operation *
ModuleBuilder::createOp(OpBuilder &builder, const std::string &op,
                        ValueRange operands, const AttributeList &attributes,
                        const std::optional<std::vector<BlobSpec>> &resultTypes,
                        Location loc) {
  DiagnosticCapture capture(&context);
  OperationState state(loc, op);
  if (!state.name.isRegistered())
    capture.raise("expects an op of the job dialect but got " + op);
  state.addOperands(operands);
  for (const auto &[key, value] : attributes) {
    Attribute attr = makeAttribute(loc, value);
    if (!attr)
      capture.raise("malformed attribute");
    state.addAttribute(key, attr);
  }
  if (resultTypes) {
    for (const BlobSpec &spec : *resultTypes) {
      Type type = makeType(loc, spec);
      if (!type)
        capture.raise("malformed type");
      state.addTypes(type);
    }
  } else {
    SmallVector<Type> types;
    if (failed(inferTypes(state, types)))
      capture.raise("no result type can be inferred");
    state.addTypes(types);
  }
  Operation *created = builder.create(state);
  if (failed(mlir::verify(created, /*verifyRecursively=*/false))) {
    created->erase();
    capture.raise("malformed op");
  }
  return created;
}

void ModuleBuilder::create(const std::string &op,
                           const AttributeList &attributes,
                           const std::string &name,
                           const std::vector<Frame> &frames) {
  // Variables read best before the functions that use them.
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  if (auto funcs = module->getOps<FuncOp>(); !funcs.empty())
    builder.setInsertionPoint(*funcs.begin());
  createOp(builder, op, {}, attributes, std::nullopt,
           makeLocation(&context, name, frames));
}

void ModuleBuilder::eraseVariables() {
  for (auto variable : llvm::make_early_inc_range(module->getOps<VariableOp>()))
    variable.erase();
}

std::unique_ptr<FunctionBuilder> ModuleBuilder::createFunction(
    const std::string &name, const std::string &kind,
    const std::vector<std::pair<std::string, BlobSpec>> &arguments,
    const std::vector<Frame> &frames) {
  DiagnosticCapture capture(&context);
  Location loc = makeLocation(&context, name, frames);
  std::optional<JobKind> jobKind = symbolizeJobKind(kind);
  if (!jobKind)
    capture.raise("expects a kind of train or predict but got " + kind);
  SmallVector<Type> types;
  for (const auto &argument : arguments) {
    types.push_back(makeType(makeLocation(&context, argument.first, frames),
                             argument.second));
    if (!types.back())
      capture.raise("malformed type");
  }
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto func = FuncOp::create(builder, loc, name,
                             builder.getFunctionType(types, {}), *jobKind);
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    func.setArgAttr(index, FuncOp::getNameAttrName(),
                    builder.getStringAttr(argument.first));
    func.getArgument(index).setLoc(
        makeLocation(&context, argument.first, frames));
  }
  return std::make_unique<FunctionBuilder>(*this, func);
}

void ModuleBuilder::place(const std::string &function,
                          const std::string &device, uint32_t index) {
  DiagnosticCapture capture(&context);
  std::optional<DeviceKind> kind = symbolizeDeviceKind(device);
  if (!kind)
    capture.raise("expects a device of cpu or gpu but got " + device);
  auto placement =
      PlacementAttr::get(&context, *kind, {DeviceRange{0, index, index}});
  auto func = module->lookupSymbol<FuncOp>(function);
  if (!func)
    capture.raise("expects a function but got " + function);
  func.setPlacementAttr(placement);
  func.getBody().walk([](Operation *op) {
    if (PlacementAttr own = getOwnPlacement(op))
      setPlacement(op, own);
  });
}

void ModuleBuilder::freeze(const std::string &function,
                           const std::string &variable) {
  DiagnosticCapture capture(&context);
  auto func = module->lookupSymbol<FuncOp>(function);
  if (!func)
    capture.raise("expects a function but got " + function);
  for (auto read : func.getOps<ReadOp>()) {
    if (read.getVariable() != variable || read->use_empty())
      continue;
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfter(read);
    auto stop =
        StopGradientOp::create(builder, read.getLoc(), read.getResult());
    read.getResult().replaceAllUsesExcept(stop.getResult(), stop);
    if (Attribute placement = read->getAttr(FuncOp::getBlobPlacementAttrName()))
      stop->setAttr(FuncOp::getBlobPlacementAttrName(), placement);
  }
}

void ModuleBuilder::verify() {
  DiagnosticCapture capture(&context);
  if (failed(mlir::verify(*module)))
    capture.raise("malformed module");
}

static std::string printModule(ModuleOp module, bool locations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  module.print(os, flags);
  return text;
}

std::string ModuleBuilder::print(bool locations) const {
  return printModule(*module, locations);
}

/// Runs the pipelines up to `stage`; errors are raised by `capture`.
static void runPipelines(ModuleOp module, const CompilerOptions &options,
                         const std::string &stage, DiagnosticCapture &capture) {
  using BuildPipeline = void (*)(OpPassManager &, const PipelineOptions &);
  const std::pair<StringRef, BuildPipeline> pipelines[] = {
      {"job", nullptr},
      {"train", buildTrainPipeline},
      {"plan", buildPlanPipeline},
      {"lower", buildLowerPipeline}};
  PassManager pm(module.getContext());
  PipelineOptions pipelineOptions;
  setPipelineOptions(pipelineOptions, options);
  bool found = false;
  for (auto [name, build] : pipelines) {
    if (build)
      build(pm, pipelineOptions);
    if ((found = name == stage))
      break;
  }
  if (!found)
    capture.raise("expects a stage of job, train, plan or lower but got " +
                  stage);
  if (failed(pm.run(module)))
    capture.raise("the pipeline failed");
}

OwningOpRef<ModuleOp> ModuleBuilder::runTo(const std::string &stage,
                                           DiagnosticCapture &capture) {
  OwningOpRef<ModuleOp> copy = module->clone();
  ThreadingScope threads(context);
  runPipelines(*copy, options, stage, capture);
  return copy;
}

std::string ModuleBuilder::explain(const std::vector<std::string> &topics) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Explanations are those of a context, to its end.
  MLIRContext explained(makeRegistry(), MLIRContext::Threading::DISABLED);
  explained.printOpOnDiagnostic(false);
  DiagnosticCapture capture(&explained);
  SmallVector<ExplainCategory> categories;
  for (const std::string &topic : topics) {
    std::optional<ExplainCategory> category = symbolizeExplainCategory(topic);
    if (!category)
      capture.raise("expects a topic of fusion, memory or kernels but got " +
                    topic);
    categories.push_back(*category);
  }
  enableExplanations(explained, categories, os);
  auto copy =
      parseSourceString<ModuleOp>(printModule(*module, true), &explained);
  if (!copy)
    capture.raise("the module has no text");
  runPipelines(*copy, options, "plan", capture);
  return text;
}

std::string ModuleBuilder::printStage(const std::string &stage,
                                      bool locations) {
  DiagnosticCapture capture(&context);
  return printModule(*runTo(stage, capture), locations);
}

std::pair<std::string, bool> ModuleBuilder::drawStage(const std::string &stage,
                                                      const std::string &entry,
                                                      bool updates) {
  DiagnosticCapture capture(&context);
  OwningOpRef<ModuleOp> copy = runTo(stage, capture);
  FailureOr<std::string> text =
      formatGraph(*copy, entry, /*joinUpdates=*/!updates);
  bool isDrawn = hasDot();
  if (succeeded(text) && isDrawn)
    text = drawSvg(*text, copy->getLoc());
  if (failed(text))
    capture.raise("the picture failed");
  return {*text, isDrawn};
}

std::string ModuleBuilder::reportMemory(bool html) {
  DiagnosticCapture capture(&context);
  OwningOpRef<ModuleOp> copy = runTo("plan", capture);
  FailureOr<std::vector<ProgramMemory>> programs = collectMemory(*copy);
  if (failed(programs))
    capture.raise("the report failed");
  return html ? formatMemoryHtml(*programs) : formatMemoryText(*programs);
}

MemoryTotals ModuleBuilder::getMemoryTotals() {
  DiagnosticCapture capture(&context);
  OwningOpRef<ModuleOp> copy = runTo("plan", capture);
  FailureOr<std::vector<ProgramMemory>> programs = collectMemory(*copy);
  if (failed(programs))
    capture.raise("the report failed");
  return mlir::job::getMemoryTotals(*programs);
}

std::string ModuleBuilder::compile(const std::string &cacheDirectory) {
  DiagnosticCapture capture(&context);
  ThreadingScope threads(context);
  // LLVM installs handlers of signals for its temporary files. Those of the
  // process come back when the files are gone.
  llvm::scope_exit restore([] { llvm::sys::unregisterHandlers(); });
  FailureOr<std::string> path =
      compileThroughCache(*module, options, cacheDirectory);
  if (failed(path))
    capture.raise("the compiler failed");
  return *path;
}

//===----------------------------------------------------------------------===//
// FunctionBuilder
//===----------------------------------------------------------------------===//

FunctionBuilder::FunctionBuilder(ModuleBuilder &parent, FuncOp func)
    : parent(parent), func(func),
      builder(OpBuilder::atBlockEnd(&func.getBody().front())) {}

std::vector<Value> FunctionBuilder::arguments() {
  return {func.getArguments().begin(), func.getArguments().end()};
}

Value FunctionBuilder::addArgument(const std::string &name,
                                   const BlobSpec &blob,
                                   const std::vector<Frame> &frames) {
  DiagnosticCapture capture(builder.getContext());
  Location loc = makeLocation(builder.getContext(), name, frames);
  Type type = makeType(loc, blob);
  if (!type)
    capture.raise("malformed type");
  unsigned index = func.getNumArguments();
  NamedAttribute attr(FuncOp::getNameAttrName(), builder.getStringAttr(name));
  if (failed(func.insertArgument(index, type, builder.getDictionaryAttr(attr),
                                 loc)))
    capture.raise("no argument can be added");
  return func.getArgument(index);
}

std::vector<Value> FunctionBuilder::create(
    const std::string &op, const std::vector<Value> &operands,
    const AttributeList &attributes,
    const std::optional<std::vector<BlobSpec>> &resultTypes,
    const std::string &name, const std::vector<Frame> &frames) {
  Operation *created =
      parent.createOp(builder, op, operands, attributes, resultTypes,
                      makeLocation(builder.getContext(), name, frames));
  return {created->result_begin(), created->result_end()};
}

/// Parses text with the function of one kernel.
static OwningOpRef<ModuleOp> parseKernel(MLIRContext *context,
                                         const std::string &text,
                                         func::FuncOp &kernel,
                                         DiagnosticCapture &capture) {
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, context, "kernel");
  if (!parsed)
    capture.raise("expects a module");
  auto kernels = parsed->getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(*parsed->getBody()) || kernels.empty())
    capture.raise("expects one func.func and no other operation");
  kernel = *kernels.begin();
  return parsed;
}

std::pair<std::vector<BlobSpec>, std::vector<BlobSpec>>
jobmlir::checkKernel(const std::string &text) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  context.loadDialect<JobDialect>();
  DiagnosticCapture capture(&context);
  func::FuncOp kernel;
  OwningOpRef<ModuleOp> parsed = parseKernel(&context, text, kernel, capture);
  SmallVector<Type> inputs, outputs;
  if (failed(getKernelTypes(kernel, inputs, outputs)))
    capture.raise("malformed kernel");
  Block scratch;
  for (Type type : inputs)
    scratch.addArgument(type, kernel.getLoc());
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(&scratch);
  SmallVector<Value> results;
  LogicalResult imported = importKernel(builder, kernel, scratch.getArguments(),
                                        std::nullopt, results);
  for (Operation &op : scratch)
    if (succeeded(imported))
      imported = mlir::verify(&op);
  // In reverse order: an op uses those before it.
  while (!scratch.empty())
    scratch.back().erase();
  if (failed(imported))
    capture.raise("malformed kernel");
  std::pair<std::vector<BlobSpec>, std::vector<BlobSpec>> specs;
  for (Type type : inputs)
    specs.first.push_back(::describe(type));
  for (Type type : outputs)
    specs.second.push_back(::describe(type));
  return specs;
}

std::vector<Value> FunctionBuilder::importKernel(
    const std::string &kernel, const std::optional<std::string> &gradient,
    const std::vector<Value> &operands, const AttributeList &attributes,
    const std::string &name, const std::vector<Frame> &frames) {
  MLIRContext *context = builder.getContext();
  DiagnosticCapture capture(context);
  Location loc = makeLocation(context, name, frames);
  auto import = [&](OpBuilder &at, const std::string &text, ValueRange inputs,
                    SmallVectorImpl<Value> &results) {
    func::FuncOp function;
    OwningOpRef<ModuleOp> parsed =
        parseKernel(context, text, function, capture);
    if (failed(job::importKernel(at, function, inputs, loc, results)))
      capture.raise("malformed kernel");
  };
  Block &block = *builder.getInsertionBlock();
  size_t before = block.getOperations().size();
  SmallVector<Value> results;
  import(builder, kernel, operands, results);
  if (gradient) {
    auto custom = CustomGradientOp::create(builder, loc, results, operands);
    Block &region = custom.getGradient().emplaceBlock();
    SmallVector<Value> arguments(operands.begin(), operands.end()), gradients;
    llvm::append_range(arguments, results);
    llvm::copy_if(results, std::back_inserter(arguments), [](Value value) {
      return cast<BlobType>(value.getType()).isFloat();
    });
    for (Value value : arguments)
      region.addArgument(value.getType(), loc);
    OpBuilder inside = OpBuilder::atBlockEnd(&region);
    import(inside, *gradient, region.getArguments(), gradients);
    YieldOp::create(inside, loc, gradients);
    if (failed(mlir::verify(custom)))
      capture.raise("malformed gradient");
    results.assign(custom.result_begin(), custom.result_end());
  }
  for (const auto &[key, value] : attributes)
    for (Operation &op : llvm::drop_begin(block.getOperations(), before))
      op.setAttr(key, makeAttribute(loc, value));
  return {results.begin(), results.end()};
}

void FunctionBuilder::finish(const std::vector<Value> &results,
                             const std::vector<std::string> &names,
                             const std::string &structure,
                             const AttributeList &attributes,
                             const std::map<unsigned, std::string> &observers,
                             const std::vector<Frame> &frames) {
  MLIRContext *context = builder.getContext();
  DiagnosticCapture capture(context);
  Location loc = makeLocation(context, "", frames);
  for (const auto &[name, value] : attributes) {
    Attribute attribute = makeAttribute(loc, value);
    if (!attribute)
      capture.raise("malformed attribute");
    func->setAttr(name, attribute);
    // One of another kind is not taken.
    if (!func->getAttr(name))
      capture.raise("expects another kind of attribute for " + name);
  }
  func.setResultStructure(structure);
  func.setFunctionType(builder.getFunctionType(func.getArgumentTypes(),
                                               TypeRange(ValueRange(results))));
  for (auto [index, name] : llvm::enumerate(names))
    func.setResultAttr(index, FuncOp::getNameAttrName(),
                       builder.getStringAttr(name));
  for (const auto &[index, observer] : observers)
    func.setResultAttr(index, FuncOp::getObserverAttrName(),
                       builder.getStringAttr(observer));
  ReturnOp::create(builder, loc, TypeRange(), ValueRange(results));
  if (failed(mlir::verify(func)))
    capture.raise("malformed job function");
}

void FunctionBuilder::erase() { func.erase(); }

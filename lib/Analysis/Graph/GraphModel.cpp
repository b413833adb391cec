//===- GraphModel.cpp - Graphs of jobs and programs -----------------------===//

#include "GraphModel.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Support/Units.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// "100x784xf32".
static std::string formatShape(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : type.getShape())
    os << extent << 'x';
  os << type.getElementType();
  return text;
}

static GraphValue makeValue(Type type) {
  auto shaped = cast<ShapedType>(type);
  auto blob = dyn_cast<BlobType>(type);
  int64_t bytes = blob ? blob.getBytes() : plan::getBufferBytes(shaped);
  return {formatShape(shaped) + " · " + formatBytes(bytes), bytes};
}

/// By the mnemonic: ops of one family share a stem.
static GraphFamily getFamily(StringRef mnemonic) {
  struct Stem {
    StringRef text;
    GraphFamily family;
  };
  static const Stem stems[] = {
      {"matmul", GraphFamily::MatMul},
      {"conv", GraphFamily::Conv},
      {"pool", GraphFamily::Pool},
      {"norm", GraphFamily::Normalization},
      {"attention", GraphFamily::Attention},
      {"cross_entropy", GraphFamily::Loss},
      {"loss", GraphFamily::Loss},
      {"softmax", GraphFamily::Normalization},
      {"reduce", GraphFamily::Reduction},
      {"arg_", GraphFamily::Reduction},
      {"dropout", GraphFamily::Random},
      {"random", GraphFamily::Random},
      {"truncated", GraphFamily::Random},
      {"reshape", GraphFamily::Shape},
      {"broadcast", GraphFamily::Shape},
      {"transpose", GraphFamily::Shape},
      {"slice", GraphFamily::Shape},
      {"concat", GraphFamily::Shape},
      {"pad", GraphFamily::Shape},
      {"gather", GraphFamily::Shape},
      {"scatter", GraphFamily::Shape},
      {"minimize", GraphFamily::Optimizer},
      {"update", GraphFamily::Optimizer},
  };
  for (const Stem &stem : stems)
    if (mnemonic.contains(stem.text))
      return stem.family;
  return GraphFamily::Other;
}

static GraphFamily getFamily(Operation *op) {
  if (auto call = dyn_cast<plan::CallOp>(op))
    return getFamily(call.getCallee());
  GraphFamily family = getFamily(op->getName().stripDialect());
  if (family == GraphFamily::Other && isa<ScalarKernelOpInterface>(op))
    return GraphFamily::Elementwise;
  return family;
}

/// "train.py:12", without the folder.
static std::string formatLine(Location loc) {
  std::optional<UserLocation> line = getUserLocation(loc);
  if (!line)
    return "";
  return (llvm::sys::path::filename(line->file) + ":" + Twine(line->line))
      .str();
}

/// What the user calls it; the files in it without their folders.
static std::string formatName(Location loc) {
  SmallVector<StringRef> words;
  std::string name = getUserName(loc);
  StringRef(name).split(words, ' ');
  for (StringRef &word : words)
    if (llvm::sys::path::is_absolute(word))
      word = llvm::sys::path::filename(word);
  return llvm::join(words, " ");
}

/// What all boxes say: name, line, operations.
static GraphNode makeNode(Operation *op, StringRef title) {
  GraphNode node;
  node.family = getFamily(op);
  node.title = title.str();
  node.name = formatName(op->getLoc());
  node.isGradient = StringRef(node.name).starts_with("gradient of");
  OpCost cost = getOpCost(op);
  SmallVector<std::string> details;
  if (std::string line = formatLine(op->getLoc()); !line.empty())
    details.push_back(line);
  if (cost.flops)
    details.push_back(formatFlops(cost.flops));
  node.detail = llvm::join(details, " · ");

  llvm::raw_string_ostream os(node.tooltip);
  os << op->getName();
  if (!node.name.empty())
    os << "\n" << node.name;
  if (std::optional<UserLocation> line = getUserLocation(op->getLoc()))
    os << "\n" << line->str();
  if (cost.flops)
    os << "\nFLOPs: " << formatDigits(cost.flops);
  if (cost.bytesRead || cost.bytesWritten)
    os << "\nreads " << formatDigits(cost.bytesRead) << " bytes, writes "
       << formatDigits(cost.bytesWritten);
  return node;
}

/// A constant that is one number, as text.
static std::optional<std::string> getNumber(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  std::optional<double> splat = constant ? constant.getSplat() : std::nullopt;
  if (!splat)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", *splat);
  return text;
}

/// The mnemonic, with the operands that are numbers: "multiply(·, 0.9)".
static std::string formatOp(Operation *op) {
  StringRef mnemonic = op->getName().stripDialect();
  SmallVector<std::string> operands;
  bool hasNumber = false;
  for (Value operand : op->getOperands()) {
    std::optional<std::string> number = getNumber(operand);
    hasNumber |= number.has_value();
    operands.push_back(number.value_or("·"));
  }
  if (!hasNumber)
    return mnemonic.str();
  return (mnemonic + "(" + llvm::join(operands, ", ") + ")").str();
}

/// Gives each box that uses an input, a variable or a constant one of its own:
/// a weight that forward and backward ops share would be a line across the
/// whole picture.
static void splitMemory(Graph &graph) {
  std::vector<bool> isWritten(graph.nodes.size());
  for (const GraphEdge &edge : graph.edges)
    isWritten[edge.to] = true;
  // The box that stands for a memory at each of its users.
  DenseMap<std::pair<unsigned, unsigned>, unsigned> copies;
  std::vector<bool> hasUser(graph.nodes.size());
  for (GraphEdge &edge : graph.edges) {
    unsigned from = edge.from;
    if (!graph.nodes[from].isMemory || isWritten[from])
      continue;
    auto [it, isNew] = copies.try_emplace({from, edge.to}, from);
    if (isNew && hasUser[from]) {
      const GraphNode &node = graph.nodes[from];
      GraphNode copy;
      copy.family = node.family;
      copy.title = node.title;
      copy.name = node.name;
      copy.tooltip = node.tooltip;
      copy.isMemory = true;
      copy.values = node.values;
      it->second = graph.nodes.size();
      graph.nodes.push_back(std::move(copy));
    }
    hasUser[from] = true;
    edge.from = it->second;
  }
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

namespace {

/// Builds the graph of one block of ops of the job dialect.
class JobGraphBuilder {
public:
  JobGraphBuilder(Graph &graph, bool joinUpdates)
      : graph(graph), joinUpdates(joinUpdates) {}

  void addPort(Value value, StringRef title, GraphNode node) {
    node.title = title.str();
    node.isMemory = node.isInput = true;
    add(std::move(node), ValueRange(value));
  }
  void addOp(Operation *op);
  void addOutput(Value value, StringRef title);
  void connect(Value value, unsigned to, unsigned input = 0);

private:
  void add(GraphNode node, ValueRange results);
  void addKernel(KernelOp kernel);
  std::string getUpdate(Operation *op) const;
  void addToUpdate(Operation *op, StringRef update);

  Graph &graph;
  bool joinUpdates;
  /// The box that makes a blob, and which of its values it is; kNoValue for
  /// what stays within an update so far.
  DenseMap<Value, std::pair<unsigned, unsigned>> makers;
  static constexpr unsigned kNoValue = ~0u;
  /// The box of an update by its name, and the ops that it stands for.
  llvm::StringMap<unsigned> updates;
  DenseMap<unsigned, SmallVector<Operation *>> updateOps;
};

} // namespace

void JobGraphBuilder::add(GraphNode node, ValueRange results) {
  unsigned index = graph.nodes.size();
  for (Value result : results) {
    makers[result] = {index, static_cast<unsigned>(node.values.size())};
    node.values.push_back(makeValue(result.getType()));
  }
  graph.nodes.push_back(std::move(node));
}

void JobGraphBuilder::connect(Value value, unsigned to, unsigned input) {
  if (getNumber(value))
    return;
  auto &[from, index] = makers[value];
  if (from == to)
    return;
  if (index == kNoValue) {
    index = graph.nodes[from].values.size();
    graph.nodes[from].values.push_back(makeValue(value.getType()));
  }
  GraphEdge edge{from, index, to, input};
  // An update reads some blobs often.
  bool isThere = llvm::any_of(graph.edges, [&](const GraphEdge &other) {
    return other.from == edge.from && other.value == edge.value &&
           other.to == edge.to;
  });
  if (!isThere || graph.nodes[to].inner)
    graph.edges.push_back(edge);
}

/// The update that an op is part of, by its name; empty for none.
std::string JobGraphBuilder::getUpdate(Operation *op) const {
  if (!joinUpdates)
    return "";
  std::string name = getUserName(op->getLoc());
  if (StringRef(name).starts_with("update of") && !isa<UpdateOp>(op))
    return name;
  return "";
}

void JobGraphBuilder::addToUpdate(Operation *op, StringRef update) {
  auto [it, isNew] = updates.try_emplace(update, graph.nodes.size());
  unsigned index = it->second;
  if (isNew) {
    graph.nodes.push_back(makeNode(op, "update"));
    graph.nodes.back().family = GraphFamily::Optimizer;
  }
  SmallVector<Operation *> &ops = updateOps[index];
  ops.push_back(op);
  for (Value operand : op->getOperands())
    connect(operand, index);
  for (Value result : op->getResults())
    makers[result] = {index, kNoValue};

  GraphNode &node = graph.nodes[index];
  if (auto assign = dyn_cast<AssignOp>(op)) {
    // Of the variable and the optimizer's state of it, whose names are longer.
    std::string title = "update " + assign.getVariable().str();
    if (node.title == "update" || title.size() < node.title.size())
      node.title = title;
  }
  int64_t flops = 0;
  for (Operation *other : ops)
    flops = addOperationCounts(flops, getFlops(other));
  node.detail = std::to_string(ops.size()) + " ops · " + formatFlops(flops);
}

void JobGraphBuilder::addOutput(Value value, StringRef title) {
  GraphNode node;
  node.family = GraphFamily::Port;
  node.title = title.str();
  node.isMemory = node.isOutput = true;
  unsigned index = graph.nodes.size();
  graph.nodes.push_back(std::move(node));
  connect(value, index);
}

void JobGraphBuilder::addKernel(KernelOp kernel) {
  Block &block = kernel.getBody().front();
  GraphNode node = makeNode(kernel, "kernel");
  node.family = GraphFamily::Kernel;
  node.inner = std::make_unique<Graph>();
  JobGraphBuilder inner(*node.inner, /*joinUpdates=*/false);
  for (BlockArgument argument : block.getArguments()) {
    GraphNode port;
    port.family = GraphFamily::Port;
    std::string label = makeValue(argument.getType()).label;
    inner.addPort(argument, label, std::move(port));
    node.inner->nodes.back().values.front().label.clear();
  }
  for (Operation &op : block.without_terminator())
    inner.addOp(&op);
  for (GraphNode &op : node.inner->nodes)
    for (GraphValue &value : op.values)
      value.label.clear(); // they never reach memory
  for (Value value : block.getTerminator()->getOperands())
    inner.addOutput(value, makeValue(value.getType()).label);

  unsigned index = graph.nodes.size();
  add(std::move(node), kernel.getResults());
  for (OpOperand &operand : kernel->getOpOperands())
    connect(operand.get(), index, operand.getOperandNumber());
}

void JobGraphBuilder::addOp(Operation *op) {
  if (op->getNumResults() == 1 && getNumber(op->getResult(0)))
    return;
  if (std::string update = getUpdate(op); !update.empty())
    return addToUpdate(op, update);
  if (auto kernel = dyn_cast<KernelOp>(op))
    return addKernel(kernel);
  std::string title =
      TypeSwitch<Operation *, std::string>(op)
          .Case([](ReadOp read) { return read.getVariable().str(); })
          .Case([](AssignOp assign) { return assign.getVariable().str(); })
          .Case([](UpdateOp update) {
            return "update " + update.getVariable().str();
          })
          .Default([](Operation *other) { return formatOp(other); });
  GraphNode node = makeNode(op, title);
  if (isa<ReadOp, AssignOp, ConstantOp>(op)) {
    node.family = GraphFamily::Variable;
    node.isMemory = true;
    node.name = isa<AssignOp>(op)     ? "assigned"
                : isa<ConstantOp>(op) ? ""
                                      : "variable";
    node.detail.clear();
  }
  unsigned index = graph.nodes.size();
  add(std::move(node), op->getResults());
  for (Value operand : op->getOperands())
    connect(operand, index);
}

Graph job::buildGraph(FuncOp func, bool joinUpdates) {
  Graph graph;
  graph.title = ("job " + func.getSymName() + " (" +
                 stringifyJobKind(func.getKind()) + ")")
                    .str();
  JobGraphBuilder builder(graph, joinUpdates);
  for (BlockArgument argument : func.getArguments()) {
    GraphNode node;
    node.family = GraphFamily::Port;
    node.name = "input";
    builder.addPort(argument, func.getArgumentName(argument.getArgNumber()),
                    std::move(node));
  }
  for (Operation &op : func.getBody().front().without_terminator())
    builder.addOp(&op);
  for (OpOperand &operand : func.getReturn()->getOpOperands()) {
    builder.addOutput(operand.get(),
                      func.getResultName(operand.getOperandNumber()));
    graph.nodes.back().name = "output";
  }
  splitMemory(graph);
  return graph;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

/// Builds the graph of a program. A line goes from the command that wrote a
/// buffer last to each that reads it.
class ProgramGraphBuilder {
public:
  ProgramGraphBuilder(plan::ProgramOp program, Graph &graph, bool joinUpdates)
      : program(program), graph(graph), joinUpdates(joinUpdates) {}

  void build();

private:
  /// One memory for all views, and for all ops that name one variable.
  using Memory = void *;
  Memory getMemory(Value buffer) const;
  std::pair<unsigned, unsigned> getWriter(Value buffer);
  void addCommand(Operation *command, unsigned index);
  void addToUpdate(Operation *command, StringRef update, ArrayRef<Value> reads,
                   ArrayRef<Value> writes);

  plan::ProgramOp program;
  Graph &graph;
  bool joinUpdates;
  SymbolTableCollection symbols;
  /// The box of an update by its name, and the commands that it stands for.
  llvm::StringMap<unsigned> updates;
  DenseMap<unsigned, SmallVector<Operation *>> updateCommands;
  DenseMap<Memory, std::pair<unsigned, unsigned>> writers;
  /// Memory beyond the arena that commands have written, in order.
  SmallVector<Value> written;
};

} // namespace

ProgramGraphBuilder::Memory ProgramGraphBuilder::getMemory(Value buffer) const {
  Operation *root = plan::getBufferRoot(buffer);
  if (auto variable = dyn_cast<plan::GetVariableOp>(root))
    return const_cast<void *>(variable.getSymbolAttr().getAsOpaquePointer());
  return root;
}

/// What a buffer is called, of one that is not in the arena.
static std::pair<std::string, std::string> describeMemory(Operation *root) {
  using Texts = std::pair<std::string, std::string>;
  return TypeSwitch<Operation *, Texts>(root)
      .Case([](plan::InputOp op) { return Texts(op.getName().str(), "input"); })
      .Case(
          [](plan::OutputOp op) { return Texts(op.getName().str(), "output"); })
      .Case([](plan::GetVariableOp op) {
        return Texts(op.getSymbol().str(), "variable");
      })
      .Case([](plan::GetConstantOp op) {
        return Texts(op.getSymbol().str(), "constant");
      })
      .Default([](Operation *) { return Texts("", "not written yet"); });
}

/// The box that wrote a buffer last: a command, or one for the memory itself.
std::pair<unsigned, unsigned> ProgramGraphBuilder::getWriter(Value buffer) {
  auto [it, isNew] = writers.try_emplace(getMemory(buffer));
  if (isNew) {
    it->second = {graph.nodes.size(), 0};
    Operation *root = plan::getBufferRoot(buffer);
    GraphNode node;
    node.family =
        isa<plan::InputOp>(root) ? GraphFamily::Port : GraphFamily::Variable;
    std::tie(node.title, node.name) = describeMemory(root);
    node.isMemory = true;
    node.values.push_back(makeValue(root->getResult(0).getType()));
    graph.nodes.push_back(std::move(node));
  }
  return it->second;
}

void ProgramGraphBuilder::addToUpdate(Operation *command, StringRef update,
                                      ArrayRef<Value> reads,
                                      ArrayRef<Value> writes) {
  auto [it, isNew] = updates.try_emplace(update, graph.nodes.size());
  unsigned box = it->second;
  if (isNew) {
    graph.nodes.push_back(makeNode(command, "update"));
    graph.nodes.back().family = GraphFamily::Optimizer;
    graph.nodes.back().values.emplace_back();
  }
  for (Value buffer : reads) {
    auto known = writers.find(getMemory(buffer));
    bool isVariable =
        isa<plan::GetVariableOp>(plan::getBufferRoot(buffer)) &&
        (known == writers.end() || graph.nodes[known->second.first].isMemory);
    if (isVariable)
      continue;
    auto [from, value] = getWriter(buffer);
    bool isThere = llvm::any_of(graph.edges, [&](const GraphEdge &edge) {
      return edge.from == from && edge.value == value && edge.to == box;
    });
    if (from != box && !isThere)
      graph.edges.push_back({from, value, box});
  }
  std::string title = graph.nodes[box].title;
  for (Value buffer : writes) {
    writers[getMemory(buffer)] = {box, 0};
    // The names of the optimizer's state of a variable are longer.
    if (auto variable =
            dyn_cast<plan::GetVariableOp>(plan::getBufferRoot(buffer))) {
      std::string other = "update " + variable.getSymbol().str();
      if (title == "update" || other.size() < title.size())
        title = other;
    }
  }
  GraphNode &node = graph.nodes[box];
  node.title = title;
  SmallVector<Operation *> &commands = updateCommands[box];
  commands.push_back(command);
  int64_t flops = 0;
  for (Operation *other : commands)
    flops = addOperationCounts(flops, getFlops(other));
  node.detail =
      std::to_string(commands.size()) + " commands · " + formatFlops(flops);
}

void ProgramGraphBuilder::addCommand(Operation *command, unsigned index) {
  SmallVector<Value> reads, writes;
  std::string title;
  int64_t chunks = 0;
  TypeSwitch<Operation *>(command)
      .Case([&](plan::DispatchOp op) {
        title = op.getKernel().str();
        chunks = plan::getNumChunks(op).value_or(0);
        llvm::append_range(reads, op.getIns());
        llvm::append_range(reads, op.getInouts());
        llvm::append_range(writes, op.getInouts());
        llvm::append_range(writes, op.getOuts());
      })
      .Case([&](plan::CallOp op) {
        title = op.getCallee().str();
        chunks = op.getChunks();
        llvm::append_range(reads, op.getIns());
        llvm::append_range(writes, op.getOuts());
      })
      .Case([&](plan::CopyOp op) {
        title = "copy";
        reads.push_back(op.getSource());
        writes.push_back(op.getTarget());
      })
      .Case([&](plan::FillOp op) {
        title = "fill " + std::to_string(op.getValue());
        writes.push_back(op.getTarget());
      });
  if (std::string name = getUserName(command->getLoc());
      joinUpdates && StringRef(name).starts_with("update of"))
    return addToUpdate(command, name, reads, writes);
  GraphNode node = makeNode(command, title);
  if (isa<plan::DispatchOp>(command))
    node.family = GraphFamily::Kernel;
  std::string number = "#" + std::to_string(index);
  node.title = number + "  " + node.title;
  if (chunks > 1)
    node.detail +=
        (node.detail.empty() ? "" : " · ") + std::to_string(chunks) + " chunks";
  if (auto repeat = dyn_cast<plan::RepeatOp>(command->getParentOp()))
    node.detail += (node.detail.empty() ? "" : " · ") +
                   std::to_string(repeat.getCount()) + " times";

  SmallVector<std::pair<unsigned, unsigned>> sources;
  for (Value buffer : reads)
    sources.push_back(getWriter(buffer));
  unsigned box = graph.nodes.size();
  for (auto [from, value] : sources)
    graph.edges.push_back({from, value, box});
  for (Value buffer : writes) {
    plan::BufferPlace place = plan::getBufferPlace(buffer, symbols);
    GraphValue value = makeValue(buffer.getType());
    if (place.space == plan::Space::Arena && place.offset)
      value.label += " @" + formatDigits(*place.offset);
    writers[getMemory(buffer)] = {box,
                                  static_cast<unsigned>(node.values.size())};
    node.values.push_back(value);
    bool isNew = llvm::none_of(written, [&](Value other) {
      return getMemory(other) == getMemory(buffer);
    });
    if (isNew && place.space != plan::Space::Arena)
      written.push_back(buffer);
  }
  graph.nodes.push_back(std::move(node));
}

void ProgramGraphBuilder::build() {
  for (auto [index, command] : llvm::enumerate(plan::getCommands(program)))
    addCommand(command, index);
  // What the step leaves behind.
  for (Value buffer : written) {
    Operation *root = plan::getBufferRoot(buffer);
    GraphNode node;
    node.family =
        isa<plan::OutputOp>(root) ? GraphFamily::Port : GraphFamily::Variable;
    std::tie(node.title, node.name) = describeMemory(root);
    if (isa<plan::GetVariableOp>(root))
      node.name = "assigned";
    node.isMemory = true;
    auto [from, value] = writers.at(getMemory(buffer));
    graph.edges.push_back(
        {from, value, static_cast<unsigned>(graph.nodes.size())});
    graph.nodes.push_back(std::move(node));
  }
}

Graph job::buildGraph(plan::ProgramOp program, bool joinUpdates) {
  Graph graph;
  llvm::raw_string_ostream os(graph.title);
  os << "program " << program.getSymName() << " ("
     << stringifyJobKind(program.getKind()) << ")";
  if (std::optional<int64_t> arena = program.getArenaBytes())
    os << " · arena " << formatBytes(*arena);
  ProgramGraphBuilder(program, graph, joinUpdates).build();
  splitMemory(graph);
  return graph;
}

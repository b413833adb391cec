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
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// "100x784xf32".
static std::string formatShape(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto blob = dyn_cast<BlobType>(type);
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (blob && static_cast<int64_t>(dim) == blob.getBoundedDim())
      os << "<=";
    os << extent << 'x';
  }
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
      {"argsort", GraphFamily::Shape},
      {"merge_runs", GraphFamily::Shape},
      {"arg", GraphFamily::Reduction},
      {"count", GraphFamily::Reduction},
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
      {"group", GraphFamily::Shape},
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
  node.text.family = getFamily(op);
  node.text.title = title.str();
  node.text.name = formatName(op->getLoc());
  node.isGradient = StringRef(node.text.name).starts_with("gradient of");
  OpCost cost = getOpCost(op);
  SmallVector<std::string> details;
  if (std::string line = formatLine(op->getLoc()); !line.empty())
    details.push_back(line);
  if (cost.flops)
    details.push_back(formatFlops(cost.flops));
  node.text.detail = llvm::join(details, " · ");

  llvm::raw_string_ostream os(node.text.tooltip);
  os << op->getName();
  if (!node.text.name.empty())
    os << "\n" << node.text.name;
  if (std::optional<UserLocation> line = getUserLocation(op->getLoc()))
    os << "\n" << line->str();
  if (cost.flops)
    os << "\nFLOPs: " << formatDigits(cost.flops);
  if (cost.bytesRead || cost.bytesWritten)
    os << "\nreads " << formatDigits(cost.bytesRead) << " bytes, writes "
       << formatDigits(cost.bytesWritten);
  return node;
}

/// A box for memory: what it is called and what it is.
static GraphNode makeMemoryNode(GraphFamily family, StringRef title,
                                StringRef name) {
  GraphNode node;
  node.text.family = family;
  node.text.title = title.str();
  node.text.name = name.str();
  node.isMemory = true;
  return node;
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
      it->second = graph.nodes.size();
      graph.nodes.push_back(GraphNode(graph.nodes[from]));
    }
    hasUser[from] = true;
    edge.from = it->second;
  }
}

/// The row of each box when every edge leads down and a box stands as close as
/// it can above the first that reads it. Boxes on a cycle, and those below
/// one, stay at the top.
static std::vector<unsigned> computeRows(const Graph &graph) {
  std::vector<SmallVector<unsigned>> readers(graph.nodes.size());
  std::vector<unsigned> missing(graph.nodes.size()), rows(graph.nodes.size());
  for (const GraphEdge &edge : graph.edges) {
    readers[edge.from].push_back(edge.to);
    ++missing[edge.to];
  }
  std::vector<unsigned> order;
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    if (missing[node] == 0)
      order.push_back(node);
  for (unsigned i = 0; i < order.size(); ++i)
    for (unsigned reader : readers[order[i]]) {
      rows[reader] = std::max(rows[reader], rows[order[i]] + 1);
      if (--missing[reader] == 0)
        order.push_back(reader);
    }
  for (unsigned node : llvm::reverse(order)) {
    unsigned first = ~0u;
    for (unsigned reader : readers[node])
      first = std::min(first, rows[reader]);
    if (first != ~0u && first > rows[node])
      rows[node] = first - 1;
  }
  return rows;
}

/// Longer edges begin at another box with the title of the producer. In a deep
/// network the edges from forward to gradient ops would cross the whole
/// picture, and `dot` would take minutes to place them.
static constexpr unsigned kMaxRows = 32;

static void splitLongEdges(Graph &graph) {
  std::vector<unsigned> rows = computeRows(graph);
  for (GraphEdge &edge : graph.edges) {
    if (edge.isOrder || rows[edge.to] <= rows[edge.from] + kMaxRows)
      continue;
    const GraphNode &from = graph.nodes[edge.from];
    GraphNode copy =
        makeMemoryNode(from.text.family, from.text.title, from.text.name);
    copy.text.detail = "made above";
    copy.text.tooltip = from.text.tooltip;
    copy.frame = graph.nodes[edge.to].frame;
    copy.values.push_back(from.values[edge.value]);
    edge.from = graph.nodes.size();
    edge.value = 0;
    graph.nodes.push_back(std::move(copy));
  }
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

namespace {

/// Builds the graph of a job.
class JobGraphBuilder {
public:
  JobGraphBuilder(FuncOp func, Graph &graph, bool joinUpdates)
      : func(func), graph(graph), joinUpdates(joinUpdates) {}

  void build();

private:
  void add(GraphNode node, ValueRange results);
  unsigned addFrame(GraphNode head);
  void addOp(Operation *op);
  void addKernel(KernelOp kernel);
  void addMicroSteps(MicroStepsOp steps);
  void connect(Value value, unsigned to);
  std::string getUpdate(Operation *op) const;
  void addToUpdate(Operation *op, StringRef update);
  Value resolve(Value value) const;
  std::optional<std::string> getNumber(Value value) const;
  std::string formatOp(Operation *op) const;

  FuncOp func;
  Graph &graph;
  bool joinUpdates;
  /// The frame around the boxes that are added.
  unsigned frame = 0;
  /// The box that makes a blob, and which of its values it is; kNoValue for
  /// what stays within an update so far.
  DenseMap<Value, std::pair<unsigned, unsigned>> producers;
  static constexpr unsigned kNoValue = ~0u;
  /// The operand or yielded value that a block argument or result of a region
  /// op is another name of.
  DenseMap<Value, Value> aliases;
  /// The box of an update by its name, and the ops that it stands for.
  llvm::StringMap<unsigned> updates;
  DenseMap<unsigned, SmallVector<Operation *>> updateOps;
};

} // namespace

Value JobGraphBuilder::resolve(Value value) const {
  for (auto it = aliases.find(value); it != aliases.end();
       it = aliases.find(value))
    value = it->second;
  return value;
}

/// A constant that is one number, as text.
std::optional<std::string> JobGraphBuilder::getNumber(Value value) const {
  auto constant = resolve(value).getDefiningOp<ConstantOp>();
  std::optional<double> splat = constant ? constant.getSplat() : std::nullopt;
  if (!splat)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", *splat);
  return text;
}

/// The mnemonic, with the operands that are numbers: "multiply(·, 0.9)".
std::string JobGraphBuilder::formatOp(Operation *op) const {
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

void JobGraphBuilder::add(GraphNode node, ValueRange results) {
  unsigned index = graph.nodes.size();
  node.frame = frame;
  for (Value result : results) {
    producers[result] = {index, static_cast<unsigned>(node.values.size())};
    node.values.push_back(makeValue(result.getType()));
  }
  graph.nodes.push_back(std::move(node));
}

void JobGraphBuilder::connect(Value value, unsigned to) {
  if (getNumber(value))
    return;
  auto &[from, index] = producers[resolve(value)];
  if (from == to)
    return;
  if (index == kNoValue) {
    index = graph.nodes[from].values.size();
    graph.nodes[from].values.push_back(makeValue(value.getType()));
  }
  GraphEdge edge{from, index, to};
  // An update reads some blobs often.
  bool isThere = llvm::any_of(graph.edges, [&](const GraphEdge &other) {
    return other.from == edge.from && other.value == edge.value &&
           other.to == edge.to;
  });
  if (!isThere)
    graph.edges.push_back(edge);
}

/// The update that an op is part of, by its name; empty for none.
std::string JobGraphBuilder::getUpdate(Operation *op) const {
  if (!joinUpdates || frame != 0)
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
    graph.nodes.back().text.family = GraphFamily::Optimizer;
  }
  SmallVector<Operation *> &ops = updateOps[index];
  ops.push_back(op);
  for (Value operand : op->getOperands())
    connect(operand, index);
  for (Value result : op->getResults())
    producers[result] = {index, kNoValue};

  GraphText &text = graph.nodes[index].text;
  if (auto assign = dyn_cast<AssignOp>(op)) {
    // Of the variable and the optimizer's state of it, whose names are longer.
    std::string title = "update " + assign.getVariable().str();
    if (text.title == "update" || title.size() < text.title.size())
      text.title = title;
  }
  int64_t flops = 0;
  for (Operation *other : ops)
    flops = addOperationCounts(flops, getFlops(other));
  text.detail = std::to_string(ops.size()) + " ops · " + formatFlops(flops);
}

/// A frame within the present one that says what `head` does.
unsigned JobGraphBuilder::addFrame(GraphNode head) {
  graph.frames.push_back({std::move(head.text), frame});
  return graph.frames.size() - 1;
}

void JobGraphBuilder::addKernel(KernelOp kernel) {
  Block &block = kernel.getBody().front();
  GraphNode head = makeNode(kernel, "kernel");
  head.text.family = GraphFamily::Kernel;
  llvm::SaveAndRestore inKernel(frame, addFrame(std::move(head)));
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), kernel->getOperands()))
    aliases[argument] = operand;
  unsigned firstNode = graph.nodes.size();
  for (Operation &op : block.without_terminator())
    addOp(&op);

  // What is not yielded never reaches memory.
  DenseSet<std::pair<unsigned, unsigned>> yielded;
  for (Value value : block.getTerminator()->getOperands())
    if (auto it = producers.find(resolve(value)); it != producers.end())
      yielded.insert(it->second);
  for (unsigned node = firstNode; node < graph.nodes.size(); ++node)
    for (auto [index, value] : llvm::enumerate(graph.nodes[node].values))
      if (!yielded.contains({node, index}))
        value = {};

  for (auto [result, value] : llvm::zip_equal(
           kernel->getResults(), block.getTerminator()->getOperands())) {
    if (std::optional<std::string> number = getNumber(value))
      add(makeMemoryNode(GraphFamily::Variable, *number, ""), result);
    else
      aliases[result] = value;
  }
}

void JobGraphBuilder::addMicroSteps(MicroStepsOp steps) {
  GraphNode head = makeNode(
      steps, "micro_steps (" + std::to_string(steps.getCount()) + " times)");
  llvm::SaveAndRestore inSteps(frame, addFrame(std::move(head)));
  for (auto [argument, operand] :
       llvm::zip_equal(steps.getPartArguments(), steps.getRows())) {
    add(makeMemoryNode(GraphFamily::Port, "part", "of this micro-step"),
        argument);
    connect(operand, graph.nodes.size() - 1);
  }
  for (auto [argument, operand] :
       llvm::zip_equal(steps.getSharedArguments(), steps.getShared()))
    aliases[argument] = operand;
  for (BlockArgument argument : steps.getSumArguments())
    add(makeMemoryNode(GraphFamily::Port, "sum", "of earlier micro-steps"),
        argument);
  for (Operation &op : steps.getBody().front().without_terminator())
    addOp(&op);
  for (auto [result, value] :
       llvm::zip_equal(steps.getSums(), steps.getYieldedSums()))
    aliases[result] = value;
  for (auto [result, value] :
       llvm::zip_equal(steps.getPacked(), steps.getYieldedParts())) {
    add(makeMemoryNode(GraphFamily::Port, "packed", "of all micro-steps"),
        result);
    connect(value, graph.nodes.size() - 1);
  }
}

void JobGraphBuilder::addOp(Operation *op) {
  if (op->getNumResults() == 1 && getNumber(op->getResult(0)))
    return;
  if (std::string update = getUpdate(op); !update.empty())
    return addToUpdate(op, update);
  if (auto kernel = dyn_cast<KernelOp>(op))
    return addKernel(kernel);
  if (auto steps = dyn_cast<MicroStepsOp>(op))
    return addMicroSteps(steps);
  std::string title =
      TypeSwitch<Operation *, std::string>(op)
          .Case([](ReadOp read) { return read.getVariable().str(); })
          .Case([](AssignOp assign) { return assign.getVariable().str(); })
          .Case([](UpdateOp update) {
            return "update " + update.getVariable().str();
          })
          .Default([&](Operation *other) { return formatOp(other); });
  GraphNode node = makeNode(op, title);
  if (isa<ReadOp, AssignOp, ConstantOp>(op)) {
    node.text.family = GraphFamily::Variable;
    node.isMemory = true;
    node.text.name = isa<AssignOp>(op)     ? "assigned"
                     : isa<ConstantOp>(op) ? ""
                                           : "variable";
    node.text.detail.clear();
  }
  unsigned index = graph.nodes.size();
  add(std::move(node), op->getResults());
  for (Value operand : op->getOperands())
    connect(operand, index);
}

void JobGraphBuilder::build() {
  graph.frames.front().text.title = ("job " + func.getSymName() + " (" +
                                     stringifyJobKind(func.getKind()) + ")")
                                        .str();
  for (BlockArgument argument : func.getArguments())
    add(makeMemoryNode(GraphFamily::Port,
                       func.getArgumentName(argument.getArgNumber()), "input"),
        argument);
  for (Operation &op : func.getBody().front().without_terminator())
    addOp(&op);
  for (OpOperand &operand : func.getReturn()->getOpOperands()) {
    add(makeMemoryNode(GraphFamily::Port,
                       func.getResultName(operand.getOperandNumber()),
                       "output"),
        {});
    connect(operand.get(), graph.nodes.size() - 1);
  }
}

Graph job::buildGraph(FuncOp func, bool joinUpdates) {
  Graph graph;
  JobGraphBuilder(func, graph, joinUpdates).build();
  splitMemory(graph);
  splitLongEdges(graph);
  return graph;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

/// Builds the graph of a program. An edge goes from the command that wrote
/// a buffer last to each that reads it. Edges of order go from the last command
/// of a queue to a record, from there to each wait for its event, and on to the
/// next command of the waiting queue.
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
  unsigned getFrame(Operation *command);
  void addCommand(Operation *command, unsigned index);
  unsigned addBox(Operation *command, unsigned index);
  unsigned addToUpdate(Operation *command, StringRef update,
                       ArrayRef<Value> reads, ArrayRef<Value> writes);
  void addOrder(plan::PlanCommandOpInterface command, unsigned box);

  plan::ProgramOp program;
  Graph &graph;
  bool joinUpdates;
  SymbolTableCollection symbols;
  /// The box of an update by its name, and the commands that it stands for.
  llvm::StringMap<unsigned> updates;
  DenseMap<unsigned, SmallVector<Operation *>> updateCommands;
  DenseMap<Memory, std::pair<unsigned, unsigned>> writers;
  /// The frame of each loop.
  DenseMap<plan::RepeatOp, unsigned> frames;
  /// Memory beyond the arena that commands have written, in order.
  SmallVector<Value> written;
  bool hasQueues = false;
  /// Of each queue the box of the last command, and whether that is a wait.
  DenseMap<uint64_t, std::pair<unsigned, bool>> lastOnQueue;
  /// The box of the record of each event.
  DenseMap<Value, unsigned> records;
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
    auto [title, name] = describeMemory(root);
    GraphNode node = makeMemoryNode(
        isa<plan::InputOp>(root) ? GraphFamily::Port : GraphFamily::Variable,
        title, name);
    node.values.push_back(makeValue(root->getResult(0).getType()));
    graph.nodes.push_back(std::move(node));
  }
  return it->second;
}

/// The frame of the loop around a command, or of the whole graph.
unsigned ProgramGraphBuilder::getFrame(Operation *command) {
  auto repeat = dyn_cast<plan::RepeatOp>(command->getParentOp());
  if (!repeat)
    return 0;
  auto [it, isNew] = frames.try_emplace(repeat, graph.frames.size());
  if (isNew) {
    GraphFrame &frame = graph.frames.emplace_back();
    frame.text.title =
        "repeat (" + std::to_string(repeat.getCount()) + " times)";
  }
  return it->second;
}

unsigned ProgramGraphBuilder::addToUpdate(Operation *command, StringRef update,
                                          ArrayRef<Value> reads,
                                          ArrayRef<Value> writes) {
  auto [it, isNew] = updates.try_emplace(update, graph.nodes.size());
  unsigned box = it->second;
  if (isNew) {
    graph.nodes.push_back(makeNode(command, "update"));
    graph.nodes.back().text.family = GraphFamily::Optimizer;
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
  std::string title = graph.nodes[box].text.title;
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
  GraphText &text = graph.nodes[box].text;
  text.title = title;
  SmallVector<Operation *> &commands = updateCommands[box];
  commands.push_back(command);
  int64_t flops = 0;
  for (Operation *other : commands)
    flops = addOperationCounts(flops, getFlops(other));
  text.detail =
      std::to_string(commands.size()) + " commands · " + formatFlops(flops);
  return box;
}

void ProgramGraphBuilder::addCommand(Operation *command, unsigned index) {
  unsigned box = addBox(command, index);
  if (hasQueues)
    addOrder(cast<plan::PlanCommandOpInterface>(command), box);
}

/// Adds the edges of order between queues. The order on a queue is that of the
/// numbers of its commands.
void ProgramGraphBuilder::addOrder(plan::PlanCommandOpInterface command,
                                   unsigned box) {
  auto add = [&](unsigned from) {
    if (from != box)
      graph.edges.push_back({from, 0, box, /*isOrder=*/true});
  };
  auto record = dyn_cast<plan::RecordOp>(*command);
  auto wait = dyn_cast<plan::WaitOp>(*command);
  auto last = lastOnQueue.find(command.getQueue());
  if (last != lastOnQueue.end() && (record || last->second.second))
    add(last->second.first);
  if (record)
    records[record.getEvent()] = box;
  if (wait)
    add(records.at(wait.getEvent()));
  lastOnQueue[command.getQueue()] = {box, wait != nullptr};
}

/// The box of a command, with the edges of its buffers.
unsigned ProgramGraphBuilder::addBox(Operation *command, unsigned index) {
  auto interface = cast<plan::PlanCommandOpInterface>(command);
  SmallVector<Value> reads = plan::getReadBuffers(interface);
  SmallVector<Value> writes = plan::getWrittenBuffers(interface);
  std::string title = interface.getTitle();
  int64_t chunks = interface.getChunkCount().value_or(0);
  if (std::string name = getUserName(command->getLoc());
      joinUpdates && StringRef(name).starts_with("update of"))
    return addToUpdate(command, name, reads, writes);
  GraphNode node = makeNode(command, title);
  if (isa<plan::DispatchOp>(command))
    node.text.family = GraphFamily::Kernel;
  node.text.title = "#" + std::to_string(index) + "  " + node.text.title;
  if (chunks > 1)
    node.text.detail += (node.text.detail.empty() ? "" : " · ") +
                        std::to_string(chunks) + " chunks";
  if (hasQueues)
    node.text.detail += (node.text.detail.empty() ? "" : " · ") +
                        ("queue " + std::to_string(interface.getQueue()));
  node.frame = getFrame(command);

  SmallVector<std::pair<unsigned, unsigned>> sources;
  for (Value buffer : reads)
    sources.push_back(getWriter(buffer));
  unsigned box = graph.nodes.size();
  for (auto [from, value] : sources)
    graph.edges.push_back({from, value, box});
  for (Value buffer : writes) {
    plan::BufferPlace place = plan::getBufferPlace(buffer, symbols);
    GraphValue value = makeValue(buffer.getType());
    if (place.space.getRole() == plan::SpaceRole::Arena && place.offset)
      value.label += " @" + formatDigits(*place.offset);
    writers[getMemory(buffer)] = {box,
                                  static_cast<unsigned>(node.values.size())};
    node.values.push_back(value);
    bool isNew = llvm::none_of(written, [&](Value other) {
      return getMemory(other) == getMemory(buffer);
    });
    if (isNew && place.space.getRole() != plan::SpaceRole::Arena)
      written.push_back(buffer);
  }
  graph.nodes.push_back(std::move(node));
  return box;
}

void ProgramGraphBuilder::build() {
  hasQueues = llvm::any_of(plan::getCommands(program),
                           [](plan::PlanCommandOpInterface command) {
                             return command.getQueue() != 0;
                           });
  for (auto [index, command] : llvm::enumerate(plan::getCommands(program)))
    addCommand(command, index);
  // What the step leaves behind.
  for (Value buffer : written) {
    Operation *root = plan::getBufferRoot(buffer);
    auto [title, name] = describeMemory(root);
    GraphNode node = makeMemoryNode(
        isa<plan::OutputOp>(root) ? GraphFamily::Port : GraphFamily::Variable,
        title, isa<plan::GetVariableOp>(root) ? "assigned" : name);
    auto [from, value] = writers.at(getMemory(buffer));
    graph.edges.push_back(
        {from, value, static_cast<unsigned>(graph.nodes.size())});
    graph.nodes.push_back(std::move(node));
  }
}

Graph job::buildGraph(plan::ProgramOp program, bool joinUpdates) {
  Graph graph;
  llvm::raw_string_ostream os(graph.frames.front().text.title);
  os << "program " << program.getSymName() << " ("
     << stringifyJobKind(program.getKind()) << ")";
  if (auto arena = program.getSize(plan::SpaceRole::Arena))
    os << " · arena " << formatBytes(arena->bytes);
  ProgramGraphBuilder(program, graph, joinUpdates).build();
  splitMemory(graph);
  splitLongEdges(graph);
  return graph;
}

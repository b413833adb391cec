//===- Parser.cpp - The text of PTX ---------------------------------------===//

#include "simulators/cuda/ptx/Parser.h"

#include <charconv>
#include <cstring>

using namespace jobsim;
using namespace jobsim::ptx;

/// What a register holds that nothing has written.
static constexpr uint64_t kPattern = 0xa5a5a5a5a5a5a5a5;

// More than any kernel may have: of shared memory in a block, of local memory
// and registers in a thread, and of constants in a module.
static constexpr uint64_t kMaxSharedBytes = 256 << 10;
static constexpr uint64_t kMaxLocalBytes = 512 << 10;
static constexpr uint64_t kMaxConstantBytes = 1 << 30;
static constexpr uint64_t kMaxSlots = 1 << 18;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static std::string atLine(unsigned line, const std::string &what) {
  return "line " + std::to_string(line) + ": " + what;
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

std::vector<Token> ptx::tokenize(std::string_view text) {
  std::vector<Token> tokens;
  unsigned line = 1;
  size_t i = 0, size = text.size();
  auto add = [&](Token::Kind kind, size_t end) {
    tokens.push_back({kind, text.substr(i, end - i), line});
    i = end;
  };
  while (i < size) {
    char c = text[i];
    if (c == '\n')
      ++line;
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), size);
    } else if (text.substr(i, 2) == "/*") {
      size_t end = text.find("*/", i + 2);
      if (end == text.npos)
        throw ParseError(atLine(line, "a comment without an end"));
      line += std::count(text.begin() + i, text.begin() + end, '\n');
      i = end + 2;
    } else if (c == '"') {
      size_t end = text.find('"', i + 1);
      if (end == text.npos)
        throw ParseError(atLine(line, "a string without an end"));
      add(Token::Kind::kString, end + 1);
    } else if (isDigit(c) || isWordStart(c)) {
      size_t end = i + 1;
      while (end < size && (isDigit(text[end]) || isWordStart(text[end])))
        ++end;
      add(isDigit(c) ? Token::Kind::kNumber : Token::Kind::kWord, end);
    } else {
      add(Token::Kind::kPunctuation, i + 1);
    }
  }
  tokens.push_back({Token::Kind::kEnd, "the end", line});
  return tokens;
}

void Parser::fail(const std::string &what) const {
  throw ParseError(atLine(peek().line, what));
}

Token Parser::take() {
  Token token = peek();
  if (token.kind != Token::Kind::kEnd)
    ++position;
  return token;
}

bool Parser::at(std::string_view text) const {
  return peek().kind != Token::Kind::kEnd && peek().text == text;
}

bool Parser::takeIf(std::string_view text) {
  if (!at(text))
    return false;
  take();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!takeIf(text))
    fail("expected '" + std::string(text) + "' but got '" +
         std::string(peek().text) + "'");
}

/// An integer, or the bits of a float: 0f3F800000 or 0d3FF0000000000000.
uint64_t Parser::takeInteger() {
  bool isNegative = takeIf("-");
  if (peek().kind != Token::Kind::kNumber)
    fail("expected a number but got '" + std::string(peek().text) + "'");
  std::string_view text = peek().text;
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    bool isHex = std::string_view("xXfFdD").find(text[1]) != text.npos;
    bool isBinary = text[1] == 'b' || text[1] == 'B';
    base = isHex ? 16 : isBinary ? 2 : 8;
    text.remove_prefix(isHex || isBinary ? 2 : 1);
  }
  if (text.ends_with('U'))
    text.remove_suffix(1);
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    fail("expected a number but got '" + std::string(peek().text) + "'");
  take();
  return isNegative ? 0 - value : value;
}

/// Of lines of source files.
void Parser::skipLine() {
  unsigned line = peek().line;
  while (peek().kind != Token::Kind::kEnd && peek().line == line)
    take();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// .version 8.1 .target sm_90 .address_size 64
void Parser::parseHeader() {
  expect(".version");
  take();
  expect(".target");
  std::string_view target = take().text;
  // A letter follows in sm_90a.
  if (target.starts_with("sm_"))
    std::from_chars(target.data() + 3, target.data() + target.size(),
                    module.target);
  if (module.target <= 0)
    fail("expected a target sm_90 and so on but got '" + std::string(target) +
         "'");
  while (takeIf(","))
    take();
  expect(".address_size");
  expect("64");
}

void Parser::parse() {
  parseHeader();
  while (peek().kind != Token::Kind::kEnd)
    parseDirective();
  finishModule();
}

void Parser::parseDirective() {
  if (at(".file") || at(".loc"))
    return skipLine();
  while (takeIf(".visible") || takeIf(".weak") || takeIf(".extern")) {
  }
  if (at(".entry"))
    return parseKernel();
  if (at(".global") || at(".const") || at(".shared"))
    return parseVariable(nullptr);
  fail("unknown directive '" + std::string(peek().text) + "'");
}

/// Memory of a module, which does not move.
std::byte *Parser::addConstant(uint64_t bytes, uint64_t alignment) {
  module.memory.push_back(std::make_unique<std::byte[]>(bytes + alignment));
  std::byte *memory = module.memory.back().get();
  auto address = reinterpret_cast<uintptr_t>(memory);
  memory += (alignment - address % alignment) % alignment;
  address = reinterpret_cast<uintptr_t>(memory);
  module.ranges.push_back({address, address + bytes});
  return memory;
}

uint64_t Parser::place(Space space, uint64_t bytes, uint64_t alignment,
                       Kernel *kernel) {
  if (space == Space::kGlobal) {
    constantBytes += bytes;
    if (constantBytes > kMaxConstantBytes)
      fail("more constants than a module may have");
    return reinterpret_cast<uintptr_t>(addConstant(bytes, alignment));
  }
  if (!kernel)
    fail("expected shared memory inside of a kernel");
  bool isShared = space == Space::kShared;
  uint32_t &used = isShared ? kernel->sharedBytes : kernel->localBytes;
  uint64_t offset = (used + alignment - 1) / alignment * alignment;
  if (offset + bytes > (isShared ? kMaxSharedBytes : kMaxLocalBytes))
    fail(std::string("more ") + (isShared ? "shared" : "local") +
         " memory than a kernel may have");
  used = static_cast<uint32_t>(offset + bytes);
  return offset;
}

/// .shared .align 16 .b8 name[256] = {...};
void Parser::parseVariable(Kernel *kernel) {
  std::string_view word = take().text;
  Space space = word == ".shared"  ? Space::kShared
                : word == ".local" ? Space::kLocal
                                   : Space::kGlobal;
  uint64_t alignment = takeIf(".align") ? takeInteger() : 1;
  std::string_view typeName = take().text;
  std::optional<Type> type = parseType(typeName.substr(1));
  if (!type || *type == Type::kPred)
    fail("expected the type of a variable but got '" + std::string(typeName) +
         "'");
  std::string name(take().text);
  uint64_t count = 1;
  while (takeIf("[")) {
    // The product does not overflow, and is refused below.
    count = std::min(count * std::min(takeInteger(), kMaxConstantBytes + 1),
                     kMaxConstantBytes + 1);
    expect("]");
  }
  alignment = std::max<uint64_t>(alignment, bytesOf(*type));
  uint64_t bytes = count * bytesOf(*type);
  if (alignment > 4096 || !std::has_single_bit(alignment))
    fail("a variable aligned to " + std::to_string(alignment));
  uint64_t address = place(space, bytes, alignment, kernel);
  (kernel ? variables : globals)[name] = address;
  if (takeIf("=")) {
    if (space != Space::kGlobal)
      fail("expected values of a variable in global memory only");
    parseInitializer(bytesOf(*type), reinterpret_cast<std::byte *>(address),
                     bytes);
  }
  expect(";");
}

void Parser::parseInitializer(unsigned elementBytes, std::byte *memory,
                              uint64_t bytes) {
  bool isList = takeIf("{");
  uint64_t offset = 0;
  do {
    uint64_t value = takeInteger();
    if (offset + elementBytes > bytes)
      fail("more values than the variable has");
    std::memcpy(memory + offset, &value, elementBytes);
    offset += elementBytes;
  } while (isList && takeIf(","));
  if (isList)
    expect("}");
}

void Parser::finishModule() {
  for (Kernel &kernel : module.kernels)
    module.entries.push_back(
        {kernel.name.c_str(), nullptr,
         static_cast<uint32_t>(kernel.parameterBytes.size()),
         kernel.parameterBytes.data(), kernel.maxThreads, kernel.sharedBytes});
  module.description = {JOBSIM_ABI_VERSION,
                        static_cast<uint32_t>(module.entries.size()),
                        module.entries.data()};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Parser::parseKernel() {
  expect(".entry");
  registers.clear();
  constants.clear();
  constantSlots.clear();
  parameters.clear();
  variables.clear();
  labels.clear();
  tables.clear();
  branches.clear();
  sites = 0;
  Kernel kernel;
  kernel.name = take().text;
  for (const Kernel &other : module.kernels)
    if (other.name == kernel.name)
      fail("expected a kernel once but got '" + kernel.name + "' again");
  kernel.slots.assign(kFirstSlot, 0);
  kernel.maxThreads = 1024;
  constexpr std::pair<const char *, uint32_t> kSpecial[] = {
      {"%tid", kThreadId},
      {"%ntid", kBlockDim},
      {"%ctaid", kBlockId},
      {"%nctaid", kGridDim}};
  for (auto [name, slot] : kSpecial)
    for (unsigned i = 0; i < 3; ++i)
      registers[std::string(name) + "." + "xyz"[i]] = slot + i;
  registers["%laneid"] = kLane;
  registers["_"] = kSink;
  parseParameters(kernel);
  parseLimits(kernel);
  parseBody(kernel);
  module.kernels.push_back(std::move(kernel));
}

/// ( .param .u64 .ptr .global .align 64 name, .param .align 2 .b8 name[2] )
void Parser::parseParameters(Kernel &kernel) {
  if (!takeIf("("))
    return;
  while (!takeIf(")")) {
    expect(".param");
    uint64_t bytes = 0, count = 1;
    std::string name;
    while (!at(",") && !at(")")) {
      if (peek().kind == Token::Kind::kEnd)
        fail("expected the end of the parameters");
      if (takeIf(".align")) {
        takeInteger();
      } else if (takeIf("[")) {
        count = std::min<uint64_t>(takeInteger(), 1 << 16);
        expect("]");
      } else {
        std::string_view word = take().text;
        if (word.front() != '.')
          name = word;
        else if (std::optional<Type> type = parseType(word.substr(1)))
          bytes = bytesOf(*type);
      }
    }
    if (name.empty() || bytes == 0)
      fail("expected a parameter with a type and a name");
    parameters[name] = static_cast<uint32_t>(kernel.parameterBytes.size());
    kernel.parameterBytes.push_back(static_cast<uint32_t>(bytes * count));
    takeIf(",");
  }
}

/// .maxntid 256, 1, 1
void Parser::parseLimits(Kernel &kernel) {
  while (!at("{")) {
    if (peek().kind == Token::Kind::kEnd || peek().text.front() != '.')
      fail("expected the body of a kernel but got '" +
           std::string(peek().text) + "'");
    bool isThreads = at(".maxntid") || at(".reqntid");
    take();
    uint64_t product = 1;
    while (peek().kind == Token::Kind::kNumber) {
      product *= std::min<uint64_t>(takeInteger(), 1 << 16);
      takeIf(",");
    }
    if (isThreads)
      kernel.maxThreads =
          static_cast<uint32_t>(std::min<uint64_t>(product, kernel.maxThreads));
  }
}

void Parser::parseBody(Kernel &kernel) {
  expect("{");
  scopes.assign(1, {});
  while (!scopes.empty()) {
    if (peek().kind == Token::Kind::kEnd)
      fail("expected the end of a kernel");
    if (takeIf("{")) {
      scopes.emplace_back();
    } else if (takeIf("}")) {
      for (const std::string &name : scopes.back())
        registers.erase(name);
      scopes.pop_back();
    } else if (!parseDeclaration(kernel)) {
      parseInstruction(kernel);
    }
  }
  finishBranches(kernel);
}

bool Parser::parseDeclaration(Kernel &kernel) {
  if (at(".reg")) {
    parseRegisters(kernel);
  } else if (at(".shared") || at(".local") || at(".global") || at(".const")) {
    parseVariable(&kernel);
  } else if (at(".loc") || at(".file")) {
    skipLine();
  } else if (at(".pragma")) {
    while (!takeIf(";"))
      if (take().kind == Token::Kind::kEnd)
        fail("expected the end of a pragma");
  } else if (peek().kind == Token::Kind::kWord &&
             tokens[position + 1].text == ":") {
    std::string label(take().text);
    take();
    if (at(".branchtargets"))
      parseTargets(label);
    else if (!labels.insert({label, static_cast<uint32_t>(kernel.code.size())})
                  .second)
      fail("expected a label once but got '" + label + "' again");
  } else {
    return false;
  }
  return true;
}

void Parser::addRegister(Kernel &kernel, const std::string &name) {
  auto slot = static_cast<uint32_t>(kernel.slots.size());
  if (slot == kMaxSlots)
    fail("more registers than a kernel may have");
  // PTX allows a name of an outer scope again. LLVM does not use that.
  if (!registers.insert({name, slot}).second)
    fail("expected a register once but got '" + name + "' again");
  scopes.back().push_back(name);
  kernel.slots.push_back(kPattern);
}

/// .reg .b32 %r<20>;
void Parser::parseRegisters(Kernel &kernel) {
  expect(".reg");
  std::string_view type = take().text;
  if (!parseType(type.substr(1)))
    fail("expected the type of registers but got '" + std::string(type) + "'");
  do {
    std::string name(take().text);
    if (!takeIf("<")) {
      addRegister(kernel, name);
      continue;
    }
    uint64_t count = takeInteger();
    for (uint64_t i = 0; i < count; ++i)
      addRegister(kernel, name + std::to_string(i));
    expect(">");
  } while (takeIf(","));
  expect(";");
}

/// $L_brx_0: .branchtargets $L__BB0_5, $L__BB0_6;
void Parser::parseTargets(const std::string &label) {
  expect(".branchtargets");
  std::vector<std::string> &table = tables[label];
  do
    table.emplace_back(take().text);
  while (takeIf(","));
  expect(";");
}

void Parser::finishBranches(Kernel &kernel) {
  for (const Branch &branch : branches) {
    auto find = [&](const std::string &label) {
      auto found = labels.find(label);
      if (found == labels.end())
        throw ParseError(atLine(branch.line, "no label '" + label + "'"));
      return found->second;
    };
    Instruction &instruction = kernel.code[branch.instruction];
    auto table = tables.find(branch.label);
    if (!branch.isTable) {
      instruction.target = find(branch.label);
      continue;
    }
    if (table == tables.end())
      throw ParseError(atLine(branch.line, "no table '" + branch.label + "'"));
    for (const std::string &label : table->second)
      instruction.targets.push_back(find(label));
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Not a constant, and not a special register.
bool Parser::isWritable(uint32_t slot) const {
  return slot == kSink || (slot >= kFirstSlot && !constantSlots.contains(slot));
}

uint32_t Parser::constant(Kernel &kernel, uint64_t value) {
  auto [place, isNew] = constants.insert({value, 0});
  if (isNew) {
    place->second = static_cast<uint32_t>(kernel.slots.size());
    constantSlots.insert(place->second);
    kernel.slots.push_back(value);
  }
  return place->second;
}

/// Of a register or the address of a variable.
uint32_t Parser::slotOf(Kernel &kernel, std::string_view text) {
  std::string name(text);
  if (auto found = registers.find(name); found != registers.end())
    return found->second;
  for (const auto *scope : {&variables, &globals})
    if (auto found = scope->find(name); found != scope->end())
      return constant(kernel, found->second);
  fail("no register or variable '" + name + "'");
}

uint32_t Parser::takeSlot(Kernel &kernel) {
  if (peek().kind == Token::Kind::kNumber || at("-"))
    return constant(kernel, takeInteger());
  uint32_t slot = slotOf(kernel, peek().text);
  take();
  return slot;
}

/// [%rd1+8], [kernel_param_0], [variable+4]
void Parser::parseAddress(Kernel &kernel, Operand &operand) {
  operand.kind = Operand::Kind::kAddress;
  if (auto found = parameters.find(std::string(peek().text));
      found != parameters.end()) {
    operand.kind = Operand::Kind::kParameter;
    operand.parameter = found->second;
    take();
  } else {
    operand.slots.push_back(takeSlot(kernel));
  }
  if (takeIf("+") || at("-"))
    operand.offset = static_cast<int64_t>(takeInteger());
  expect("]");
}

Operand Parser::parseOperand(Kernel &kernel, bool isBranch) {
  Operand operand;
  if (takeIf("[")) {
    parseAddress(kernel, operand);
    return operand;
  }
  if (takeIf("{")) {
    operand.kind = Operand::Kind::kVector;
    do
      operand.slots.push_back(takeSlot(kernel));
    while (takeIf(","));
    expect("}");
    if (operand.slots.size() > 8)
      fail("expected at most 8 elements of a vector");
    return operand;
  }
  if (isBranch && peek().kind == Token::Kind::kWord &&
      peek().text.front() != '%') {
    operand.kind = Operand::Kind::kName;
    operand.name = take().text;
    return operand;
  }
  operand.slots.push_back(takeSlot(kernel));
  if (takeIf("|"))
    operand.slots.push_back(takeSlot(kernel));
  return operand;
}

static std::vector<std::string> splitWords(std::string_view name) {
  std::vector<std::string> words;
  while (true) {
    size_t dot = name.find('.');
    words.emplace_back(name.substr(0, dot));
    if (dot == name.npos)
      return words;
    name.remove_prefix(dot + 1);
  }
}

void Parser::parseInstruction(Kernel &kernel) {
  Instruction instruction;
  if (takeIf("@")) {
    instruction.guardNegated = takeIf("!");
    instruction.guard = takeSlot(kernel) + 1;
  }
  unsigned line = peek().line;
  if (peek().kind != Token::Kind::kWord)
    fail("expected an instruction but got '" + std::string(peek().text) + "'");
  std::string name(take().text);
  Statement statement;
  statement.words = splitWords(name);
  bool isBranch = statement.name() == "bra" || statement.name() == "brx";
  while (!takeIf(";")) {
    statement.operands.push_back(parseOperand(kernel, isBranch));
    if (!at(";"))
      expect(",");
  }
  if (isBranch && !statement.operands.empty() &&
      statement.operands.back().kind == Operand::Kind::kName)
    branches.push_back({kernel.code.size(), statement.operands.back().name,
                        line, statement.name() == "brx"});
  if (statement.hasResult())
    for (uint32_t slot : statement.operands.front().slots)
      if (!isWritable(slot))
        fail("expected a register for the result of '" + name + "'");
  bool isAccess = decodeAccess(statement, kernel, instruction);
  bool isControl = !isAccess && decodeControl(statement, instruction);
  if (!isAccess && !isControl && !decodeArithmetic(statement, instruction) &&
      !decodeBits(statement, instruction) &&
      !decodeComparison(statement, instruction) &&
      !decodeConversion(statement, instruction) &&
      !decodeMove(statement, instruction))
    throw ParseError(
        atLine(line, "unknown instruction or operands of '" + name + "'"));
  instruction.site = sites;
  if ((isAccess && !statement.has("param")) || name.starts_with("bar") ||
      statement.name() == "shfl")
    ++sites;
  kernel.code.push_back(std::move(instruction));
}

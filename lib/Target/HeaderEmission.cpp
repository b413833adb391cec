//===- HeaderEmission.cpp - A C header for one artifact -------------------===//
//
// Writes what a C program needs to know of an artifact ahead of time: names,
// shapes and sizes as constants, and a typed function a job over
// jobrt/c_api.h. Everything comes from the manifest, so that the two agree.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Target/HeaderEmission.h"

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/OutputFile.h"

#include "jobrt/abi.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace mlir::job;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The characters of `name` that an identifier may have, runs of others and of
/// underscores as one underscore; starts with a letter, ends with no
/// underscore.
static std::string getIdentifier(StringRef name) {
  std::string text;
  for (char c : name) {
    if (llvm::isAlnum(c))
      text += c;
    else if (!StringRef(text).ends_with("_"))
      text += '_';
  }
  if (StringRef(text).ends_with("_"))
    text.pop_back();
  if (text.empty() || !llvm::isAlpha(text.front()))
    text.insert(0, "x");
  return text;
}

/// Names that a parameter cannot have in C or C++, and names that the wrappers
/// or the usual headers use.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> reserved{
      // C
      "auto", "break", "case", "char", "const", "continue", "default", "do",
      "double", "else", "enum", "extern", "float", "for", "goto", "if",
      "inline", "int", "long", "register", "restrict", "return", "short",
      "signed", "sizeof", "static", "struct", "switch", "typedef", "union",
      "unsigned", "void", "volatile", "while", "alignas", "alignof", "bool",
      "constexpr", "false", "nullptr", "static_assert", "thread_local", "true",
      "typeof", "typeof_unqual", "asm",
      // C++
      "and", "and_eq", "bitand", "bitor", "catch", "char8_t", "char16_t",
      "char32_t", "class", "co_await", "co_return", "co_yield", "compl",
      "concept", "const_cast", "consteval", "constinit", "decltype", "delete",
      "dynamic_cast", "explicit", "export", "friend", "mutable", "namespace",
      "new", "noexcept", "not", "not_eq", "operator", "or", "or_eq", "private",
      "protected", "public", "reinterpret_cast", "requires", "static_cast",
      "template", "this", "throw", "try", "typeid", "typename", "using",
      "virtual", "wchar_t", "xor", "xor_eq",
      // Macros
      "NULL", "EOF", "errno", "stdin", "stdout", "stderr", "assert", "offsetof",
      "signals", "slots", "emit", "linux", "unix", "i386", "complex", "I",
      "min", "max",
      // The wrappers'
      "session", "error", "future"};
  // Types of <stdint.h>, and what begins as the runtime's names do.
  return reserved.contains(name) || name.ends_with("_t") ||
         name.starts_with_insensitive("jobrt");
}

/// A C string literal.
static std::string getLiteral(StringRef text) {
  std::string literal = "\"";
  llvm::raw_string_ostream os(literal);
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (llvm::isPrint(c) && c != '?')
      os << c;
    else // octal ends after three digits; a question mark may open a trigraph
      os << llvm::format("\\%03o", c);
  }
  os << '"';
  return literal;
}

/// Text that cannot end or open a comment.
static std::string getCommentText(StringRef text) {
  std::string out;
  for (char c : text) {
    if (!out.empty() &&
        ((out.back() == '*' && c == '/') || (out.back() == '/' && c == '*')))
      out += ' ';
    out += llvm::isPrint(c) && c != '\\' ? c : '?';
  }
  return out;
}

namespace {

/// Finds identifiers that nothing else in the header has.
class Names {
public:
  /// The first of `base`, `base_2`, `base_3`, ... for which all names of
  /// `derive` are free; they are taken.
  template <typename Derive> std::string take(std::string base, Derive derive) {
    std::string name = base;
    for (int64_t n = 2; !tryTake(derive(name)); ++n)
      name = base + "_" + std::to_string(n);
    return name;
  }

  bool isTaken(StringRef name) const { return taken.contains(name); }

private:
  bool tryTake(const SmallVector<std::string> &names) {
    if (llvm::any_of(names, [&](StringRef name) { return isTaken(name); }))
      return false;
    taken.insert_range(names);
    return true;
  }
  llvm::StringSet<> taken;
};

/// Suffixes of what is defined for an array.
constexpr StringLiteral kArraySuffixes[] = {
    "_INDEX", "_NAME", "_DTYPE", "_RANK", "_SHAPE", "_ELEMENTS", "_BYTES"};
/// And for a job.
constexpr StringLiteral kJobSuffixes[] = {"_INDEX",       "_NAME",
                                          "_NUM_INPUTS",  "_NUM_OUTPUTS",
                                          "_ARENA_BYTES", "_WORKSPACE_BYTES"};

template <size_t N>
SmallVector<std::string> appendEach(StringRef stem,
                                    const StringLiteral (&suffixes)[N]) {
  SmallVector<std::string> names;
  for (StringRef suffix : suffixes)
    names.push_back((stem + suffix).str());
  return names;
}

/// A variable, an input or an output.
struct Array {
  std::string name, dtype;
  SmallVector<int64_t> shape;
  /// Of an output with a bounded dimension: the output that has its count.
  std::optional<int64_t> count;
  int64_t boundedDim = 0;
  /// The macros' stem, and a parameter's name.
  std::string macro, parameter;

  int64_t getElements() const {
    int64_t elements = 1;
    for (int64_t extent : shape)
      elements *= extent;
    return elements;
  }
  int64_t getElementBytes() const { return job::getElementBytes(dtype); }
  StringRef getElementType() const { return getElementCType(dtype); }
  /// "JOBRT_F32".
  std::string getDType() const { return "JOBRT_" + StringRef(dtype).upper(); }
  /// "[100][10], 4000 bytes".
  std::string describe() const {
    std::string text;
    for (int64_t extent : shape)
      text += "[" + std::to_string(extent) + "]";
    return text + ", " + std::to_string(getElements() * getElementBytes()) +
           " bytes";
  }
};

struct Job {
  std::string name, kind;
  std::vector<Array> inputs, outputs;
  int64_t arenaBytes, workspaceBytes;
  /// The macros' stem and the function's name.
  std::string macro, function;
};

class HeaderBuilder {
public:
  HeaderBuilder(const json::Object &manifest, StringRef stem)
      : manifest(manifest) {
    prefix = getIdentifier(stem);
    // Names that begin so are the runtime's.
    if (StringRef(prefix).lower() == "jobrt" ||
        StringRef(prefix).starts_with_insensitive("jobrt_"))
      prefix.insert(0, "x");
    macroPrefix = StringRef(prefix).upper();
  }

  /// Writes the header, or says which name has no place in C.
  std::optional<std::string> write(raw_ostream &os);

private:
  std::vector<Array> getArrays(const json::Array &list) const;
  std::optional<std::string> findBadName() const;
  void read();
  void nameVariables();
  void nameJob(Job &job);
  void nameParameters(Job &job);
  void writeMemory(raw_ostream &os) const;
  void writeArray(raw_ostream &os, const Array &array, size_t index) const;
  void writeVariables(raw_ostream &os) const;
  void writeJobConstants(raw_ostream &os, const Job &job, size_t index) const;
  void writeFunction(raw_ostream &os, const Job &job, bool isSubmit) const;

  const json::Object &manifest;
  std::string prefix, macroPrefix;
  Names names;
  std::vector<Array> variables;
  std::vector<Job> jobs;
};

} // namespace

//===----------------------------------------------------------------------===//
// What the manifest says
//===----------------------------------------------------------------------===//

std::vector<Array> HeaderBuilder::getArrays(const json::Array &list) const {
  std::vector<Array> arrays;
  for (const json::Value &item : list) {
    const json::Object &object = *item.getAsObject();
    Array &array = arrays.emplace_back();
    array.name = object.getString("name")->str();
    array.dtype = object.getString("dtype")->str();
    for (const json::Value &extent : *object.getArray("shape"))
      array.shape.push_back(*extent.getAsInteger());
    array.count = object.getInteger("count");
    array.boundedDim = object.getInteger("bounded_dim").value_or(0);
  }
  return arrays;
}

void HeaderBuilder::read() {
  variables = getArrays(*manifest.getArray("variables"));
  for (const json::Value &item : *manifest.getArray("entries")) {
    const json::Object &object = *item.getAsObject();
    jobs.push_back({object.getString("name")->str(),
                    object.getString("kind")->str(),
                    getArrays(*object.getArray("inputs")),
                    getArrays(*object.getArray("outputs")),
                    *object.getInteger("arena_bytes"),
                    *object.getInteger("workspace_bytes"),
                    /*macro=*/"",
                    /*function=*/""});
  }
}

/// A string of C ends at its first zero byte.
std::optional<std::string> HeaderBuilder::findBadName() const {
  auto isBad = [](const auto &item) {
    return StringRef(item.name).contains('\0');
  };
  auto find = [&](const auto &items, StringRef what) {
    auto bad = llvm::find_if(items, isBad);
    return bad == items.end()
               ? std::string()
               : ("the name of " + what + " " + Twine(bad - items.begin()))
                     .str();
  };
  if (std::string bad = find(variables, "variable"); !bad.empty())
    return bad;
  if (std::string bad = find(jobs, "job"); !bad.empty())
    return bad;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Naming
//===----------------------------------------------------------------------===//

void HeaderBuilder::nameVariables() {
  for (Array &variable : variables) {
    std::string stem = macroPrefix + "_VARIABLE_" +
                       StringRef(getIdentifier(variable.name)).upper();
    variable.macro = names.take(
        stem, [](StringRef name) { return appendEach(name, kArraySuffixes); });
  }
}

/// Names of one list of parameters: as the user wrote them where C allows it.
void HeaderBuilder::nameParameters(Job &job) {
  llvm::StringSet<> taken;
  auto nameAll = [&](std::vector<Array> &arrays) {
    for (Array &array : arrays) {
      std::string base = getIdentifier(array.name);
      if (isReserved(base) || names.isTaken(base))
        base += "_";
      array.parameter = base;
      for (int64_t n = 2; !taken.insert(array.parameter).second; ++n)
        array.parameter = base + (StringRef(base).ends_with("_") ? "" : "_") +
                          std::to_string(n);
    }
  };
  nameAll(job.inputs);
  nameAll(job.outputs);
}

void HeaderBuilder::nameJob(Job &job) {
  std::string identifier =
      names.take(getIdentifier(job.name), [&](const std::string &name) {
        std::string macro = macroPrefix + "_" + StringRef(name).upper();
        SmallVector<std::string> derived = appendEach(macro, kJobSuffixes);
        derived.push_back(prefix + "_" + name);
        derived.push_back(prefix + "_" + name + "_submit");
        return derived;
      });
  job.macro = macroPrefix + "_" + StringRef(identifier).upper();
  job.function = prefix + "_" + identifier;
  auto nameAll = [&](std::vector<Array> &arrays, StringRef kind) {
    for (Array &array : arrays)
      array.macro = names.take(
          job.macro + kind.str() + StringRef(getIdentifier(array.name)).upper(),
          [](StringRef name) { return appendEach(name, kArraySuffixes); });
  };
  nameAll(job.inputs, "_INPUT_");
  nameAll(job.outputs, "_OUTPUT_");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void writeInteger(raw_ostream &os, const Twine &name, int64_t value) {
  os << "#define " << name << " INT64_C(" << value << ")\n";
}

/// The same text as the runtime's Artifact::driver().
static std::string getDriver(const json::Object &manifest) {
  std::string drivers;
  for (const json::Value &item : *manifest.getArray("devices")) {
    const json::Object &device = *item.getAsObject();
    StringRef kind = *device.getString("kind");
    if (!drivers.empty())
      drivers += ',';
    drivers += kind;
    if (kind != plan::stringifyDeviceKind(plan::DeviceKind::Host))
      drivers += (":" + Twine(device.getInteger("index").value_or(0))).str();
  }
  return drivers;
}

/// Adds the devices that have the constants of some commands in memory, by the
/// ends of their spaces' names.
static void findConstants(const json::Array &commands,
                          llvm::StringSet<> &devices) {
  for (const json::Value &item : commands) {
    const json::Object &command = *item.getAsObject();
    if (const json::Array *repeated = command.getArray("commands"))
      findConstants(*repeated, devices);
    if (const json::Array *buffers = command.getArray("args"))
      for (const json::Value &buffer : *buffers) {
        StringRef space = *buffer.getAsArray()->front().getAsString();
        if (space.consume_front("constant"))
          devices.insert(space);
      }
  }
}

void HeaderBuilder::writeMemory(raw_ostream &os) const {
  // By device, what the largest job needs.
  std::map<int64_t, int64_t> arenas, workspaces;
  auto addSpaces = [&](int64_t device, const json::Object &sizes) {
    arenas[device] = std::max(arenas[device], *sizes.getInteger("arena_bytes"));
    workspaces[device] =
        std::max(workspaces[device], *sizes.getInteger("workspace_bytes"));
  };
  int64_t input = 0, output = 0;
  llvm::StringSet<> withConstants;
  for (const json::Value &item : *manifest.getArray("entries")) {
    const json::Object &entry = *item.getAsObject();
    findConstants(*entry.getArray("commands"), withConstants);
    addSpaces(0, entry);
    if (const json::Array *spaces = entry.getArray("spaces"))
      for (const json::Value &sizes : *spaces)
        addSpaces(*sizes.getAsObject()->getInteger("device"),
                  *sizes.getAsObject());
    input = std::max(input, *entry.getInteger("input_bytes"));
    output = std::max(output, *entry.getInteger("output_bytes"));
  }
  auto sum = [](const std::map<int64_t, int64_t> &sizes) {
    int64_t bytes = 0;
    for (auto [device, size] : sizes)
      bytes += size;
    return bytes;
  };
  int64_t arena = sum(arenas), workspace = sum(workspaces);
  int64_t bank = *manifest.getInteger("bank_bytes");
  if (const json::Array *banks = manifest.getArray("banks"))
    for (const json::Value &other : *banks)
      bank += *other.getAsObject()->getInteger("bytes");
  const std::string &p = macroPrefix;
  os << "/* Memory of a session in bytes: the variables, the constants, the "
        "scratch memory\n * that all jobs share, that of library calls, and "
        "the inputs and outputs of one\n * step in flight. */\n";
  writeInteger(os, p + "_BANK_BYTES", bank);
  int64_t copies = withConstants.size();
  writeInteger(os, p + "_CONSTANTS_BYTES",
               copies * *manifest.getInteger("constants_bytes"));
  writeInteger(os, p + "_ARENA_BYTES", arena);
  writeInteger(os, p + "_WORKSPACE_BYTES", workspace);
  writeInteger(os, p + "_STAGING_BYTES", input + output);
  os << "/* All of it, with room for that many steps in flight. */\n"
     << "#define " << p << "_MEMORY_BYTES(credits) \\\n  (" << p
     << "_BANK_BYTES + " << p << "_CONSTANTS_BYTES + " << p
     << "_ARENA_BYTES + \\\n   " << p << "_WORKSPACE_BYTES + (credits) * " << p
     << "_STAGING_BYTES)\n\n";
}

void HeaderBuilder::writeArray(raw_ostream &os, const Array &array,
                               size_t index) const {
  os << "#define " << array.macro << "_INDEX " << index << "\n";
  os << "#define " << array.macro << "_NAME " << getLiteral(array.name) << "\n";
  os << "#define " << array.macro << "_DTYPE " << array.getDType() << "\n";
  os << "#define " << array.macro << "_RANK " << array.shape.size() << "\n";
  os << "#define " << array.macro << "_SHAPE {";
  llvm::interleaveComma(array.shape, os);
  os << "}\n";
  writeInteger(os, array.macro + "_ELEMENTS", array.getElements());
  writeInteger(os, array.macro + "_BYTES",
               array.getElements() * array.getElementBytes());
}

void HeaderBuilder::writeVariables(raw_ostream &os) const {
  os << "/* Variables: their indices for jobrt_artifact_variable(), and what "
        "they are. */\n";
  os << "#define " << macroPrefix << "_NUM_VARIABLES " << variables.size()
     << "\n";
  for (auto [index, variable] : llvm::enumerate(variables)) {
    os << "\n";
    writeArray(os, variable, index);
  }
  os << "\n";
}

void HeaderBuilder::writeJobConstants(raw_ostream &os, const Job &job,
                                      size_t index) const {
  os << "#define " << job.macro << "_INDEX " << index << "\n";
  os << "#define " << job.macro << "_NAME " << getLiteral(job.name) << "\n";
  os << "#define " << job.macro << "_NUM_INPUTS " << job.inputs.size() << "\n";
  os << "#define " << job.macro << "_NUM_OUTPUTS " << job.outputs.size()
     << "\n";
  writeInteger(os, job.macro + "_ARENA_BYTES", job.arenaBytes);
  writeInteger(os, job.macro + "_WORKSPACE_BYTES", job.workspaceBytes);
  for (const std::vector<Array> *arrays : {&job.inputs, &job.outputs})
    for (auto [index, array] : llvm::enumerate(*arrays)) {
      os << "\n";
      writeArray(os, array, index);
    }
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The C arrays that a call takes: one shape each, then the list. `type` is
/// jobrt_view or jobrt_buffer.
static void writeList(raw_ostream &os, StringRef type, StringRef list,
                      const std::vector<Array> &arrays) {
  if (arrays.empty())
    return;
  for (auto [index, array] : llvm::enumerate(arrays))
    os << "  static const int64_t jobrt_" << list << "_shape_" << index
       << "[] = " << array.macro << "_SHAPE;\n";
  os << "  const " << type << " jobrt_" << list << "[] = {";
  for (auto [index, array] : llvm::enumerate(arrays))
    os << (index ? "," : "") << "\n      {" << array.macro << "_DTYPE, "
       << array.macro << "_RANK, jobrt_" << list << "_shape_" << index << ", "
       << array.parameter << "}";
  os << "};\n";
}

/// "jobrt_inputs, 2" or "NULL, 0".
static std::string passList(StringRef list, const std::vector<Array> &arrays) {
  if (arrays.empty())
    return "NULL, 0";
  return ("jobrt_" + list + ", " + Twine(arrays.size())).str();
}

/// What is said of an output with a bounded dimension.
static std::string describeCount(const Job &job, const Array &output) {
  if (!output.count)
    return "";
  std::string what = output.boundedDim == 0
                         ? "rows"
                         : "dimension " + std::to_string(output.boundedDim);
  // The elements behind another dimension than the first one move up.
  std::string packed = output.boundedDim == 0 ? "" : ", without gaps";
  return ", " + what + ": *" + job.outputs[*output.count].parameter + packed;
}

void HeaderBuilder::writeFunction(raw_ostream &os, const Job &job,
                                  bool isSubmit) const {
  os << "/* Job \"" << getCommentText(job.name) << "\", " << job.kind << ": ";
  if (isSubmit)
    os << "queues one step, as jobrt_session_submit(). */\n";
  else
    os << "one step, as jobrt_session_call(); an output may be NULL. */\n";
  std::string name = job.function + (isSubmit ? "_submit" : "");
  os << "static inline jobrt_status " << name
     << "(\n    jobrt_session *session";
  for (const Array &input : job.inputs)
    os << ",\n    const " << input.getElementType() << " *" << input.parameter
       << " /* " << input.describe() << " */";
  if (isSubmit)
    os << ",\n    jobrt_future **future";
  else
    for (const Array &output : job.outputs)
      os << ",\n    " << output.getElementType() << " *" << output.parameter
         << " /* out: " << output.describe() << describeCount(job, output)
         << " */";
  os << ",\n    jobrt_error **error) {\n";
  writeList(os, "jobrt_view", "inputs", job.inputs);
  if (!isSubmit)
    writeList(os, "jobrt_buffer", "outputs", job.outputs);
  // Most of what the header says does not go with the call: indices, say.
  os << "  jobrt_status jobrt_checked = jobrt_session_check_interface(\n"
     << "      session, " << macroPrefix << "_INTERFACE, error);\n"
     << "  if (jobrt_checked != JOBRT_OK)\n    return jobrt_checked;\n";
  os << "  return jobrt_session_" << (isSubmit ? "submit" : "call")
     << "(session, " << job.macro << "_NAME,\n      "
     << passList("inputs", job.inputs) << ", "
     << (isSubmit ? "future" : passList("outputs", job.outputs))
     << ", error);\n}\n\n";
}

std::optional<std::string> HeaderBuilder::write(raw_ostream &os) {
  read();
  if (std::optional<std::string> bad = findBadName())
    return bad;
  // Names that the header has in any case.
  names.take(macroPrefix, [&](const std::string &p) {
    SmallVector<std::string> fixed;
    for (StringRef suffix :
         {"_H", "_INTERFACE", "_BANK_BYTES", "_CONSTANTS_BYTES", "_ARENA_BYTES",
          "_WORKSPACE_BYTES", "_STAGING_BYTES", "_MEMORY_BYTES",
          "_NUM_VARIABLES", "_NUM_JOBS", "_DRIVER"})
      fixed.push_back(p + suffix.str());
    return fixed;
  });
  nameVariables();
  for (Job &job : jobs)
    nameJob(job);
  for (Job &job : jobs)
    nameParameters(job);

  os << "/* Written by job-compile for one artifact; do not edit.\n * "
     << getCommentText(*manifest.getString("compiler")) << ", for "
     << getCommentText(*manifest.getObject("target")->getString("cpu"))
     << ". See docs/c-api.md. */\n\n";
  os << "#ifndef " << macroPrefix << "_H\n#define " << macroPrefix << "_H\n\n";
  os << "#include \"jobrt/c_api.h\"\n\n";
  os << "/* For jobrt_session_check_interface(), which every function below "
        "calls. */\n#define "
     << macroPrefix << "_INTERFACE \"" << *manifest.getString("interface")
     << "\"\n"
     << "/* The device of the jobs: jobrt_artifact_driver(). */\n#define "
     << macroPrefix << "_DRIVER \"" << getDriver(manifest) << "\"\n\n";
  writeMemory(os);
  writeVariables(os);
  os << "/* Jobs: their indices for jobrt_artifact_entry(), their inputs and "
        "outputs. */\n#define "
     << macroPrefix << "_NUM_JOBS " << jobs.size() << "\n\n";
  for (auto [index, job] : llvm::enumerate(jobs))
    writeJobConstants(os, job, index);
  for (const Job &job : jobs) {
    // jobrt_session_initialize() runs that one.
    if (job.kind == "init")
      continue;
    writeFunction(os, job, /*isSubmit=*/false);
    writeFunction(os, job, /*isSubmit=*/true);
  }
  os << "#endif /* " << macroPrefix << "_H */\n";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

LogicalResult job::writeHeader(ModuleOp module, const TargetDescription &target,
                               StringRef path) {
  FailureOr<std::string> text = buildManifest(module, target);
  if (failed(text))
    return failure();
  json::Value manifest = llvm::cantFail(json::parse(*text));
  std::string header;
  llvm::raw_string_ostream os(header);
  HeaderBuilder builder(*manifest.getAsObject(), llvm::sys::path::stem(path));
  if (std::optional<std::string> bad = builder.write(os))
    return module.emitError()
           << "expects names without a zero byte for a C header but got one in "
           << *bad;

  return writeOutputFile(module.getLoc(), path, header);
}

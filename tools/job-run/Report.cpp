//===- Report.cpp - What job-run prints -----------------------------------===//

#include "Report.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace jobrt;

namespace json = llvm::json;

template <typename T> static double meanOf(const TensorView &tensor) {
  const T *data = static_cast<const T *>(tensor.data);
  int64_t count = tensor.bytes() / sizeof(T);
  return std::accumulate(data, data + count, 0.0) / double(count);
}

/// Of numbers in a format that C++ has no type for.
static double meanOf(const TensorView &tensor,
                     const llvm::fltSemantics &format) {
  const auto *data = static_cast<const uint16_t *>(tensor.data);
  int64_t count = tensor.bytes() / sizeof(uint16_t);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += llvm::APFloat(format, llvm::APInt(16, data[i])).convertToDouble();
  return sum / double(count);
}

double jobrun::mean(const TensorView &tensor) {
  switch (tensor.dtype) {
  case DType::kF32:
    return meanOf<float>(tensor);
  case DType::kF64:
    return meanOf<double>(tensor);
  case DType::kF16:
    return meanOf(tensor, llvm::APFloat::IEEEhalf());
  case DType::kBF16:
    return meanOf(tensor, llvm::APFloat::BFloat());
  case DType::kI1:
  case DType::kUI8:
    return meanOf<uint8_t>(tensor);
  case DType::kI8:
    return meanOf<int8_t>(tensor);
  case DType::kI32:
    return meanOf<int32_t>(tensor);
  case DType::kI64:
    return meanOf<int64_t>(tensor);
  }
  return 0;
}

static json::Array portsToJson(const std::vector<PortInfo> &ports) {
  json::Array array;
  for (const PortInfo &port : ports)
    array.push_back(
        json::Object{{"name", port.name}, {"type", formatType(port)}});
  return array;
}

/// Of an artifact of several devices: their names that an entry uses.
static std::vector<std::string> deviceNames(const Artifact &artifact,
                                            const EntryInfo &entry) {
  std::vector<std::string> names;
  for (int32_t device : entry.devices)
    names.push_back(artifact.devices()[device].name);
  return names;
}

static json::Object entryToJson(const Artifact &artifact,
                                const EntryInfo &entry) {
  json::Object object{
      {"name", entry.name},
      {"kind", jobKindName(entry.kind)},
      {"inputs", portsToJson(entry.inputs)},
      {"outputs", portsToJson(entry.outputs)},
      {"commands", int64_t(entry.commands.size())},
      {"memory",
       json::Object{{"arena", entry.arenaBytes},
                    {"arena_lower_bound", entry.arenaLowerBound},
                    {"workspace", entry.workspaceBytes},
                    {"staging", entry.inputBytes + entry.outputBytes}}}};
  if (artifact.devices().size() > 1)
    object["devices"] = json::Array(deviceNames(artifact, entry));
  return object;
}

static json::Value listToJson(const Artifact &artifact) {
  bool isMixed = artifact.devices().size() > 1;
  json::Array entries, variables, code, devices;
  for (const EntryInfo &entry : artifact.entries())
    entries.push_back(entryToJson(artifact, entry));
  for (const VariableInfo &variable : artifact.variables()) {
    json::Object object{{"name", variable.name},
                        {"type", formatType(variable.shape, variable.dtype)},
                        {"trainable", variable.trainable}};
    if (isMixed)
      object["device"] = artifact.devices()[variable.device].name;
    variables.push_back(std::move(object));
  }
  for (const CodeBlob &blob : artifact.code())
    code.push_back(blob.target);
  json::Object list{{"compiler", artifact.compiler()},
                    {"device", artifact.driver()},
                    {"code", std::move(code)},
                    {"entries", std::move(entries)},
                    {"variables", std::move(variables)},
                    {"bank", artifact.bankBytes()},
                    {"constants", artifact.constantsBytes()}};
  if (!isMixed)
    return list;
  for (const ArtifactDevice &device : artifact.devices())
    devices.push_back(json::Object{{"name", device.name},
                                   {"driver", device.driver},
                                   {"bank", device.bankBytes}});
  list["devices"] = std::move(devices);
  return list;
}

static void printPorts(llvm::raw_ostream &os, llvm::StringRef what,
                       const std::vector<PortInfo> &ports) {
  for (const PortInfo &port : ports)
    os << "  " << what << ' ' << port.name << ": " << formatType(port) << '\n';
}

std::string jobrun::formatList(const Artifact &artifact, bool asJson) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (asJson) {
    os << listToJson(artifact) << '\n';
    return text;
  }
  bool isMixed = artifact.devices().size() > 1;
  for (const EntryInfo &entry : artifact.entries()) {
    os << jobKindName(entry.kind) << ' ' << entry.name << '\n';
    if (isMixed)
      os << "  devices: " << llvm::join(deviceNames(artifact, entry), ", ")
         << '\n';
    printPorts(os, "input", entry.inputs);
    printPorts(os, "output", entry.outputs);
    os << "  memory: arena " << entry.arenaBytes << " bytes (lower bound "
       << entry.arenaLowerBound << "), workspace " << entry.workspaceBytes
       << ", staging " << entry.inputBytes + entry.outputBytes << '\n';
  }
  for (const VariableInfo &variable : artifact.variables())
    os << "variable " << variable.name << ": "
       << formatType(variable.shape, variable.dtype)
       << (variable.trainable ? "" : " (not trainable)")
       << (isMixed ? " on " + artifact.devices()[variable.device].name : "")
       << '\n';
  os << "bank " << artifact.bankBytes() << " bytes, constants "
     << artifact.constantsBytes() << " bytes\n";
  if (isMixed)
    for (const ArtifactDevice &device : artifact.devices())
      os << "device " << device.name << ": " << device.driver << ", bank "
         << device.bankBytes << " bytes\n";
  os << "device " << artifact.driver();
  for (const CodeBlob &blob : artifact.code())
    os << (&blob == &artifact.code().front() ? ", code for " : ", ")
       << blob.target;
  os << '\n';
  return text;
}

static double median(std::vector<double> values) {
  llvm::sort(values);
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

/// JSON has no infinities and no NaN: they become null.
static json::Array numbersToJson(const std::vector<double> &values) {
  json::Array array;
  for (double value : values)
    array.push_back(std::isfinite(value) ? json::Value(value)
                                         : json::Value(nullptr));
  return array;
}

static json::Array callsToJson(const std::vector<CallReport> &calls) {
  json::Array array;
  for (const CallReport &call : calls)
    array.push_back(json::Object{{"callee", call.callee},
                                 {"name", call.name},
                                 {"location", call.location},
                                 {"algorithm", call.algorithm}});
  return array;
}

static json::Object memoryToJson(const MemoryReport &memory) {
  return json::Object{
      {"arena", memory.arena},         {"bank", memory.bank},
      {"staging", memory.staging},     {"workspace", memory.workspace},
      {"constants", memory.constants}, {"total", memory.total()}};
}

std::string jobrun::formatReport(const RunReport &report, bool asJson) {
  std::string text;
  llvm::raw_string_ostream os(text);
  double best = *llvm::min_element(report.seconds);
  double middle = median(report.seconds);
  const MemoryReport &memory = report.memory;
  if (asJson) {
    json::Object object{
        {"entry", report.entry},
        {"reference", report.reference},
        {"threads", report.threads},
        {"steps", int64_t(report.seconds.size())},
        {"loss", numbersToJson(report.losses)},
        {"seconds_per_step", json::Object{{"min", best}, {"median", middle}}}};
    if (!report.reference) {
      object["device"] = report.device;
      json::Object bytes = memoryToJson(memory), devices;
      for (const auto &[name, device] : report.devices)
        devices[name] = memoryToJson(device);
      if (!devices.empty())
        bytes["devices"] = std::move(devices);
      object["memory"] = std::move(bytes);
      object["arena_lower_bound"] = report.arenaLowerBound;
      object["allocations_per_step"] =
          json::Object{{"ours", report.allocations.ours},
                       {"library", report.allocations.library}};
      if (!report.calls.empty())
        object["calls"] = callsToJson(report.calls);
    }
    os << json::Value(std::move(object)) << '\n';
    return text;
  }
  for (auto [step, loss] : llvm::enumerate(report.losses))
    os << "step " << step << ": " << llvm::format("%.9g", loss) << '\n';
  os << report.entry << ": "
     << llvm::format("%.6f s a step (median), %.6f s (least)", middle, best);
  if (!report.reference)
    os << ", " << memory.total() << " bytes of memory";
  os << '\n';
  return text;
}

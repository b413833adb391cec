//===- Compiler.cpp - The extension module jobmlir._compiler --------------===//
//
// Python's view of Builder.h. Everything that may take long runs without the
// interpreter's lock.
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Gil.h"

#include "JobDialect/Support/Targets.h"
#include "JobDialect/Support/Units.h"
#include "JobDialect/Target/Artifact.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace jobmlir;

namespace {

/// mlir::Value with what Python asks of it.
struct ValueHandle {
  mlir::Value value;
};

using FrameTuple = std::tuple<std::string, unsigned, unsigned>;
using BlobTuple = std::pair<std::vector<int64_t>, std::string>;

} // namespace

static std::vector<Frame> toFrames(const std::vector<FrameTuple> &tuples) {
  std::vector<Frame> frames;
  for (const auto &[file, line, column] : tuples)
    frames.push_back({file, line, column});
  return frames;
}

static py::object toPython(const CapturedDiagnostic &diagnostic) {
  py::list frames, notes;
  for (const Frame &frame : diagnostic.frames)
    frames.append(py::make_tuple(frame.file, frame.line, frame.column));
  for (const CapturedDiagnostic &note : diagnostic.notes)
    notes.append(toPython(note));
  py::dict out;
  out["message"] = diagnostic.message;
  out["name"] = diagnostic.name;
  out["frames"] = frames;
  out["notes"] = notes;
  return out;
}

static std::vector<ValueHandle>
toHandles(const std::vector<mlir::Value> &values) {
  std::vector<ValueHandle> handles;
  for (mlir::Value value : values)
    handles.push_back({value});
  return handles;
}

static std::vector<mlir::Value>
toValues(const std::vector<ValueHandle> &handles) {
  std::vector<mlir::Value> values;
  for (const ValueHandle &handle : handles)
    values.push_back(handle.value);
  return values;
}

PYBIND11_MODULE(_compiler, m) {
  m.doc() = "Builds modules of the job dialect and compiles them.";
  m.attr("version") = mlir::job::getCompilerVersion();
  m.attr("oldest_gpu") = mlir::job::kGPUTargets[0].chip.str();

  // Never released: an error may be raised until the interpreter is gone.
  static py::handle error =
      py::exception<DiagnosticError>(m, "DiagnosticError").release();
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (const DiagnosticError &e) {
      py::list diagnostics;
      for (const CapturedDiagnostic &diagnostic : e.diagnostics)
        diagnostics.append(toPython(diagnostic));
      py::object instance = error(e.what());
      instance.attr("diagnostics") = diagnostics;
      py::set_error(error, instance);
    }
  });

  m.def(
      "check_kernel",
      [](const std::string &text) {
        auto toTuples = [](const std::vector<BlobSpec> &specs) {
          std::vector<BlobTuple> tuples;
          for (const BlobSpec &spec : specs)
            tuples.push_back({spec.shape, spec.dtype});
          return tuples;
        };
        auto [inputs, outputs] = checkKernel(text);
        return std::make_pair(toTuples(inputs), toTuples(outputs));
      },
      py::arg("text"),
      "The blobs of the inputs and of the outputs of a kernel as MLIR text.");

  m.def("format_bytes", &mlir::job::formatBytes, py::arg("bytes"),
        "Three digits and a unit, as in the reports.");
  m.def("format_count", &mlir::job::formatCount, py::arg("count"),
        "Three digits and a prefix of thousands, as in the reports.");

  py::class_<AttributeText>(m, "AttributeText",
                            "An attribute in MLIR's syntax.")
      .def(py::init<std::string>(), py::arg("text"));

  py::class_<ValueHandle>(m, "Value", "A blob in a function being built.")
      .def_property_readonly("shape",
                             [](const ValueHandle &handle) {
                               return py::tuple(
                                   py::cast(describe(handle.value).shape));
                             })
      .def_property_readonly("dtype",
                             [](const ValueHandle &handle) {
                               return describe(handle.value).dtype;
                             })
      .def_property_readonly(
          "bounded_dim",
          [](const ValueHandle &handle) -> std::optional<int64_t> {
            auto type = mlir::cast<mlir::job::BlobType>(handle.value.getType());
            if (!type.isBounded())
              return std::nullopt;
            return type.getBoundedDim();
          },
          "The dimension whose extent in the shape is a bound, or None.");

  py::class_<FunctionBuilder, std::shared_ptr<FunctionBuilder>>(
      m, "Function", "A job function being built.")
      .def_property_readonly(
          "arguments",
          [](FunctionBuilder &self) { return toHandles(self.arguments()); })
      .def(
          "add_argument",
          [](FunctionBuilder &self, const std::string &name,
             const BlobTuple &blob, const std::vector<FrameTuple> &frames) {
            return toHandles({self.addArgument(name, {blob.first, blob.second},
                                               toFrames(frames))})[0];
          },
          py::arg("name"), py::arg("blob"), py::arg("frames"),
          "Appends an argument and returns it.")
      .def(
          "create",
          [](FunctionBuilder &self, const std::string &op,
             const std::vector<ValueHandle> &operands,
             const AttributeList &attributes,
             const std::optional<std::vector<BlobTuple>> &resultTypes,
             const std::string &name, const std::vector<FrameTuple> &frames) {
            std::optional<std::vector<BlobSpec>> specs;
            if (resultTypes) {
              specs.emplace();
              for (const auto &[shape, dtype] : *resultTypes)
                specs->push_back({shape, dtype});
            }
            return toHandles(self.create(op, toValues(operands), attributes,
                                         specs, name, toFrames(frames)));
          },
          py::arg("op"), py::arg("operands"), py::arg("attributes"),
          py::arg("result_types"), py::arg("name"), py::arg("frames"))
      .def(
          "import_kernel",
          [](FunctionBuilder &self, const std::string &kernel,
             const std::optional<std::string> &gradient,
             const std::vector<ValueHandle> &operands,
             const AttributeList &attributes, const std::string &name,
             const std::vector<FrameTuple> &frames) {
            return toHandles(self.importKernel(kernel, gradient,
                                               toValues(operands), attributes,
                                               name, toFrames(frames)));
          },
          py::arg("kernel"), py::arg("gradient"), py::arg("operands"),
          py::arg("attributes"), py::arg("name"), py::arg("frames"),
          "Appends the ops of a kernel as MLIR text and returns its outputs.")
      .def(
          "finish",
          [](FunctionBuilder &self, const std::vector<ValueHandle> &results,
             const std::vector<std::string> &names,
             const std::string &structure, const AttributeList &attributes,
             const std::map<unsigned, std::string> &observers,
             const std::vector<FrameTuple> &frames) {
            self.finish(toValues(results), names, structure, attributes,
                        observers, toFrames(frames));
          },
          py::arg("results"), py::arg("names"), py::arg("structure"),
          py::arg("attributes"), py::arg("observers"), py::arg("frames"))
      .def("erase", &FunctionBuilder::erase);

  py::class_<ModuleBuilder, std::shared_ptr<ModuleBuilder>>(
      m, "Module", "A module and its context.")
      .def(py::init<>())
      .def(
          "create",
          [](ModuleBuilder &self, const std::string &op,
             const AttributeList &attributes, const std::string &name,
             const std::vector<FrameTuple> &frames) {
            self.create(op, attributes, name, toFrames(frames));
          },
          py::arg("op"), py::arg("attributes"), py::arg("name"),
          py::arg("frames"))
      .def("erase_variables", &ModuleBuilder::eraseVariables)
      .def(
          "function",
          [](const std::shared_ptr<ModuleBuilder> &self,
             const std::string &name, const std::string &kind,
             const std::vector<std::pair<std::string, BlobTuple>> &arguments,
             const std::vector<FrameTuple> &frames) {
            std::vector<std::pair<std::string, BlobSpec>> specs;
            for (const auto &[argument, blob] : arguments)
              specs.push_back({argument, {blob.first, blob.second}});
            // Keeps its module alive. Not by py::keep_alive, which pybind11 3
            // applies to calls whose arguments do not convert, too: it crashes
            // on their missing result.
            return std::shared_ptr<FunctionBuilder>(
                self->createFunction(name, kind, specs, toFrames(frames))
                    .release(),
                [self](FunctionBuilder *function) { delete function; });
          },
          py::arg("name"), py::arg("kind"), py::arg("arguments"),
          py::arg("frames"))
      .def("place", &ModuleBuilder::place, py::arg("function"),
           py::arg("device"), py::arg("index"),
           "Places a function on a device of the kind \"cpu\" or \"gpu\".")
      .def("freeze", &ModuleBuilder::freeze, py::arg("function"),
           py::arg("variable"),
           "Keeps gradients in a function away from a variable.")
      .def("verify", &ModuleBuilder::verify)
      .def("print", &ModuleBuilder::print, py::arg("locations") = false)
      .def("print_stage", &ModuleBuilder::printStage, py::arg("stage"),
           py::arg("locations") = false, py::call_guard<GilRelease>())
      .def("draw_stage", &ModuleBuilder::drawStage, py::arg("stage"),
           py::arg("entry"), py::arg("updates"), py::call_guard<GilRelease>())
      .def("report_memory", &ModuleBuilder::reportMemory, py::arg("html"),
           py::call_guard<GilRelease>())
      .def("explain", &ModuleBuilder::explain, py::arg("topics"),
           py::call_guard<GilRelease>())
      .def("memory_totals",
           [](ModuleBuilder &self) {
             mlir::job::MemoryTotals totals;
             {
               GilRelease release;
               totals = self.getMemoryTotals();
             }
             py::dict result;
             result["arena"] = totals.arena;
             result["arena_lower_bound"] = totals.arenaLowerBound;
             result["bank"] = totals.bank;
             result["staging"] = totals.staging;
             result["workspace"] = totals.workspace;
             result["constants"] = totals.constants;
             result["total"] = totals.getTotal();
             return result;
           })
      .def(
          "configure",
          [](ModuleBuilder &self, const std::string &cpu,
             const std::string &features, bool simplify, bool fuse,
             const std::string &packing, bool checkNumerics, bool tf32,
             int64_t memoryBudget, const std::vector<std::string> &gpus) {
            mlir::job::CompilerOptions &options = self.options;
            options.cpu = cpu;
            options.features = features;
            options.simplify = simplify;
            options.fuse = fuse;
            options.packing = packing;
            options.checkNumerics = checkNumerics;
            options.tf32 = tf32;
            options.memoryBudget = memoryBudget;
            if (!gpus.empty())
              options.gpuTargets.clear();
            for (const std::string &gpu : gpus)
              if (std::string target = mlir::job::selectGPUTarget(gpu);
                  !llvm::is_contained(options.gpuTargets, target))
                options.gpuTargets.push_back(target);
          },
          py::kw_only(), py::arg("cpu"), py::arg("features"),
          py::arg("simplify"), py::arg("fuse"), py::arg("packing"),
          py::arg("check_numerics"), py::arg("tf32"), py::arg("memory_budget"),
          py::arg("gpus"),
          "Sets the compiler's options for all stages. `gpus` are the targets "
          "of the GPUs that jobs run on, none for jobs on the CPU.")
      .def("compile", &ModuleBuilder::compile, py::arg("cache_directory"),
           py::call_guard<GilRelease>(),
           "Compiles through the cache and returns the artifact's path.");
}

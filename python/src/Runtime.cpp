//===- Runtime.cpp - The extension module _runtime ------------------------===//
//
// Python's view of jobrt: loads artifacts and runs them. Links nothing else.
// A part of the package jobmlir and of jobmlir_runtime (runtime/python).
// Everything that blocks runs without the interpreter's lock.
//
//===----------------------------------------------------------------------===//

#include "Gil.h"

#include "jobrt/artifact.h"
#include "jobrt/c_api.h"
#include "jobrt/checkpoint.h"
#include "jobrt/session.h"

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

namespace py = pybind11;
using namespace jobmlir;
using namespace jobrt;

namespace {

/// A failed Status on its way to Python.
class StatusError : public std::exception {
public:
  explicit StatusError(Status status)
      : status(std::move(status)), text(this->status.toString()) {}
  const char *what() const noexcept override { return text.c_str(); }
  const Status status;

private:
  const std::string text;
};

} // namespace

static void check(Status status) {
  if (!status.ok())
    throw StatusError(std::move(status));
}

template <typename T> static T check(Expected<T> value) {
  check(value.status());
  return std::move(*value);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// NumPy has no bfloat16; the package ml_dtypes, which other frameworks use as
/// well, adds it.
static py::dtype bfloat16() {
  try {
    return py::dtype::from_args(
        py::module_::import("ml_dtypes").attr("bfloat16"));
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_ImportError))
      throw;
    throw StatusError(
        {StatusCode::kUnimplemented,
         "expects the package ml_dtypes for arrays of bfloat16 but got none; "
         "install it with 'pip install ml_dtypes'"});
  }
}

static py::dtype toNumpy(DType dtype) {
  switch (dtype) {
  case DType::kI1:
    return py::dtype::of<bool>();
  case DType::kI8:
    return py::dtype::of<int8_t>();
  case DType::kUI8:
    return py::dtype::of<uint8_t>();
  case DType::kF16:
    return py::dtype("float16");
  case DType::kBF16:
    return bfloat16();
  case DType::kI32:
    return py::dtype::of<int32_t>();
  case DType::kI64:
    return py::dtype::of<int64_t>();
  case DType::kF32:
    return py::dtype::of<float>();
  case DType::kF64:
    return py::dtype::of<double>();
  }
  throw py::value_error("unknown dtype");
}

static DType fromNumpy(const py::dtype &dtype) {
  for (DType candidate : {DType::kF32, DType::kI32, DType::kI64, DType::kI1,
                          DType::kI8, DType::kF64, DType::kUI8, DType::kF16}) {
    py::dtype known = toNumpy(candidate);
    // The usual types are one object each, which saves the comparison.
    if (dtype.is(known) || dtype.equal(known))
      return candidate;
  }
  // Another kind of type, which only an array of ml_dtypes has.
  if (dtype.itemsize() == 2 && std::string(py::str(dtype)) == "bfloat16")
    return DType::kBF16;
  throw py::type_error("expects an array of bool, int8, uint8, int32, int64, "
                       "float16, bfloat16, float32 or float64 but got " +
                       std::string(py::str(dtype)));
}

/// A view of a C-contiguous array; valid as long as the array is.
static TensorView viewOf(const py::array &array) {
  if (!(array.flags() & py::array::c_style))
    throw py::value_error("expects a C-contiguous array");
  TensorView view;
  view.dtype = fromNumpy(array.dtype());
  view.shape.assign(array.shape(), array.shape() + array.ndim());
  // The runtime reads inputs and never writes them.
  view.data = const_cast<void *>(array.data());
  return view;
}

namespace {
/// The inputs of a call; valid as long as the arrays are. Those of most jobs
/// need no allocation.
class Inputs {
public:
  explicit Inputs(const std::vector<py::array> &arrays) : count(arrays.size()) {
    if (count > few.size())
      many.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const py::array &array = arrays[i];
      if (!(array.flags() & py::array::c_style))
        throw py::value_error("expects a C-contiguous array");
      static_assert(sizeof(py::ssize_t) == sizeof(int64_t));
      data()[i] = {fromNumpy(array.dtype()),
                   reinterpret_cast<const int64_t *>(array.shape()),
                   static_cast<size_t>(array.ndim()), array.data()};
    }
  }
  InputList list() {
    return InputList(data(), count, [](const InputView &view) { return view; });
  }

private:
  InputView *data() { return many.empty() ? few.data() : many.data(); }

  size_t count;
  std::array<InputView, 8> few;
  std::vector<InputView> many;
};
} // namespace

/// A copy that Python owns.
static py::array copyOf(const TensorView &view) {
  py::array copy(toNumpy(view.dtype), view.shape);
  if (copy.nbytes() > 0)
    std::memcpy(copy.mutable_data(), view.data, copy.nbytes());
  return copy;
}

/// Hands the tensor's memory to Python without a copy.
static py::array adopt(Tensor tensor) {
  auto owner = std::make_unique<Tensor>(std::move(tensor));
  Tensor *raw = owner.get();
  py::capsule capsule(owner.release(), [](void *pointer) {
    delete static_cast<Tensor *>(pointer);
  });
  return py::array(toNumpy(raw->dtype()), raw->shape(), raw->data(), capsule);
}

static py::list copyOutputs(const Future &future) {
  py::list outputs;
  for (int i = 0, e = future.numOutputs(); i < e; ++i)
    outputs.append(copyOf(future.output(i)));
  return outputs;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static py::list describePorts(const std::vector<PortInfo> &ports) {
  py::list out;
  for (const PortInfo &port : ports) {
    py::dict item;
    item["name"] = port.name;
    item["shape"] = py::tuple(py::cast(port.shape));
    item["dtype"] = dtypeName(port.dtype);
    item["type"] = formatType(port);
    out.append(item);
  }
  return out;
}

/// The largest buffers of the arena, each with the command that writes it
/// first.
static py::list describeLargest(const EntryInfo &entry) {
  constexpr size_t kMost = 8;
  std::map<std::pair<int64_t, int64_t>, const Command *> writers;
  for (const Command &command : entry.commands)
    for (const BufferRef &buffer : command.args)
      if (buffer.space == Space::kArena && buffer.isWritten)
        writers.try_emplace({-buffer.bytes, buffer.offset}, &command);
  py::list out;
  for (const auto &[buffer, command] : writers) {
    if (out.size() == kMost)
      break;
    py::dict item;
    item["bytes"] = -buffer.first;
    item["name"] = command->name;
    item["location"] = command->location;
    out.append(item);
  }
  return out;
}

static py::list describeEntries(const Artifact &artifact) {
  py::list out;
  for (const EntryInfo &entry : artifact.entries()) {
    py::dict item;
    item["name"] = entry.name;
    item["kind"] = jobKindName(entry.kind);
    item["inputs"] = describePorts(entry.inputs);
    item["outputs"] = describePorts(entry.outputs);
    item["result_structure"] = entry.resultStructure;
    item["arena_bytes"] = entry.arenaBytes;
    item["arena_lower_bound"] = entry.arenaLowerBound;
    item["workspace_bytes"] = entry.workspaceBytes;
    item["input_bytes"] = entry.inputBytes;
    item["output_bytes"] = entry.outputBytes;
    item["largest"] = describeLargest(entry);
    py::list devices;
    for (int32_t device : entry.devices)
      devices.append(artifact.devices()[device].driver);
    item["devices"] = devices;
    auto count = [&](Command::Kind kind) {
      return std::count_if(
          entry.commands.begin(), entry.commands.end(),
          [&](const Command &command) { return command.kind == kind; });
    };
    item["commands"] = entry.commands.size();
    item["kernels"] = count(Command::Kind::kDispatch);
    item["calls"] = count(Command::Kind::kCall);
    int64_t flops = 0;
    entry.forEachExecution(
        [&](size_t index, int64_t) { flops += entry.commands[index].flops; });
    item["flops"] = flops;
    out.append(item);
  }
  return out;
}

static py::list describeVariables(const Artifact &artifact) {
  py::list out;
  for (const VariableInfo &variable : artifact.variables()) {
    py::dict item;
    item["name"] = variable.name;
    item["shape"] = py::tuple(py::cast(variable.shape));
    item["dtype"] = dtypeName(variable.dtype);
    item["trainable"] = variable.trainable;
    item["location"] = variable.location;
    out.append(item);
  }
  return out;
}

static py::dict describeMemory(const MemoryReport &report) {
  py::dict out;
  out["arena"] = report.arena;
  out["bank"] = report.bank;
  out["staging"] = report.staging;
  out["workspace"] = report.workspace;
  out["constants"] = report.constants;
  out["total"] = report.total();
  return out;
}

static py::list listDevicesOf(const std::string &driver,
                              const std::string &cudaLibrary) {
  SessionOptions options;
  options.driver = driver;
  options.cudaLibrary = cudaLibrary;
  std::vector<DeviceInfo> devices;
  {
    GilRelease unlock;
    devices = check(listDevices(options));
  }
  py::list out;
  for (const DeviceInfo &device : devices) {
    py::dict item;
    item["driver"] = device.driver;
    item["name"] = device.name;
    item["target"] = device.target;
    out.append(item);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

static bool isInterpreterEnding() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

namespace {

/// The callbacks of this process that have not returned. The interpreter's end
/// waits for them: a thread that comes for its lock later is ended by it.
struct PendingCallbacks {
  std::mutex mutex;
  std::condition_variable none;
  int64_t count = 0;
  /// A wait for them was interrupted: nothing waits for them any more.
  std::atomic<bool> isAbandoned{false};
};

/// A function of Python that threads of the runtime call and let go of.
class PythonCallback {
public:
  explicit PythonCallback(py::function function);
  ~PythonCallback();
  PythonCallback(const PythonCallback &) = delete;
  PythonCallback &operator=(const PythonCallback &) = delete;

  void operator()(const Future &future) const {
    if (!isInterpreterEnding())
      withGil([&] { callFunction(function, py::make_tuple(future)); });
  }

private:
  py::function function;
  PendingCallbacks &pending;
};

/// A function of Python that a session's commands call. The interpreter's end
/// does not wait for it: it lives as long as the session.
class PythonHostFunction {
public:
  explicit PythonHostFunction(py::function function)
      : function(std::move(function)) {}
  ~PythonHostFunction() {
    if (isInterpreterEnding())
      (void)function.release();
    else
      withGil([&] { function = py::function(); });
  }
  PythonHostFunction(const PythonHostFunction &) = delete;
  PythonHostFunction &operator=(const PythonHostFunction &) = delete;

  Status operator()(std::span<const HostBuffer> buffers) const {
    if (isInterpreterEnding())
      return Status(StatusCode::kCancelled, "the interpreter is ending");
    return withGil([&] { return call(buffers); });
  }

private:
  /// The arrays are the function's own, so it may keep them. Those of buffers
  /// that are only written begin with zeros: the buffers hold whatever the
  /// arena had there.
  Status call(std::span<const HostBuffer> buffers) const {
    try {
      py::tuple arrays(buffers.size());
      for (size_t i = 0; i < buffers.size(); ++i)
        arrays[i] = makeArray(buffers[i]);
      callFunction(function, arrays);
      for (size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].isWritten && buffers[i].bytes > 0)
          if (Status status = copyBack(arrays[i], buffers[i]); !status.ok())
            return status;
    } catch (const py::error_already_set &error) {
      Status status(StatusCode::kInternal, error.what());
      // Ctrl-C has to reach the main thread as such. Last, since any code in
      // Python may raise it.
      if (error.matches(PyExc_KeyboardInterrupt))
        PyErr_SetInterrupt();
      return status;
    }
    return {};
  }

  static py::array makeArray(const HostBuffer &buffer) {
    Shape shape(buffer.shape, buffer.shape + buffer.rank);
    if (buffer.isRead)
      return copyOf({buffer.dtype, std::move(shape), buffer.data});
    py::array array(toNumpy(buffer.dtype), shape);
    if (array.nbytes() > 0)
      std::memset(array.mutable_data(), 0, array.nbytes());
    return array;
  }

  /// numpy can change the size and strides of an array in place.
  static Status copyBack(const py::array &array, const HostBuffer &buffer) {
    if (array.nbytes() != buffer.bytes || !(array.flags() & py::array::c_style))
      return Status(StatusCode::kInvalidArgument,
                    "expects a function to keep the size and layout of its "
                    "arrays but got one that was changed in place");
    std::memcpy(buffer.data, array.data(), buffer.bytes);
    return {};
  }

  py::function function;
};

} // namespace

/// Never freed: threads may use it until the process ends. A forked child, in
/// which no callback of the parent returns, gets another one.
static PendingCallbacks *pendingCallbacks = new PendingCallbacks();

PythonCallback::PythonCallback(py::function function)
    : function(std::move(function)), pending(*pendingCallbacks) {
  std::lock_guard lock(pending.mutex);
  ++pending.count;
}

PythonCallback::~PythonCallback() {
  if (isInterpreterEnding()) {
    (void)function.release();
    return;
  }
  withGil([&] { function = py::function(); });
  std::lock_guard lock(pending.mutex);
  if (--pending.count == 0)
    pending.none.notify_all();
}

/// Blocks until no callback is pending, those that callbacks begin meanwhile
/// included, or that many seconds have passed; whether none is. Signals are
/// served. After one that raises, no wait for callbacks blocks.
static bool waitForCallbacks(double seconds) {
  PendingCallbacks &pending = *pendingCallbacks;
  auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  bool isDone = false;
  while (!isDone && !pending.isAbandoned) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    {
      GilRelease unlock;
      std::unique_lock lock(pending.mutex);
      isDone = pending.none.wait_for(lock, std::chrono::milliseconds(50),
                                     [&] { return pending.count == 0; });
    }
    if (PyErr_CheckSignals() != 0) {
      pending.isAbandoned = true;
      throw py::error_already_set();
    }
  }
  return isDone;
}

using StepCallback = std::function<void(const Future &)>;

/// Empty for no function.
static StepCallback makeCallback(std::optional<py::function> function) {
  if (!function)
    return {};
  auto callback = std::make_shared<PythonCallback>(std::move(*function));
  return [callback = std::move(callback)](const Future &done) {
    (*callback)(done);
  };
}

static void onDone(const Future &future, py::function function) {
  StepCallback callback = makeCallback(std::move(function));
  GilRelease unlock;
  future.onDone(std::move(callback));
}

static void registerFunction(Session &session, std::string name,
                             py::function function) {
  auto shared = std::make_shared<PythonHostFunction>(std::move(function));
  GilRelease unlock;
  check(session.registerFunction(
      std::move(name),
      [shared = std::move(shared)](std::span<const HostBuffer> buffers) {
        return (*shared)(buffers);
      }));
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

namespace {

/// Ends a session without the interpreter's lock: its callback thread may be
/// waiting for the lock, and it is waited for. A callback that the user has
/// stopped waiting for may never return: the process ends with its session.
struct SessionDeleter {
  void operator()(Session *session) const {
    if (isInterpreterEnding() && pendingCallbacks->isAbandoned)
      return;
    GilRelease unlock;
    delete session;
  }
};
using SessionHolder = std::unique_ptr<Session, SessionDeleter>;

} // namespace

/// Whether a signal has come whose handler raises, such as Ctrl-C. The
/// exception stays set for the call that was waiting.
static bool hasRaisingSignal() {
  return !isInterpreterEnding() &&
         withGil([] { return PyErr_CheckSignals() != 0; });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static Future submit(Session &session, const std::string &entry,
                     const std::vector<py::array> &arrays,
                     std::optional<py::function> onDone) {
  Inputs inputs(arrays);
  StepCallback callback = makeCallback(std::move(onDone));
  GilRelease unlock;
  return check(session.submit(entry, inputs.list(), std::move(callback)));
}

static std::optional<Future> trySubmit(Session &session,
                                       const std::string &entry,
                                       const std::vector<py::array> &arrays,
                                       std::optional<py::function> onDone) {
  Inputs inputs(arrays);
  StepCallback callback = makeCallback(std::move(onDone));
  GilRelease unlock;
  Future future =
      check(session.trySubmit(entry, inputs.list(), std::move(callback)));
  if (!future.valid())
    return std::nullopt;
  return future;
}

static Future run(Session &session, const std::string &entry,
                  const std::vector<py::array> &arrays) {
  Inputs inputs(arrays);
  GilRelease unlock;
  return check(session.run(entry, inputs.list()));
}

static py::list call(Session &session, const std::string &entry,
                     const std::vector<py::array> &arrays) {
  Inputs inputs(arrays);
  Future future;
  {
    GilRelease unlock;
    future = check(session.run(entry, inputs.list()));
    check(future.wait());
  }
  return copyOutputs(future);
}

static CheckpointLayout parseLayout(const std::string &layout) {
  if (layout == "native")
    return CheckpointLayout::kNative;
  if (layout == "legacy")
    return CheckpointLayout::kLegacy;
  if (layout == "legacy with meta")
    return CheckpointLayout::kLegacyWithMeta;
  throw py::value_error(
      "expects a layout of \"legacy\" or \"native\" but got \"" + layout +
      "\"");
}

static ExistingCheckpoint parseReplace(bool replace) {
  return replace ? ExistingCheckpoint::kReplace : ExistingCheckpoint::kRefuse;
}

using NamedArrays = std::map<std::string, py::array>;

static std::vector<std::pair<std::string, TensorView>>
viewsOf(const NamedArrays &values) {
  std::vector<std::pair<std::string, TensorView>> views;
  for (const auto &[name, array] : values)
    views.emplace_back(name, viewOf(array));
  return views;
}

static void saveArrays(const std::string &path, const NamedArrays &values,
                       const std::string &layout, bool replace) {
  CheckpointLayout parsed = parseLayout(layout);
  auto views = viewsOf(values);
  GilRelease unlock;
  check(saveTensors(views, path, parsed, parseReplace(replace)));
}

static void writeVariables(Session &session, const NamedArrays &values) {
  auto views = viewsOf(values);
  GilRelease unlock;
  check(session.writeVariables(views));
}

PYBIND11_MODULE(_runtime, m) {
  m.doc() = "Loads artifacts and runs them.";
  m.attr("__version__") = jobrt_version();

  // Never released: an error may be raised until the interpreter is gone.
  static py::handle error =
      py::exception<StatusError>(m, "StatusError").release();
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (const StatusError &e) {
      // Ctrl-C, in a function of the user too, comes in place of the error. An
      // interrupted wait has its exception set already.
      if (PyErr_Occurred() || PyErr_CheckSignals() != 0)
        return;
      py::object instance = error(e.what());
      instance.attr("code") = statusCodeName(e.status.code());
      instance.attr("message") = e.status.message();
      instance.attr("location") = e.status.location();
      py::set_error(error, instance);
    }
  });

  // Classes of this module alone: jobmlir and jobmlir_runtime each have one,
  // and a process may import both.
  py::class_<Artifact, std::shared_ptr<Artifact>>(m, "Artifact",
                                                  py::module_local())
      .def_static(
          "load",
          [](const std::string &path) {
            GilRelease unlock;
            // Python has no constness; nothing in Artifact's interface mutates.
            return std::const_pointer_cast<Artifact>(
                check(Artifact::load(path)));
          },
          py::arg("path"))
      .def_property_readonly("path", &Artifact::path)
      .def_property_readonly("compiler", &Artifact::compiler)
      .def_property_readonly("driver", &Artifact::driver)
      .def_property_readonly("ranks", &Artifact::ranks)
      .def_property_readonly("entries", &describeEntries)
      .def_property_readonly("bank_bytes", &Artifact::bankBytes)
      .def_property_readonly("constants_bytes", &Artifact::constantsBytes)
      .def_property_readonly("variables", &describeVariables);

  py::class_<Future>(m, "Future", py::module_local(), "The result of one call.")
      .def(
          "wait",
          [](const Future &future) {
            Status status;
            {
              GilRelease unlock;
              status = future.wait();
            }
            check(std::move(status));
          },
          "Blocks until the step is done; raises what went wrong.")
      .def("done", &Future::done)
      .def("outputs", &copyOutputs, "Copies of the outputs; after wait().")
      .def("on_done", &onDone, py::arg("callback"),
           "Calls callback(future) once, on the session's callback thread.");

  py::class_<Session, SessionHolder>(m, "Session", py::module_local())
      .def(
          py::init([](std::shared_ptr<Artifact> artifact, int threads,
                      int credits, const std::string &driver,
                      const std::string &cudaLibrary, int ranks, int rank,
                      const std::string &communicatorId) {
            SessionOptions options;
            options.ranks = ranks;
            options.rank = rank;
            if (communicatorId.size() == sizeof(CommunicatorId))
              std::memcpy(options.communicatorId.emplace().data(),
                          communicatorId.data(), communicatorId.size());
            options.threads = threads;
            options.credits = credits;
            options.driver = driver;
            options.cudaLibrary = cudaLibrary;
            options.interrupted = hasRaisingSignal;
            GilRelease unlock;
            return SessionHolder(
                check(Session::create(std::move(artifact), options)).release());
          }),
          py::arg("artifact"), py::arg("threads") = 0, py::arg("credits") = 4,
          py::arg("driver") = "", py::arg("cuda_library") = "",
          py::arg("ranks") = 1, py::arg("rank") = 0,
          py::arg("communicator_id") = py::bytes())
      .def_property_readonly("threads", &Session::threads)
      .def(
          "initialize",
          [](Session &session, int64_t seed) {
            check(session.initialize(seed));
          },
          py::arg("seed"), py::call_guard<GilRelease>())
      .def("register_function", &registerFunction, py::arg("name"),
           py::arg("function"))
      .def("submit", &submit, py::arg("entry"), py::arg("inputs"),
           py::arg("on_done") = py::none(),
           "Starts a step. on_done(future) is called as by Future.on_done, in "
           "the "
           "order of the steps.")
      .def("try_submit", &trySubmit, py::arg("entry"), py::arg("inputs"),
           py::arg("on_done") = py::none(),
           "submit that returns None instead of waiting.")
      .def(
          "wait_for_credit",
          [](Session &session) { check(session.waitForCredit()); },
          py::call_guard<GilRelease>(), "Blocks while submit would wait.")
      .def("run", &run, py::arg("entry"), py::arg("inputs"))
      .def("call", &call, py::arg("entry"), py::arg("inputs"),
           "Runs a step; copies of its outputs.")
      .def("cancel", &Session::cancel)
      .def(
          "synchronize", [](Session &session) { check(session.synchronize()); },
          py::call_guard<GilRelease>())
      .def(
          "read_variable",
          [](Session &session, const std::string &name) {
            Tensor tensor = [&] {
              GilRelease unlock;
              return check(session.readVariable(name));
            }();
            return adopt(std::move(tensor));
          },
          py::arg("name"))
      .def("write_variables", &writeVariables, py::arg("values"),
           "Writes all of the named arrays, or none.")
      .def(
          "save_checkpoint",
          [](Session &session, const std::string &path,
             const std::string &layout, bool replace) {
            CheckpointLayout parsed = parseLayout(layout);
            GilRelease unlock;
            check(saveCheckpoint(session, path, parsed, parseReplace(replace)));
          },
          py::arg("path"), py::arg("layout"), py::arg("replace"))
      .def(
          "load_checkpoint",
          [](Session &session, const std::string &path) {
            check(loadCheckpoint(session, path));
          },
          py::arg("path"), py::call_guard<GilRelease>())
      .def(
          "start_trace",
          [](Session &session, const std::string &path, int64_t steps) {
            check(session.startTrace({path, steps}));
          },
          py::arg("path"), py::arg("steps"), py::call_guard<GilRelease>(),
          "Records the steps from here on, the last `steps` of them.")
      .def(
          "finish_trace",
          [](Session &session) { check(session.finishTrace()); },
          py::call_guard<GilRelease>(), "Writes the file of the trace.")
      .def("memory", [](Session &session) -> py::dict {
        py::dict out = describeMemory(session.memory());
        const std::vector<ArtifactDevice> &all = session.artifact().devices();
        if (all.size() == 1)
          return out;
        py::dict devices;
        for (size_t i = 0; i < all.size(); ++i)
          devices[all[i].name.c_str()] = describeMemory(session.memory(i));
        out["devices"] = devices;
        return out;
      });

  m.def("list_devices", &listDevicesOf, py::arg("driver"),
        py::arg("cuda_library") = "",
        "The devices of a driver: driver, name, target.");
  m.def(
      "create_communicator_id",
      [](const std::string &driver, const std::string &cudaLibrary) {
        SessionOptions options;
        options.driver = driver;
        options.cudaLibrary = cudaLibrary;
        CommunicatorId id = [&] {
          GilRelease unlock;
          return check(createCommunicatorId(options));
        }();
        return py::bytes(reinterpret_cast<const char *>(id.data()), id.size());
      },
      py::arg("driver"), py::arg("cuda_library") = "",
      "A new id for a group of ranks.");
  m.def("save_arrays", &saveArrays, py::arg("path"), py::arg("values"),
        py::arg("layout"), py::arg("replace"),
        "Writes a checkpoint of arrays by name.");
  m.def("wait_for_callbacks", &waitForCallbacks,
        py::arg("seconds") = std::numeric_limits<double>::infinity(),
        "Blocks until no callback of any session is pending, or for some "
        "seconds; whether none is.");
  m.def(
      "abandon_callbacks", [] { pendingCallbacks->isAbandoned = true; },
      "Nothing waits for callbacks any more, nor the interpreter's end for "
      "sessions.");
  py::module_::import("atexit").attr("register")(m.attr("wait_for_callbacks"));
  py::module_::import("os").attr("register_at_fork")(
      py::arg("after_in_child") =
          py::cpp_function([] { pendingCallbacks = new PendingCallbacks(); }));

  m.def(
      "read_idx",
      [](const std::string &path) {
        Tensor tensor = [&] {
          GilRelease unlock;
          return check(readIdx(path));
        }();
        return adopt(std::move(tensor));
      },
      py::arg("path"), "The unsigned bytes of an IDX file, gzipped or not.");
}

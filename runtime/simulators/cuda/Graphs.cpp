//===- Graphs.cpp - Captures and graphs of the simulated CUDA -------------===//

#include "simulators/cuda/State.h"

#include <algorithm>

using namespace jobsim;

/// How captures and what this thread calls restrict each other.
static thread_local int threadMode = kCaptureGlobal;

void jobsim::invalidate(CaptureState &capture) { capture.invalidated = true; }

void jobsim::endCapture(CaptureState &capture) {
  capture.ended = true;
  for (StreamState *stream : capture.streams) {
    stream->captureDependencies.clear();
    // Not the last one: the caller has another.
    stream->capture = nullptr;
  }
  capture.streams.clear();
}

bool jobsim::invalidateCaptures(Simulator &sim) {
  std::erase_if(sim.captures, [](const std::weak_ptr<CaptureState> &weak) {
    std::shared_ptr<CaptureState> capture = weak.lock();
    return !capture || capture->ended;
  });
  bool isAny = false;
  for (const std::weak_ptr<CaptureState> &weak : sim.captures) {
    std::shared_ptr<CaptureState> capture = weak.lock();
    bool isOwn = capture->thread == std::this_thread::get_id();
    if (threadMode == kCaptureRelaxed ||
        (isOwn
             ? capture->mode == kCaptureRelaxed
             : threadMode != kCaptureGlobal || capture->mode != kCaptureGlobal))
      continue;
    invalidate(*capture);
    isAny = true;
  }
  return isAny;
}

Result cuThreadExchangeStreamCaptureMode(int *mode) {
  Call call(Symbol::cuThreadExchangeStreamCaptureMode, kNothing);
  if (call.refused())
    return call.result;
  if (!mode || *mode < kCaptureGlobal || *mode > kCaptureRelaxed)
    return refuse(kErrorInvalidValue,
                  "cuThreadExchangeStreamCaptureMode expects a mode");
  std::swap(*mode, threadMode);
  return kSuccess;
}

Result jobsim::capture(StreamState &stream, Work work, bool unpinned) {
  CaptureState &capture = *stream.capture;
  if (capture.invalidated)
    return kErrorStreamCaptureInvalidated;
  if (unpinned) {
    invalidate(capture);
    return refuse(kErrorStreamCaptureUnsupported,
                  "a stream that captures copies host memory that is not "
                  "pinned");
  }
  Nodes &nodes = capture.graph.nodes;
  unsigned node = nodes.size();
  nodes.push_back({std::move(work), std::move(stream.captureDependencies)});
  stream.captureDependencies = {node};
  return kSuccess;
}

Result cuStreamBeginCapture_v2(Stream handle, int mode) {
  Call call(Symbol::cuStreamBeginCapture_v2, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, handle, stream))
    return result;
  if (mode < kCaptureGlobal || mode > kCaptureRelaxed)
    return refuse(kErrorInvalidValue,
                  "cuStreamBeginCapture expects a mode of a capture");
  if (stream->capture)
    return refuse(kErrorIllegalState, "the stream captures already");
  auto capture = std::make_shared<CaptureState>();
  capture->graph.context = call.context;
  capture->origin = stream.get();
  capture->streams = {stream.get()};
  capture->thread = std::this_thread::get_id();
  capture->mode = mode;
  call.sim.captures.push_back(capture);
  stream->capture = std::move(capture);
  return kSuccess;
}

/// Whether the origin of the capture follows everything that was captured last
/// on the other streams.
static bool isJoined(const CaptureState &capture) {
  const Nodes &nodes = capture.graph.nodes;
  std::vector<bool> before(nodes.size());
  for (unsigned node : capture.origin->captureDependencies)
    before[node] = true;
  for (size_t node = nodes.size(); node-- > 0;)
    if (before[node])
      for (unsigned dependency : nodes[node].dependencies)
        before[dependency] = true;
  return std::all_of(capture.streams.begin(), capture.streams.end(),
                     [&](const StreamState *stream) {
                       return std::all_of(
                           stream->captureDependencies.begin(),
                           stream->captureDependencies.end(),
                           [&](unsigned node) { return before[node]; });
                     });
}

Result cuStreamEndCapture(Stream handle, Graph *graph) {
  // A call that is made to fail ends the capture as well.
  Call call(Symbol::cuStreamEndCapture, kContext | kReleases);
  if (graph)
    *graph = nullptr;
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, handle, stream))
    return result;
  std::shared_ptr<CaptureState> capture = stream->capture;
  if (!capture)
    return refuse(kErrorIllegalState, "the stream does not capture");
  if (capture->origin != stream.get()) {
    invalidate(*capture);
    return refuse(kErrorStreamCaptureUnmatched,
                  "cuStreamEndCapture of a stream that another one brought "
                  "into the capture");
  }
  if (capture->mode != kCaptureRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    invalidate(*capture);
    return refuse(kErrorStreamCaptureWrongThread,
                  "cuStreamEndCapture on a thread that has not begun the "
                  "capture");
  }
  bool joined = isJoined(*capture);
  endCapture(*capture);
  if (call.result)
    return call.result;
  if (capture->invalidated)
    return kErrorStreamCaptureInvalidated;
  if (!joined)
    return refuse(kErrorStreamCaptureUnjoined,
                  "the origin of the capture does not wait for the last "
                  "operation of a stream");
  if (!graph)
    return kErrorInvalidValue;
  *graph = call.sim.graphs.insert(
      std::make_shared<GraphState>(std::move(capture->graph)));
  return kSuccess;
}

Result cuGraphInstantiateWithFlags(GraphExec *handle, Graph graphHandle,
                                   unsigned long long flags) {
  Call call(Symbol::cuGraphInstantiateWithFlags, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<GraphState> graph = call.sim.graphs.find(graphHandle);
  if (!handle || !graph || flags)
    return refuse(kErrorInvalidValue,
                  "cuGraphInstantiateWithFlags expects a graph and flags 0");
  auto exec = std::make_shared<GraphExecState>();
  exec->context = graph->context;
  exec->nodes = std::make_shared<const Nodes>(graph->nodes);
  *handle = call.sim.graphExecs.insert(std::move(exec));
  return kSuccess;
}

Result cuGraphLaunch(GraphExec handle, Stream streamHandle) {
  Call call(Symbol::cuGraphLaunch, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, streamHandle, stream))
    return result;
  std::shared_ptr<GraphExecState> exec = call.sim.graphExecs.find(handle);
  if (!exec || exec->context != stream->context)
    return refuse(kErrorInvalidHandle, "no such graph in the stream's context");
  if (stream->capture) {
    invalidate(*stream->capture);
    return refuse(kErrorStreamCaptureUnsupported,
                  "the simulated CUDA has no graphs inside of graphs");
  }
  Operation operation;
  if (exec->lastLaunch)
    operation.waits.push_back(exec->lastLaunch);
  exec->lastLaunch = operation.completion;
  if (!exec->nodes->empty()) {
    operation.nodes = exec->nodes;
    operation.nodesLeft = exec->nodes->size();
    for (unsigned i = 0; i < exec->nodes->size(); ++i) {
      operation.missing.push_back((*exec->nodes)[i].dependencies.size());
      if (operation.missing.back() == 0)
        operation.ready.push_back(i);
    }
  }
  submit(stream, std::move(operation));
  return kSuccess;
}

Result cuGraphExecDestroy(GraphExec handle) {
  Call call(Symbol::cuGraphExecDestroy, kContext | kReleases);
  if (call.refused())
    return call.result;
  // Launches that have not run keep the nodes.
  if (!call.sim.graphExecs.take(handle))
    return call.finish(refuse(kErrorInvalidHandle, "no such graph"));
  return call.finish(kSuccess);
}

Result cuGraphDestroy(Graph handle) {
  Call call(Symbol::cuGraphDestroy, kContext | kReleases);
  if (call.refused())
    return call.result;
  if (!call.sim.graphs.take(handle))
    return call.finish(refuse(kErrorInvalidHandle, "no such graph"));
  return call.finish(kSuccess);
}

//===- Streams.cpp - Streams and events of the simulated CUDA -------------===//

#include "simulators/cuda/State.h"

#include <algorithm>

using namespace jobsim;

Result jobsim::findStream(const Call &call, Stream handle,
                          std::shared_ptr<StreamState> &stream) {
  if (!handle)
    return refuse(kErrorInvalidHandle,
                  "the simulated CUDA has no default stream");
  stream = call.sim.streams.find(handle);
  if (!stream)
    return refuse(kErrorInvalidHandle, "no such stream");
  if (stream->context != call.context)
    return refuse(kErrorInvalidHandle,
                  "the stream belongs to a context that is not current");
  return kSuccess;
}

static Result findEvent(const Call &call, Event handle,
                        std::shared_ptr<EventState> &event) {
  event = call.sim.events.find(handle);
  return event ? kSuccess : refuse(kErrorInvalidHandle, "no such event");
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *handle, unsigned flags) {
  Call call(Symbol::cuStreamCreate, kContext);
  if (call.refused())
    return call.result;
  if (!handle || (flags & ~kStreamNonBlocking))
    return refuse(kErrorInvalidValue, "unknown flags of a stream");
  auto stream = std::make_shared<StreamState>();
  stream->context = call.context;
  *handle = call.sim.streams.insert(std::move(stream));
  return kSuccess;
}

Result cuStreamDestroy_v2(Stream handle) {
  Call call(Symbol::cuStreamDestroy_v2, kContext | kReleases);
  if (call.refused())
    return call.result;
  // What it has left runs all the same.
  std::shared_ptr<StreamState> stream = call.sim.streams.take(handle);
  if (!stream)
    return call.finish(refuse(kErrorInvalidHandle, "no such stream"));
  if (std::shared_ptr<CaptureState> capture = stream->capture) {
    invalidate(*capture);
    if (capture->origin == stream.get())
      endCapture(*capture);
    else
      std::erase(capture->streams, stream.get());
  }
  return call.finish(kSuccess);
}

Result cuStreamSynchronize(Stream handle) {
  Call call(Symbol::cuStreamSynchronize, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, handle, stream))
    return result;
  if (stream->capture) {
    invalidate(*stream->capture);
    return refuse(kErrorStreamCaptureUnsupported,
                  "cuStreamSynchronize of a stream that captures");
  }
  // Later operations of other threads are not waited for.
  std::shared_ptr<Completion> last = stream->last;
  return last ? waitFor(call, last, stream->context) : stream->context->error;
}

/// A captured record of an event makes later operations of `stream` follow it;
/// a stream that does not capture joins the capture.
static Result waitForCaptured(const std::shared_ptr<StreamState> &stream,
                              EventState &event) {
  CaptureState &capture = *event.capture;
  if (capture.ended || capture.invalidated)
    return refuse(capture.ended ? kErrorStreamCaptureIsolation
                                : kErrorStreamCaptureInvalidated,
                  "cuStreamWaitEvent of an event that a capture recorded, "
                  "which is over");
  if (!stream->capture) {
    stream->capture = event.capture;
    capture.streams.push_back(stream.get());
  } else if (stream->capture != event.capture) {
    invalidate(capture);
    invalidate(*stream->capture);
    return refuse(kErrorStreamCaptureMerge,
                  "cuStreamWaitEvent would merge two captures");
  }
  std::vector<unsigned> &dependencies = stream->captureDependencies;
  dependencies.insert(dependencies.end(), event.captureNodes.begin(),
                      event.captureNodes.end());
  std::sort(dependencies.begin(), dependencies.end());
  dependencies.erase(std::unique(dependencies.begin(), dependencies.end()),
                     dependencies.end());
  return kSuccess;
}

Result cuStreamWaitEvent(Stream streamHandle, Event eventHandle,
                         unsigned flags) {
  Call call(Symbol::cuStreamWaitEvent, kContext);
  if (call.refused())
    return call.result;
  if (flags)
    return refuse(kErrorInvalidValue, "cuStreamWaitEvent expects flags 0");
  std::shared_ptr<StreamState> stream;
  std::shared_ptr<EventState> event;
  if (Result result = findStream(call, streamHandle, stream))
    return result;
  if (Result result = findEvent(call, eventHandle, event))
    return result;
  if (stream->capture && stream->capture->invalidated)
    return kErrorStreamCaptureInvalidated;
  if (event->capture)
    return waitForCaptured(stream, *event);
  Simulator &sim = call.sim;
  if (sim.droppedDivisor > 0 && !stream->capture &&
      sim.waits++ % sim.droppedDivisor == sim.droppedRemainder)
    return kSuccess;
  if (!event->record)
    return kSuccess;
  if (stream->capture) {
    invalidate(*stream->capture);
    return refuse(kErrorStreamCaptureIsolation,
                  "a stream that captures waits for an event that was "
                  "recorded outside of the capture");
  }
  Operation operation;
  operation.waits.push_back(event->record);
  submit(stream, std::move(operation));
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Result cuEventCreate(Event *handle, unsigned flags) {
  Call call(Symbol::cuEventCreate, kContext);
  if (call.refused())
    return call.result;
  // 1 is CU_EVENT_BLOCKING_SYNC, which changes how a thread waits.
  if (!handle || (flags & ~(kEventDisableTiming | 1)))
    return refuse(kErrorInvalidValue, "unknown flags of an event");
  auto event = std::make_shared<EventState>();
  event->context = call.context;
  event->timing = !(flags & kEventDisableTiming);
  *handle = call.sim.events.insert(std::move(event));
  return kSuccess;
}

Result cuEventDestroy_v2(Event handle) {
  Call call(Symbol::cuEventDestroy_v2, kContext | kReleases);
  if (call.refused())
    return call.result;
  if (!call.sim.events.take(handle))
    return call.finish(refuse(kErrorInvalidHandle, "no such event"));
  return call.finish(kSuccess);
}

Result cuEventRecord(Event eventHandle, Stream streamHandle) {
  Call call(Symbol::cuEventRecord, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  std::shared_ptr<EventState> event;
  if (Result result = findStream(call, streamHandle, stream))
    return result;
  if (Result result = findEvent(call, eventHandle, event))
    return result;
  if (event->context != stream->context)
    return refuse(kErrorInvalidHandle,
                  "cuEventRecord of an event of another context");
  if (stream->capture) {
    if (stream->capture->invalidated)
      return kErrorStreamCaptureInvalidated;
    event->capture = stream->capture;
    event->captureNodes = stream->captureDependencies;
    event->record = nullptr;
    return kSuccess;
  }
  event->capture = nullptr;
  Operation operation;
  event->record = operation.completion;
  submit(stream, std::move(operation));
  return kSuccess;
}

Result cuEventRecordWithFlags(Event eventHandle, Stream streamHandle,
                              unsigned flags) {
  Call call(Symbol::cuEventRecordWithFlags, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  std::shared_ptr<EventState> event;
  if (Result result = findStream(call, streamHandle, stream))
    return result;
  if (Result result = findEvent(call, eventHandle, event))
    return result;
  if (flags != kEventRecordExternal || !stream->capture ||
      event->context != stream->context)
    return refuse(kErrorInvalidValue,
                  "cuEventRecordWithFlags expects the flag for a node of a "
                  "graph, a stream that captures, and an event of its context");
  Work work;
  work.kind = Work::Kind::kRecord;
  work.event = std::move(event);
  return capture(*stream, std::move(work), /*unpinned=*/false);
}

void jobsim::recordNow(EventState &event) {
  event.capture = nullptr;
  event.record = std::make_shared<Completion>();
  event.record->done = true;
  event.record->time = std::chrono::steady_clock::now();
}

/// Fails for an event that a capture has recorded.
static Result checkNotCaptured(const char *function, EventState &event) {
  if (!event.capture)
    return kSuccess;
  if (!event.capture->ended)
    invalidate(*event.capture);
  return refuse(kErrorCapturedEvent,
                std::string(function) + " of an event that a capture recorded");
}

Result cuEventQuery(Event handle) {
  Call call(Symbol::cuEventQuery, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  std::shared_ptr<EventState> event;
  if (Result result = findEvent(call, handle, event))
    return result;
  if (Result result = checkNotCaptured("cuEventQuery", *event))
    return result;
  // Whoever only queries must get there in the end.
  for (uint32_t i = call.sim.random.below(4); i > 0 && step(); --i) {
  }
  if (event->record && !event->record->done && !step())
    detectDeadlock();
  if (event->context->error)
    return event->context->error;
  return !event->record || event->record->done ? kSuccess : kErrorNotReady;
}

Result cuEventSynchronize(Event handle) {
  Call call(Symbol::cuEventSynchronize, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  std::shared_ptr<EventState> event;
  if (Result result = findEvent(call, handle, event))
    return result;
  if (Result result = checkNotCaptured("cuEventSynchronize", *event))
    return result;
  std::shared_ptr<Completion> record = event->record;
  return record ? waitFor(call, record, event->context) : kSuccess;
}

Result cuEventElapsedTime(float *milliseconds, Event startHandle,
                          Event endHandle) {
  Call call(Symbol::cuEventElapsedTime, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  std::shared_ptr<EventState> start, end;
  if (Result result = findEvent(call, startHandle, start))
    return result;
  if (Result result = findEvent(call, endHandle, end))
    return result;
  if (!milliseconds)
    return kErrorInvalidValue;
  for (EventState *event : {start.get(), end.get()})
    if (Result result = checkNotCaptured("cuEventElapsedTime", *event))
      return result;
  if (!start->timing || !end->timing || !start->record || !end->record ||
      start->context != end->context)
    return refuse(kErrorInvalidHandle,
                  "cuEventElapsedTime expects two events with timing that one "
                  "context has recorded");
  if (!start->record->done || !end->record->done)
    return kErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(end->record->time -
                                                           start->record->time)
                      .count();
  return kSuccess;
}

//===- Threads.cpp - The threads of a block -------------------------------===//

#include "simulators/cuda/KernelRun.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace jobsim;

static constexpr uint32_t kWarp = 32;
static constexpr size_t kSharedAlignment = 256;

const jobsim_functions KernelRun::functions = {
    [](jobsim_thread *thread, const void *address, uint32_t bytes,
       uint32_t alignment, uint32_t flags, uint32_t site) {
      Thread &self = static_cast<Thread &>(*thread);
      self.run->access(self, reinterpret_cast<uintptr_t>(address), bytes,
                       alignment, flags, site);
    },
    [](jobsim_thread *thread, uint32_t site) {
      Thread &self = static_cast<Thread &>(*thread);
      self.run->barrier(self, site);
    },
    [](jobsim_thread *thread, uint32_t mask, uint32_t mode, uint32_t value,
       uint32_t lane, uint32_t clamp, uint32_t site) {
      Thread &self = static_cast<Thread &>(*thread);
      self.mask = mask;
      self.mode = mode;
      self.value = value;
      self.lane = lane;
      self.clamp = clamp;
      return self.run->shuffle(self, site);
    },
};

KernelRun::KernelRun() = default;

void KernelRun::prepare(const KernelLaunch &newLaunch) {
  launch = &newLaunch;
  ++round;
  error = kSuccess;
  recent.fill(nullptr);
  if (ptx::Module *code = launch->module->ptx.get())
    code->begin();

  // The kernel may not change what the next launch of a graph gets, but has no
  // reason to: it gets the values by reference.
  parameters.clear();
  auto *values = reinterpret_cast<const char *>(launch->parameters.data());
  for (size_t offset : launch->offsets)
    parameters.push_back(const_cast<char *>(values + offset));

  sharedBytes = launch->kernel->shared_bytes + launch->sharedBytes;
  if (sharedCapacity < sharedBytes + kSharedAlignment) {
    sharedCapacity = sharedBytes + kSharedAlignment;
    sharedStorage.reset(new std::byte[sharedCapacity]);
  }
  auto address = reinterpret_cast<uintptr_t>(sharedStorage.get());
  shared = sharedStorage.get() +
           (kSharedAlignment - address % kSharedAlignment) % kSharedAlignment;

  const uint32_t *size = launch->block;
  threadCount = size[0] * size[1] * size[2];
  threads.resize(threadCount);
  for (uint32_t i = 0; i < threadCount; ++i) {
    Thread &thread = threads[i];
    thread.functions = &functions;
    thread.shared = shared;
    thread.thread_id[0] = i % size[0];
    thread.thread_id[1] = i / size[0] % size[1];
    thread.thread_id[2] = i / size[0] / size[1];
    std::copy(size, size + 3, thread.block_dim);
    std::copy(launch->grid, launch->grid + 3, thread.grid_dim);
    thread.run = this;
    thread.number = i;
  }
}

Result KernelRun::run(ContextState &newContext, const KernelLaunch &newLaunch) {
  context = &newContext;
  prepare(newLaunch);
  const uint32_t *grid = launch->grid;
  std::vector<uint32_t> blocks;
  simulator().random.permute(blocks, grid[0] * grid[1] * grid[2]);
  for (uint32_t number : blocks) {
    runBlock(number);
    if (error)
      break;
  }
  return error;
}

void KernelRun::runBlock(uint32_t number) {
  Simulator &sim = simulator();
  block = number;
  ++blockRound;
  barriers = started = ended = waitingAtBarrier = waitingAtShuffle = 0;
  ready.clear();
  fibersUsed = 0;
  sim.random.permute(order, threadCount);
  const uint32_t *grid = launch->grid;
  for (Thread &thread : threads) {
    thread.block_id[0] = number % grid[0];
    thread.block_id[1] = number / grid[0] % grid[1];
    thread.block_id[2] = number / grid[0] / grid[1];
    thread.state = State::kNew;
  }
  // As a real GPU's, shared memory has any values at first.
  std::memset(shared, 0xff, sharedBytes);
  sharedWritten.assign(sharedBytes, false);

  while (!error) {
    if (!ready.empty() && (started == threadCount || sim.random.below(2))) {
      std::swap(ready[sim.random.below(ready.size())], ready.back());
      Thread &thread = *ready.back();
      ready.pop_back();
      thread.state = State::kRunning;
      current = thread.fiber;
    } else if (started < threadCount) {
      if (fibersUsed == fibers.size())
        fibers.push_back(std::make_unique<Fiber>());
      current = fibers[fibersUsed++].get();
      current->start(
          [](void *argument) {
            KernelRun &run = *static_cast<KernelRun *>(argument);
            run.work(run.current);
          },
          this);
    } else {
      break;
    }
    current->resume();
  }
}

/// On a fiber: runs threads that have not begun, one after the other.
void KernelRun::work(Fiber *fiber) {
  // Another thread may have taken the last one while one of these waited.
  while (started < threadCount) {
    Thread &thread = threads[order[started++]];
    thread.fiber = fiber;
    thread.state = State::kRunning;
    if (ptx::Module *code = launch->module->ptx.get())
      code->run(*launch->kernel, *this, thread, parameters.data());
    else
      launch->kernel->run(&thread, parameters.data());
    end(thread);
    if (!ready.empty() && simulator().random.below(2))
      break;
  }
}

void KernelRun::reportFault(const Thread &thread, uint32_t site, Result result,
                            const std::string &what) {
  error = result;
  const uint32_t *b = thread.block_id, *t = thread.thread_id;
  report(format("kernel %s, block (%u,%u,%u), thread (%u,%u,%u), site %u: %s",
                launch->kernel->name, b[0], b[1], b[2], t[0], t[1], t[2], site,
                what.c_str()));
}

void KernelRun::leave(Thread &thread) {
  thread.fiber->suspend();
  // Nobody resumes a fiber of a launch that has failed.
  std::abort();
}

void KernelRun::refuse(Thread &thread, uint32_t site, const char *what) {
  fail(thread, site, kErrorLaunchFailed, [&] { return std::string(what); });
}

void KernelRun::wait(Thread &thread, State state, uint32_t site) {
  thread.state = state;
  thread.site = site;
  thread.fiber->suspend();
}

void KernelRun::makeReady(Thread &thread) {
  thread.state = State::kReady;
  ready.push_back(&thread);
}

/// Fails if a lane of the warp waits for `thread` to shuffle, which does
/// something else.
template <typename Describe>
void KernelRun::checkShuffles(Thread &thread, Describe describe) {
  if (waitingAtShuffle == 0)
    return;
  uint32_t warp = thread.number / kWarp * kWarp;
  for (uint32_t i = warp; i < std::min(warp + kWarp, threadCount); ++i) {
    Thread &other = threads[i];
    if (other.state == State::kShuffle &&
        other.mask >> (thread.number - warp) & 1)
      fail(other, other.site, kErrorLaunchFailed, [&] {
        return format("shuffle with mask 0x%x waits for %s, which %s",
                      other.mask, nameThread(block, thread.number).c_str(),
                      std::string(describe()).c_str());
      });
  }
}

void KernelRun::end(Thread &thread) {
  checkShuffles(thread, [] { return "has ended"; });
  if (waitingAtBarrier)
    for (Thread &other : threads)
      if (other.state == State::kBarrier)
        fail(other, other.site, kErrorLaunchFailed, [&] {
          return "barrier that a part of the block reaches: " +
                 nameThread(block, thread.number) + " has ended";
        });
  thread.state = State::kEnded;
  ++ended;
}

void KernelRun::barrier(Thread &thread, uint32_t site) {
  checkShuffles(
      thread, [&] { return format("waits at the barrier of site %u", site); });
  for (Thread &other : threads) {
    if (ended && other.state == State::kEnded)
      fail(thread, site, kErrorLaunchFailed, [&] {
        return "barrier that a part of the block reaches: " +
               nameThread(block, other.number) + " has ended";
      });
    if (waitingAtBarrier && other.state == State::kBarrier) {
      if (other.site != site)
        fail(thread, site, kErrorLaunchFailed, [&] {
          return format("barrier while %s waits at the one of site %u",
                        nameThread(block, other.number).c_str(), other.site);
        });
      // The others wait at the same one.
      if (!ended)
        break;
    }
    if (!ended && !waitingAtBarrier)
      break;
  }
  if (++waitingAtBarrier < threadCount) {
    wait(thread, State::kBarrier, site);
    return;
  }
  waitingAtBarrier = 0;
  ++barriers;
  for (Thread &other : threads)
    if (other.state == State::kBarrier)
      makeReady(other);
  // Not always the first one behind the barrier.
  makeReady(thread);
  thread.fiber->suspend();
}

std::optional<uint32_t> KernelRun::findSource(uint32_t mode, uint32_t self,
                                              uint32_t lane, uint32_t clamp) {
  lane &= 31;
  uint32_t segment = clamp >> 8 & 31;
  clamp &= 31;
  uint32_t last = (self & segment) | (clamp & ~segment);
  auto ifInRange = [](uint32_t source, bool isInRange) {
    return isInRange ? std::optional(source) : std::nullopt;
  };
  switch (mode) {
  case JOBSIM_SHUFFLE_UP:
    // Signed: a lane below 0 is out of range.
    return ifInRange(self - lane, int32_t(self - lane) >= int32_t(last));
  case JOBSIM_SHUFFLE_DOWN:
    return ifInRange(self + lane, self + lane <= last);
  case JOBSIM_SHUFFLE_XOR:
    return ifInRange(self ^ lane, (self ^ lane) <= last);
  default: {
    uint32_t source = (self & segment) | (lane & ~segment);
    return ifInRange(source, source <= last);
  }
  }
}

/// All lanes of the mask wait: gives each its value.
void KernelRun::finishShuffle(Thread &first) {
  uint32_t warp = first.number / kWarp * kWarp;
  for (uint32_t lane = 0; lane < kWarp; ++lane) {
    if (!(first.mask >> lane & 1))
      continue;
    Thread &thread = threads[warp + lane];
    uint32_t source =
        findSource(thread.mode, lane, thread.lane, thread.clamp).value_or(lane);
    if (!(thread.mask >> source & 1))
      fail(thread, thread.site, kErrorLaunchFailed, [&] {
        return format("shuffle with mask 0x%x reads lane %u, which is not in "
                      "it",
                      thread.mask, source);
      });
    thread.result = threads[warp + source].value;
  }
  for (uint32_t lane = 0; lane < kWarp; ++lane)
    if (first.mask >> lane & 1)
      if (Thread &thread = threads[warp + lane]; &thread != &first) {
        makeReady(thread);
        --waitingAtShuffle;
      }
}

uint32_t KernelRun::shuffle(Thread &thread, uint32_t site) {
  uint32_t warp = thread.number / kWarp * kWarp;
  uint32_t mask = thread.mask;
  auto failShuffle = [&](auto describe) {
    fail(thread, site, kErrorLaunchFailed,
         [&] { return format("shuffle with mask 0x%x ", mask) + describe(); });
  };
  if (!(mask >> (thread.number - warp) & 1))
    failShuffle([&] { return "that lacks the thread itself"; });
  if (thread.mode > JOBSIM_SHUFFLE_INDEX)
    failShuffle([&] { return format("of unknown mode %u", thread.mode); });
  bool complete = true;
  for (uint32_t lane = 0; lane < kWarp; ++lane) {
    uint32_t number = warp + lane;
    if (!(mask >> lane & 1) || number == thread.number)
      continue;
    if (number >= threadCount)
      failShuffle([&] {
        return format("waits for lane %u, which the block does not have", lane);
      });
    Thread &other = threads[number];
    auto name = [&] { return nameThread(block, number); };
    if (other.state == State::kEnded)
      failShuffle([&] { return "waits for " + name() + ", which has ended"; });
    if (other.state == State::kBarrier)
      failShuffle([&] {
        return "waits for " + name() +
               format(", which waits at the barrier of site %u", other.site);
      });
    if (other.state != State::kShuffle)
      complete = false;
    else if (other.site != site || other.mask != mask ||
             other.mode != thread.mode)
      failShuffle([&] {
        return "waits for " + name() +
               format(", which shuffles at site %u with mask 0x%x", other.site,
                      other.mask);
      });
  }
  if (complete) {
    thread.site = site;
    finishShuffle(thread);
  } else {
    ++waitingAtShuffle;
    wait(thread, State::kShuffle, site);
  }
  return thread.result;
}

"""Contenders: processes that each keep one piece of work ready and run it on
demand, so that measurements of several can be interleaved."""

import dataclasses
import json
import os
import pathlib
import select
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


class Failure(Exception):
    """A contender that cannot start, or fails at a step, and why."""


@dataclasses.dataclass(frozen=True)
class Configuration:
    """How to start a contender.

    Contenders of one `group` are the same program; of these the fastest counts.
    """

    group: str
    name: str
    python: str
    script: str
    options: dict | None = None
    environment: dict = dataclasses.field(default_factory=dict)

    @property
    def title(self):
        return ", ".join(filter(None, [self.group, self.name]))

    @property
    def is_ours(self):
        return self.group.startswith("JobMLIR")


@dataclasses.dataclass
class Times:
    """Seconds a step, in rounds, and how many of these were disturbed."""

    rounds: list = dataclasses.field(default_factory=list)
    disturbed: int = 0

    @property
    def steps(self):
        return [t for times in self.rounds for t in times]

    @property
    def median(self):
        return statistics.median(self.steps)

    @property
    def quartiles(self):
        steps = sorted(self.steps)
        if len(steps) < 2:
            return steps[0], steps[0]
        first, _, third = statistics.quantiles(steps, n=4, method="inclusive")
        return first, third


def ratio(ours, other):
    """Median and quartiles, over rounds, of the ratio of the rounds' medians:
    what slows both down for longer than a round does not change it."""
    pairs = zip(ours.rounds, other.rounds)
    ratios = Times([[statistics.median(a) / statistics.median(b)] for a, b in pairs])
    return ratios.median, *ratios.quartiles


def busy_ticks(process):
    """Clock ticks that the processors have spent on anything but idling, and those
    that one process has had of them."""
    user, nice, system, _, _, irq, softirq, steal = map(
        int, pathlib.Path("/proc/stat").read_text().split(maxsplit=9)[1:9]
    )
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()
    return (
        user + nice + system + irq + softirq + steal,
        int(fields[11]) + int(fields[12]),
    )


def run_rounds(contenders, count, seconds, patience=0):
    """Runs each contender for about as many seconds in each round, in turn. A turn
    in which other processes took processors is repeated for up to `patience`
    seconds. A contender that fails is closed and removed from the list; the
    failures, with their messages."""
    failures = []
    for one in contenders:
        one.times = Times()
    for _ in range(count):
        for one in list(contenders):
            try:
                one.run(one.steps_for(seconds), patience)
            except Failure as failure:
                failures.append((one.configuration, str(failure)))
                one.close()
                contenders.remove(one)
    return failures


class Contender:
    """A worker process. Every method that talks to it raises Failure.

    The constructor does not wait for the process: several can start at once.
    """

    def __init__(self, configuration, work, threads, timeout):
        self.configuration = configuration
        self.timeout = timeout
        self.times = Times()
        self.errors = tempfile.TemporaryFile("w+")
        arguments = [work, str(threads)]
        if configuration.options is not None:
            arguments.append(json.dumps(configuration.options))
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [configuration.python, str(HERE / configuration.script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env={**os.environ, **configuration.environment},
        )

    def wait_until_ready(self):
        """Compilers run in the first steps; allocators and optimizers settle in
        the next. Closes a contender that fails."""
        try:
            self.about = self._answer()["about"]
            self.request(3)
            answer = self.request(2)
        except Failure:
            self.close()
            raise
        self.step_seconds = min(answer["seconds"])
        self.memory = answer["memory"]
        self.start_seconds = time.perf_counter() - self.started
        return self

    def request(self, steps):
        """Runs steps; the worker's answer."""
        try:
            self.process.stdin.write(f"{steps}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer, or its absence, says why
        return self._answer()

    def run(self, steps, patience=0):
        """Runs one turn. It is repeated while other processes take more than a
        twentieth of the processors; when patience ends, it counts as disturbed."""
        limit = 0.05 * os.cpu_count() * os.sysconf("SC_CLK_TCK")
        deadline = time.perf_counter() + patience
        while True:
            start, before = time.perf_counter(), busy_ticks(self.process.pid)
            times = self.request(steps)["seconds"]
            end, after = time.perf_counter(), busy_ticks(self.process.pid)
            busy, own = (b - a for a, b in zip(before, after))
            # Each of the counters may be off by a tick.
            is_quiet = busy - own - 2 <= limit * (end - start)
            if is_quiet or end > deadline:
                break
        self.times.rounds.append(times)
        self.times.disturbed += not is_quiet
        self.step_seconds = statistics.median(times)

    def steps_for(self, seconds):
        """The number of steps that take about as long, at least one."""
        return max(1, min(500, round(seconds / self.step_seconds)))

    def _answer(self):
        ready, _, _ = select.select([self.process.stdout], [], [], self.timeout)
        if not ready:
            raise Failure(f"no answer in {self.timeout} s")
        line = self.process.stdout.readline()
        if not line:
            raise Failure(self._last_words())
        answer = json.loads(line)
        if "error" in answer:
            raise Failure(answer["error"])
        return answer

    def _last_words(self):
        status = self.process.wait()
        end = f"signal {-status}" if status < 0 else f"exit status {status}"
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors if line.strip()]
        return f"{end}: {lines[-1]}" if lines else end

    def close(self):
        """Ends the process; its times stay."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()

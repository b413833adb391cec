"""Which values of a job are per micro-step: the rules of job-verify.

A value is constant, per-step or per-micro-step. A value that depends on results
of micro-steps (`late`) cannot be an operand of an entry op, and neither can its
gradient: a loss whose gradient would is refused, and its value is `bent`.
"""

from jobs import Invalid

ENTRIES, EXITS = ("unpack", "broadcast_micro_steps"), ("acc", "pack")
CONSTANT, PER_STEP = 0, 1
# The gradient of an operand needs no operand, or only the other one.
LINEAR = ("acc", "pack", "add", "sub", "neg", "reduce_sum", "reshape",
          "broadcast_in_dim", "transpose", "slice", "pad", "concat")
BILINEAR = ("mul", "matmul", "conv2d")


def _require(condition):
    if not condition:
        raise Invalid


class MicroSteps:
    """Takes the ops of a job in order; raises Invalid where an op mixes per-step
    and per-micro-step values."""

    def __init__(self):
        # The number of micro-steps of the job; 0 while there are none.
        self.count = 0
        # By value: CONSTANT, PER_STEP or the number of its micro-steps.
        self.counts = {}
        self.late, self.bent, self.late_variables = set(), set(), set()

    def count_of(self, value):
        return self.counts.get(value, PER_STEP)

    def is_inside(self, value):
        return self.count_of(value) > PER_STEP

    def elements(self, job, value):
        """The elements of a value in all micro-steps together."""
        return job.type(value).count * max(1, self.count_of(value))

    def add(self, job, op):
        operands = op.operands
        late = any(value in self.late for value in operands)
        count = self._count(op, late)
        if op.name == "read":
            late = op.variable in self.late_variables
        elif op.name == "assign" and late:
            self.late_variables.add(op.variable)
        elif op.name in EXITS:
            late = True
        elif op.name == "loss":
            _require(operands[0] not in self.bent)
        bent = self._bends(job, op)
        for result in op.results:
            self.counts[result] = count
            if late:
                self.late.add(result)
            if bent:
                self.bent.add(result)

    def _count(self, op, late):
        counts = [self.count_of(value) for value in op.operands]
        largest = max(counts, default=CONSTANT)
        if op.name in ENTRIES + EXITS:
            count = op.attributes["count"]
            _require(count >= 2 and self.count in (0, count))
            self.count = count
            if op.name in EXITS:
                _require(largest != PER_STEP)
                return PER_STEP
            _require(largest <= PER_STEP and not late)
            return count
        if op.name in ("read", "step", "assign", "minimize"):
            _require(largest <= PER_STEP)
            return PER_STEP
        _require(largest <= PER_STEP or PER_STEP not in counts)
        return largest

    def _bends(self, job, op):
        if any(value in self.bent for value in op.operands):
            return True
        late = [value for value in op.operands if value in self.late]
        if op.name in LINEAR or \
                not any(job.values[value].active for value in late):
            return False
        return op.name not in BILINEAR or len(late) > 1


def of(job):
    steps = MicroSteps()
    for op in job.ops:
        steps.add(job, op)
    for value in job.outputs:
        _require(not steps.is_inside(value))
    return steps

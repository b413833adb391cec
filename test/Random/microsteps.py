"""Which values of a job are of micro-steps: the rules of job-verify.

A value is computed from constants alone, of one step, or of all micro-steps.
What needs the results of micro-steps (`late`) cannot lead back to them, nor can
its gradient: where that of a loss would, the loss's value is `bent`.
"""

from jobs import Invalid

ENTRIES, EXITS = ("unpack", "repeat"), ("acc", "pack")
CONSTANT, ONE_STEP = 0, 1
# The gradient of an operand needs no operand, or only the other one.
LINEAR = ("acc", "pack", "add", "sub", "neg", "reduce_sum", "reshape",
          "broadcast_in_dim", "transpose", "slice", "pad", "concat")
BILINEAR = ("mul", "matmul", "conv2d")


def _require(condition):
    if not condition:
        raise Invalid


class MicroSteps:
    """Fed with the ops of a job in their order; Invalid where they mix."""

    def __init__(self):
        # The number of micro-steps of the job, once there are any.
        self.count = 0
        # Of a value; CONSTANT, ONE_STEP or the number of its micro-steps.
        self.counts = {}
        self.late, self.bent, self.late_variables = set(), set(), set()

    def count_of(self, value):
        return self.counts.get(value, ONE_STEP)

    def is_inside(self, value):
        return self.count_of(value) > ONE_STEP

    def elements(self, job, value):
        """Of all micro-steps."""
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
                _require(largest != ONE_STEP)
                return ONE_STEP
            _require(largest <= ONE_STEP and not late)
            return count
        if op.name in ("read", "step", "assign"):
            _require(largest <= ONE_STEP)
            return ONE_STEP
        _require(largest <= ONE_STEP or ONE_STEP not in counts)
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

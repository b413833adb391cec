"""The models that are measured on a GPU: size, precision and goal of each."""

import dataclasses

import worker


@dataclasses.dataclass(frozen=True)
class Row:
    model: str
    batch: int
    # "f32", "tf32" (f32 whose products round factors to TF32) or "bf16" (mixed).
    precision: str
    # What a step may take at most in microseconds, or how many images or tokens
    # a second it must reach; None where there is no goal.
    goal_microseconds: float | None = None
    goal_rate: float | None = None
    # What stands for it on the simulated CUDA: a model, a batch and the shape of
    # an input.
    small: tuple = ()
    # Whether all commands are on one queue. Such a row is beside one without, to
    # see what two queues gain, and needs no peers.
    one_queue: bool = False

    @property
    def name(self):
        return f"{self.model}-{self.precision}" + "-one-queue" * self.one_queue

    @property
    def title(self):
        return f"{self.model}, batch {self.batch}, {self.precision}" + \
            ", one queue" * self.one_queue

    def size_for(self, target):
        """The model, the batch and the shape of an input."""
        if target == "simulated":
            return self.small
        return self.model, self.batch, worker.SHAPES[self.model][1]

    def queues_for(self, target):
        """What job-compile is told. Small models gain nothing on two queues, but the
        simulated CUDA is to run them."""
        if self.one_queue:
            return "one"
        return "two" if target == "simulated" else "auto"

    @property
    def items(self):
        """Images or tokens of a step."""
        is_text = self.model in worker.TRANSFORMERS
        return self.batch * (worker.SHAPES[self.model][1][0] if is_text else 1)

    @property
    def limit(self):
        """The goal in seconds a step; None where there is none."""
        if self.goal_rate:
            return self.items / self.goal_rate
        return self.goal_microseconds and self.goal_microseconds * 1e-6

    @property
    def goal(self):
        if self.goal_rate:
            unit = "tokens" if self.model in worker.TRANSFORMERS else "images"
            return f"{self.goal_rate:,.0f} {unit}/s"
        return f"{self.goal_microseconds:g} us" if self.goal_microseconds else ""


ROWS = [
    Row("mlp", 100, "f32", goal_microseconds=25, small=("mlp", 4, (1, 28, 28))),
    Row("mlp", 100, "f32", small=("mlp", 4, (1, 28, 28)), one_queue=True),
    Row("lenet", 100, "tf32", goal_microseconds=60, small=("lenet", 1, (1, 8, 8))),
    Row("lenet", 100, "tf32", small=("lenet", 1, (1, 8, 8)), one_queue=True),
    Row("lenet", 100, "f32", small=("lenet", 1, (1, 8, 8))),
    Row("resnet50", 256, "bf16", goal_rate=4000, small=("resnet20", 1, (1, 8, 8))),
    Row("gpt2", 32, "bf16", goal_rate=550000, small=("chars", 1, (8,))),
]


def find(name):
    for row in ROWS:
        if row.name == name:
            return row
    names = ", ".join(row.name for row in ROWS)
    raise SystemExit(f"expects a row of {names} but got '{name}'")

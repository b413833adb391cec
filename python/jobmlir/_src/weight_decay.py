"""Weight decay: a multiple of a variable that update rules subtract from it, beside
the step along its gradient."""

from . import errors, patterns, schedules, text

_fail = errors.failing(errors.TrainConfError)


class WeightDecay:
    """A rate, and the variables that it is for: those with one of the patterns
    `includes` in their name, those with none of `excludes`, or all."""

    def __init__(self, rate, includes=None, excludes=None):
        self.rate = schedules.require_number(rate, "weight_decay")
        if self.rate < 0:
            _fail(f"expects weight_decay to be at least 0 but got {self.rate}")
        self._includes = includes
        self._excludes = excludes

    def attribute(self, names):
        """In MLIR's syntax, for the variables of these names; None if it is for none
        of them."""
        rate = f"rate = {text.number(self.rate)}"
        if self._includes is None and self._excludes is None:
            return f"#job.weight_decay<{rate}>" if self.rate else None
        decayed = [text.symbol(name) for name in names if self._is_for(name)]
        if not decayed or not self.rate:
            return None
        return f"#job.weight_decay<{rate}, variables = [{', '.join(decayed)}]>"

    def _is_for(self, name):
        if self._includes is not None:
            return patterns.matches(self._includes, name)
        return not patterns.matches(self._excludes, name)


def from_arguments(rate, includes, excludes):
    """The weight decay of an optimizer with these arguments; None without a rate."""
    if includes is not None and excludes is not None:
        _fail(
            "expects weight_decay_includes or weight_decay_excludes but got both, "
            f"{includes!r} and {excludes!r}"
        )
    if includes is not None:
        includes = patterns.compile_patterns(includes, "weight_decay_includes")
    if excludes is not None:
        excludes = patterns.compile_patterns(excludes, "weight_decay_excludes")
    return None if rate is None else WeightDecay(rate, includes, excludes)

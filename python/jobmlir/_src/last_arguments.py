"""The arrays that the last calls of jobs have passed."""


class LastArguments:
    """The arrays of each job's last call, in order; None for one that has not been
    passed."""

    def __init__(self):
        # By the job's name, those of the last call at the end.
        self._arrays = {}

    def keep(self, job, arrays):
        """Notes the arrays of a call."""
        self._arrays.pop(job.name, None)
        self._arrays[job.name] = arrays

    def of(self, job):
        """The arrays of the last call of a job."""
        return self._arrays.get(job.name) or [None] * len(job.leaves())

    def replace(self, job, index, array):
        """Puts an array in the place of one of the last call."""
        arrays = list(self.of(job))
        arrays[index] = array
        self._arrays[job.name] = arrays

    def find(self, jobs, name):
        """The one of the jobs that has an argument of this name, and its index; or
        None. Of several jobs, the one that was called last or, if none was, the
        first."""
        found = [
            (job, index)
            for job in jobs
            for index, (leaf, _) in enumerate(job.leaves())
            if leaf == name
        ]
        for called in reversed(list(self._arrays)):
            for job, index in found:
                if job.name == called and self.of(job)[index] is not None:
                    return job, index
        return found[0] if found else None

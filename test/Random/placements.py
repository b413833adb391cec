"""Devices for the ops of a job, at random or fewer of them."""

CPU, GPU0, GPU1 = DEVICES = ('cpu, "0:0"', 'gpu, "0:0"', 'gpu, "0:1"')


def place(job, rng):
    """Places the job and each op. Neighbours are often on one device, as they
    are in jobs that people write."""
    job.placement = device = rng.choice(DEVICES)
    for op in job.ops:
        # It has no placement: updates are where the variables are.
        if op.name == "minimize":
            continue
        if rng.random() < 0.25:
            device = rng.choice(DEVICES)
        op.placement = device


def used(job):
    return {job.placement, *(op.placement for op in job.ops)} - {""}


def replace(job, old, new):
    for placed in (job, *job.ops):
        if placed.placement == old:
            placed.placement = new

"""The configurations of PyTorch and JAX that the benchmark tries.

Peers are measured at their best: for each model the fastest of these counts.
docs/performance.md says what is tried. A setting that changes results beyond
rounding (bfloat16 products, say) is not among them.
"""

import ctypes.util

import worker
from contender import Configuration

# Preloaded before libc's allocator, which gives large blobs back to the kernel
# and gets them again, page by page, in each step.
ALLOCATORS = {
    "tcmalloc": "tcmalloc_minimal",  # Debian's libtcmalloc-minimal4
    "jemalloc": "jemalloc",  # Debian's libjemalloc2
}
KEEP_PAGES = {"MALLOC_CONF": "dirty_decay_ms:-1,muzzy_decay_ms:-1"}

# What a compiler costs in time pays there, what it saves between ops does not.
LARGE = ("resnet50", "gpt2")

# Each OpenMP thread stays on a core of its own.
BOUND = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}


# The fastest that was seen of each; a full run says whether it still is.
BEST_KNOWN = {
    "mlp": {
        "PyTorch": "tcmalloc, bound",
        "torch.compile": "tcmalloc, bound",
        "JAX": "tcmalloc",
    },
    "lenet": {
        "PyTorch": "nhwc, tcmalloc, bound",
        "torch.compile": "nchw, tcmalloc, bound",
        "JAX": "nchw, tcmalloc",
    },
    "resnet20": {
        "PyTorch": "nhwc, tcmalloc, bound",
        "torch.compile": "nhwc, tcmalloc, bound",
        "JAX": "nhwc, tcmalloc",
    },
    "resnet50": {
        "PyTorch": "nhwc, tcmalloc, bound",
        "torch.compile": "nhwc, tcmalloc, bound",
        "JAX": "nhwc, tcmalloc",
    },
    "chars": {
        "PyTorch": "tcmalloc, bound",
        "torch.compile": "tcmalloc, bound",
        "JAX": "tcmalloc",
    },
    "gpt2": {
        "PyTorch": "tcmalloc, bound",
        "torch.compile": "tcmalloc, bound",
        "JAX": "tcmalloc",
    },
}


def preload(allocator):
    """The environment that loads an allocator; None if it is not installed."""
    path = ctypes.util.find_library(ALLOCATORS[allocator])
    if not path:
        return None
    return {"LD_PRELOAD": path, **(KEEP_PAGES if allocator == "jemalloc" else {})}


def missing_allocators():
    return [name for name in ALLOCATORS if not preload(name)]


def environments(threads):
    """Names and environments in which PyTorch runs."""
    base = {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    bound = {**base, **BOUND}
    out = {"": base, "bound": bound}
    for allocator in ALLOCATORS:
        if library := preload(allocator):
            out[f"{allocator}, bound"] = {**bound, **library}
    return out


def layouts(model):
    return ("nchw", "nhwc") if model in worker.CONVOLUTIONAL else ("",)


def join(*parts):
    return ", ".join(filter(None, parts))


def torch_configuration(model, python, compiled, layout, place, setting=None):
    """`place` is a name and an environment, `setting` one of the compiler."""
    name, environment = place
    options = {"layout": layout or "nchw", "compile": compiled}
    if setting:
        options["inductor"] = {setting: True}
    return Configuration(
        "torch.compile" if compiled else "PyTorch",
        join(layout, name, setting),
        python,
        "worker_torch.py",
        options,
        environment,
    )


def torch_configurations(model, python, threads):
    """Eager in each layout and environment, compiled in each layout in the best
    environment, there with settings of the compiler."""
    places = environments(threads)
    best = "tcmalloc, bound" if "tcmalloc, bound" in places else "bound"
    last = layouts(model)[-1]
    for layout in layouts(model):
        for place in places.items():
            if layout == last or not place[0].startswith("jemalloc"):
                yield torch_configuration(model, python, False, layout, place)
    place = best, places[best]
    for layout in layouts(model):
        yield torch_configuration(model, python, True, layout, place)
    yield torch_configuration(model, python, True, last, ("", places[""]))
    if model not in LARGE:
        yield torch_configuration(model, python, True, last, place, "cpp_wrapper")
        yield torch_configuration(model, python, True, last, place, "max_autotune")
    if model == "lenet":  # its dropout is the only op that draws
        yield torch_configuration(model, python, True, last, place, "fallback_random")


def jax_configurations(model, python):
    """In each layout, with and without another allocator."""
    for allocator in ("", "tcmalloc"):
        environment = preload(allocator) if allocator else {}
        for layout in layouts(model):
            if environment is not None:
                yield Configuration(
                    "JAX",
                    join(layout, allocator),
                    python,
                    "worker_jax.py",
                    {"layout": layout or "nchw"},
                    environment,
                )


def peers(model, python, threads):
    yield from torch_configurations(model, python, threads)
    yield from jax_configurations(model, python)


def best_known(model, python, threads):
    """One configuration of each peer."""
    return [
        configuration
        for configuration in peers(model, python, threads)
        if BEST_KNOWN[model][configuration.group] == configuration.name
    ]


def ours(python, group="JobMLIR", package=None):
    """Our configuration; `package` is the folder of another build's package."""
    environment = {"PYTHONPATH": str(package)} if package else {}
    return Configuration(group, "", python, "worker_jobmlir.py", None, environment)

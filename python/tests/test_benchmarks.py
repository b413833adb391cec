"""The parts of the benchmarks that no measurement shows: contenders that fail,
and what is concluded from times."""

import pathlib
import sys

import numpy as np
import pytest

import jobmlir

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
COMPILER = pathlib.Path(jobmlir.__file__).parents[2] / "bin" / "job-compile"


@pytest.fixture(autouse=True)
def benchmarks_are_importable(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture
def start(tmp_path):
    """Starts a contender whose worker runs the given lines."""
    import contender

    def run(body, timeout=60):
        script = tmp_path / "worker.py"
        script.write_text(
            f"import sys\nsys.path.insert(0, {str(BENCHMARKS)!r})\n{body}"
        )
        configuration = contender.Configuration(
            "Peer", "quick", sys.executable, str(script)
        )
        return contender.Contender(configuration, "work", 1, timeout).wait_until_ready()

    return run


STEPS = """
import worker
count = 0
def step():
    global count
    count += 1
    {}
worker.serve({{"version": "1"}}, lambda: step)
"""


def test_steps_are_timed(start):
    one = start(STEPS.format("print('not an answer')"))
    one.run(4)
    one.close()
    assert one.about == {"version": "1"}
    assert len(one.times.steps) == 4
    assert one.configuration.title == "Peer, quick"


def test_exception_at_start(start):
    import contender

    with pytest.raises(contender.Failure, match="^RuntimeError: no such model$"):
        start(
            "import worker\n"
            "def fail():\n    raise RuntimeError('no such model\\nsecond line')\n"
            "worker.serve({}, fail)"
        )


def test_import_that_fails(start):
    import contender

    with pytest.raises(contender.Failure, match="^exit status 1: ModuleNotFoundError"):
        start("import there_is_no_such_module")


def test_no_answer(start):
    import contender

    with pytest.raises(contender.Failure, match="^no answer in 1 s$"):
        start("import time\ntime.sleep(100)", timeout=1)


@pytest.mark.parametrize(
    "body, message",
    [
        ("if count == 7: raise ValueError('step 7')", "ValueError: step 7"),
        ("if count == 7: raise ValueError", "ValueError: no message"),
        ("if count == 7: import os; os.kill(os.getpid(), 9)", "signal 9"),
    ],
)
def test_failure_at_a_step(start, body, message):
    """The contender is reported and left out, and the others run on."""
    from contender import run_rounds

    good, bad = start(STEPS.format("pass")), start(STEPS.format(body))
    good.step_seconds = bad.step_seconds = 1
    contenders = [good, bad]
    failures = run_rounds(contenders, 3, seconds=1)
    good.close()
    assert failures == [(bad.configuration, message)]
    assert contenders == [good]
    assert len(good.times.rounds) == 3


def test_ratio_is_taken_round_by_round():
    """A slow round of both does not change it."""
    from contender import Times, ratio

    ours, other = Times([[1, 1], [10, 10], [1, 1]]), Times([[2, 2], [20, 20], [2, 2]])
    assert ratio(ours, other) == (0.5, 0.5, 0.5)
    assert ours.median == 1
    assert Times([[1, 2, 3, 4, 5]]).quartiles == (2, 4)


def test_finalists():
    """The best of each peer, and whatever is within 3 % of the best of all."""
    from bench import Benchmark
    from contender import Configuration, Times

    benchmark = Benchmark("mlp", None)
    speeds = {"a": {"x": 0.5, "y": 0.98, "z": 1.0}, "b": {"x": 0.7, "y": 0.6}}
    for group, names in speeds.items():
        for name, speed in names.items():
            benchmark.tried.append((Configuration(group, name, "", ""), Times(), speed))
    assert [one.title for one in benchmark.finalists()] == ["a, y", "a, z", "b, x"]
    benchmark.tried.clear()
    assert benchmark.finalists() == []


@pytest.mark.parametrize(
    "model", ["mlp", "lenet", "resnet20", "resnet50", "chars", "gpt2"]
)
def test_best_known_configurations_exist(model):
    import configurations

    if configurations.missing_allocators():
        pytest.skip("needs tcmalloc and jemalloc")
    best = configurations.best_known(model, "python", 2)
    assert [one.group for one in best] == ["PyTorch", "torch.compile", "JAX"]
    every = [one.title for one in configurations.peers(model, "python", 2)]
    assert len(set(every)) == len(every)


def test_breakdown_adds_up_a_step():
    import breakdown

    def command(start, duration, kernel, op, flops):
        args = {"kernel": kernel, "op": op, "flops": flops, "step": 3}
        return {"ts": start, "dur": duration, "args": args}

    (step,) = breakdown.steps_of(
        [
            command(10, 5, "onednn.conv2d_filter_grad", "gradient of Conv2d", 70),
            command(15, 2, "jobk_1", "gradient of MaxPool2D", 30),
            command(20, 1, "copy", "update of Dense-bias", 0),
        ]
    )
    assert (step.total, step.operations) == (11, 70)
    assert step.families == {
        "convolutions": 5,
        "pooling": 2,
        "updates": 1,
        "between commands": 3,
    }


def test_primitives_are_added_up():
    import primitives

    times = primitives.add_up(
        [
            "onednn_verbose,info,cpu,runtime:OpenMP\n",
            "a warning\n",
            # Versions 2 and 3.
            "onednn_verbose,exec,cpu,convolution,jit:avx512_core,backward_data,"
            "diff_src_f32::blocked:aBcd16b:f0,,alg:convolution_direct,mb13_ic16oc16,1.5\n",
            "onednn_verbose,v1,primitive,exec,cpu,convolution,brg_conv_bwd:avx512_core,"
            "backward_data,diff_src:f32::blocked:acdb::f0,,,mb100_ic16oc16,2.25\n",
            "onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,src:f32,,,16x1x3x3,0.5\n",
            "onednn_verbose,v1,primitive,exec,cpu,eltwise,jit:avx512_core,forward,,,,7,9\n",
        ]
    )
    assert times == {"data gradient": 3.75, "reorder": 0.5}


def small_cases():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from kernel_cases import CASES, Case, pooling, softmax
    finally:
        sys.path.pop(0)
    row = {"gamma": (6,), "beta": (6,)}
    cases = [
        Case("sum", "sum", {"x": (5, 6)}, ("y",)),
        Case("transpose", "transpose", {"x": (5, 6)}, ("y",)),
        Case("matmul", "matmul", {"a": (5, 6), "b": (6, 4)}, ("y",)),
        *softmax(5, 6),
        Case("gather", "gather", {"x": (9, 4), "indices": (20,)}, ("y",), (9, 4)),
        Case(
            "gather_gradient",
            "gather, gradient",
            {"dy": (20, 4), "indices": (20,)},
            ("dx",),
            (9, 4),
        ),
        Case("layer_norm", "layer norm", {"x": (5, 6), **row}, ("y",)),
        Case(
            "layer_norm_gradient",
            "layer norm, gradient",
            {"x": (5, 6), **row, "dy": (5, 6)},
            ("dx", "dgamma", "dbeta"),
        ),
        *pooling((2, 3, 7, 8), 3, 2, 1),
    ]
    assert {case.kind for case in cases} == {case.kind for case in CASES.values()}
    return cases


@pytest.mark.skipif(not COMPILER.exists(), reason="no job-compile here")
@pytest.mark.parametrize("case", small_cases(), ids=lambda case: case.title)
def test_kernels_compute_what_numpy_does(case):
    import kernels_jobmlir
    import kernels_numpy

    session = kernels_jobmlir.load(case, COMPILER, threads=2)
    kernels_jobmlir.run(session)
    ours = kernels_jobmlir.results_of(case, session)
    step, theirs = kernels_numpy.KINDS[case.kind](case, **case.draw())
    step()
    for name in case.results:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-4, atol=1e-5)


def test_the_table_of_implementations_is_as_the_tuning_command_writes_it():
    import tune_implementations as tune

    table = tune.TABLE.read_text()
    assert tune.replace_rows(table, tune.read_rows(table)) == table
    measured = [row for row in tune.read_rows(table) if row[1] == "cpu"]
    assert {row[0] for row in measured} == set(tune.OPS)


def test_a_row_has_the_most_chunks_that_cost_little():
    import tune_implementations as tune

    class Measured:
        def __init__(self, microseconds, chunks):
            self.microseconds, self.chunks = microseconds, chunks

    def shape(*microseconds):
        return {
            chunks: Measured(time, chunks)
            for chunks, time in zip(tune.CANDIDATES, microseconds, strict=True)
        }

    def chunks(*times):
        return tune.choose([shape(*times)])

    assert chunks(9000, 9000, 9000, 9100, 9200, 9200, 9900) == ("Library", 64)
    assert chunks(9000, 9000, 9000, 9100, 9200, 9200, 11000) == ("Library", 32)
    # Chunks that are too short to hand over.
    assert chunks(100, 100, 100, 100, 100, 100, 100) == ("Library", 4)
    assert chunks(10, 10, 10, 10, 10, 10, 10) == ("Library", 1)


def test_a_row_is_a_generated_kernel_where_that_is_faster_for_all_shapes():
    import tune_implementations as tune

    class Measured:
        def __init__(self, microseconds):
            self.microseconds, self.chunks = microseconds, 1

    def shape(generated, call):
        return {
            tune.GENERATED: Measured(generated),
            **{chunks: Measured(call) for chunks in tune.CANDIDATES},
        }

    assert tune.choose([shape(3, 5), shape(4, 9)]) == ("Generated", 1)
    assert tune.choose([shape(3, 5), shape(9, 9)]) == ("Library", 1)
    # What another row costs a reader is not worth less than a microsecond.
    assert tune.choose([shape(0.1, 0.5)]) == ("Library", 1)

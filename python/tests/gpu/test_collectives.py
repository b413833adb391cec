"""Ranks that run plans with collectives together: each is a session on a device
of the simulated CUDA, on a thread of its own."""

import subprocess
import threading

import numpy as np
import pytest

runtime = pytest.importorskip("jobmlir_runtime")

PASSES = (
    "builtin.module(plan-stage-transfers,plan-select-schedules,plan-verify,"
    "plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)"
)
BATCH, STEPS = 8, 10


@pytest.fixture
def compile_plan(root, simulator, tmp_path):
    """The artifact of one of `ranks` that share a batch."""

    def compile_plan(ranks):
        text = (root / "test" / "CUDA" / "Inputs" / "data-parallel.mlir").read_text()
        text = text.replace("@RANKS@", str(ranks)).replace(
            "@ROWS@", str(BATCH // ranks)
        )
        plan, artifact = tmp_path / f"{ranks}.mlir", tmp_path / f"{ranks}.so"
        programs = simulator.parents[1] / "bin"
        subprocess.run(
            [programs / "job-opt", f"--pass-pipeline={PASSES}", "-", "-o", plan],
            input=text,
            text=True,
            check=True,
        )
        subprocess.run(
            [programs / "job-compile", plan, "--gpu-target=simulated", "-o", artifact],
            check=True,
        )
        return artifact

    return compile_plan


def batches():
    random = np.random.default_rng(1)
    for _ in range(STEPS):
        x = random.standard_normal((BATCH, 16), np.float32)
        yield x, random.standard_normal((BATCH, 8), np.float32)


def train_rank(artifact, ranks, rank, communicator_id, simulator):
    """The losses of a rank's rows, and the weight at the end."""
    model = runtime.load(
        artifact,
        driver=f"cuda:{rank}",
        cuda_library=simulator,
        ranks=ranks,
        rank=rank,
        communicator_id=communicator_id,
    )
    assert model.ranks == ranks
    model.init(1)
    rows = slice(rank * BATCH // ranks, (rank + 1) * BATCH // ranks)
    calls = [model.submit("train", x=x[rows], y=y[rows]) for x, y in batches()]
    losses = [call.result() for call in calls]
    return np.stack(losses), model.read("weight")


def train(artifact, ranks, simulator):
    """The losses of all rows, and the weight of each rank."""
    communicator_id = runtime.create_communicator_id(cuda_library=simulator)
    results, errors = [None] * ranks, []

    def run(rank):
        try:
            results[rank] = train_rank(
                artifact, ranks, rank, communicator_id, simulator
            )
        except Exception as error:  # pytest has no other threads' errors
            errors.append(error)

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    losses = np.concatenate([losses for losses, _ in results], axis=1)
    return losses, [weight for _, weight in results]


def test_two_ranks_with_half_a_batch_train_as_one(compile_plan, simulator):
    losses, (weight,) = train(compile_plan(1), 1, simulator)
    assert losses[-1].mean() != losses[0].mean()
    parallel_losses, weights = train(compile_plan(2), 2, simulator)
    np.testing.assert_array_equal(weights[0], weights[1])
    np.testing.assert_allclose(weights[0], weight, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(parallel_losses, losses, rtol=1e-4, atol=1e-5)


def test_errors(compile_plan, simulator):
    artifact = compile_plan(2)
    with pytest.raises(
        runtime.Error, match="expects a session of one of 2 ranks, .* got one of 1"
    ):
        runtime.load(artifact, cuda_library=simulator)
    with pytest.raises(runtime.Error, match="expects the id of a communicator"):
        runtime.load(artifact, cuda_library=simulator, ranks=2)
    with pytest.raises(ValueError, match="128 bytes of communicator_id but got 3"):
        runtime.load(artifact, communicator_id=b"abc")
    with pytest.raises(TypeError, match="communicator_id to be bytes but got 'abc'"):
        runtime.load(artifact, communicator_id="abc")
    with pytest.raises(runtime.Error, match="the driver host has no collectives"):
        runtime.create_communicator_id(driver="host")
    assert len(runtime.create_communicator_id(cuda_library=simulator)) == 128

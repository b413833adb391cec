"""Pictures and reports of a session's jobs, before any of them runs."""

import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

import jobmlir as flow
from models import batch, define_eval, define_train, raises_here


with_dot = pytest.mark.skipif(
    not shutil.which("dot"), reason="Graphviz's program 'dot' is not on PATH"
)


def texts(svg):
    """What a picture says; it must be well-formed."""
    root = ElementTree.fromstring(svg)
    found = root.iter("{http://www.w3.org/2000/svg}text")
    # Graphviz keeps blanks that are not at an end as no-break spaces.
    return [element.text.replace("\xa0", " ") for element in found]


@with_dot
def test_graph_of_traced_jobs():
    define_train()
    said = texts(flow.graph_svg())
    assert "job train_job (train)" in said
    assert "matmul" in said and "Dense-weight" in said
    assert "5x6xf32 · 120 B" in said
    # The user's file and line, beside the operations.
    assert any(re.match(r"models\.py:\d+ · .*FLOP", text) for text in said)


@with_dot
def test_graph_of_later_stages():
    define_train()
    assert "update Dense-weight" in texts(flow.graph_svg("train"))
    assert "update Dense-weight" not in texts(flow.graph_svg("train", updates=True))
    said = texts(flow.graph_svg("plan"))
    assert any(text.startswith("program train_job (train) · arena ") for text in said)
    assert any(re.fullmatch(r"#\d+ +onednn.matmul", text) for text in said)


@with_dot
@pytest.mark.parametrize("stage", ["job", "train", "plan", "lower"])
def test_graph_of_every_stage(stage):
    define_train()
    assert any("train_job" in text for text in texts(flow.graph_svg(stage)))


@with_dot
def test_graph_of_one_job():
    define_train()
    define_eval()
    said = texts(flow.graph_svg(entry="eval_job"))
    assert "job eval_job (predict)" in said
    assert "job train_job (train)" not in said


def test_graph_without_graphviz(monkeypatch, tmp_path):
    define_train()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.warns(RuntimeWarning, match="expects Graphviz's program 'dot'") as caught:
        dot = flow.graph_svg()
    assert caught[0].filename == __file__
    assert dot.startswith("digraph jobs {")
    assert "<b>job train_job (train)</b>" in dot


def test_graph_where_graphviz_fails(monkeypatch, tmp_path):
    define_train()
    dot = tmp_path / "dot"
    dot.write_text("#!/bin/sh\necho broken >&2\nexit 2\n")
    dot.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(flow.errors.CompileError, match="failed with status 2: broken"):
        flow.graph_svg()


def test_graph_refuses_what_is_not_there():
    define_train()
    with pytest.raises(AssertionError, match="expects a stage of job, train, plan, lower"):
        flow.graph_svg("machine")
    with pytest.raises(Exception, match="expects a job or a program 'other' to draw"):
        flow.graph_svg(entry="other")


@pytest.mark.parametrize(
    "use, what",
    [
        (lambda: flow.dump_ir(locations="no"), "locations"),
        (lambda: flow.graph_svg(updates="no"), "updates"),
        (lambda: flow.memory_report(html="no"), "html"),
    ],
)
def test_reports_take_bools(use, what):
    define_train()
    with raises_here(AssertionError, f"expects {what} to be a bool but got 'no'"):
        use()


def test_explain():
    define_train()
    for topic in ("fusion", "memory", "kernels"):
        lines = flow.explain(topic).splitlines()
        assert lines
        for line in lines:
            assert re.match(rf"(.*\.py:\d+:\d+: )?{topic}: \S+: .", line), line
    assert any(
        re.match(r".*models\.py:\d+:\d+: fusion: train_job: .*kernel", line)
        for line in flow.explain("fusion").splitlines()
    )
    every = flow.explain().splitlines()
    chosen = flow.explain("memory", "kernels").splitlines()
    assert chosen == [line for line in every if ": fusion: " not in line]


def test_explain_is_what_job_opt_prints(tmp_path):
    define_train()
    path = tmp_path / "job.mlir"
    path.write_text(flow.dump_ir(locations=True))
    tool = pathlib.Path(flow.__file__).parents[2] / "bin" / "job-opt"
    command = [tool, str(path), "-o", os.devnull, "--job-train-pipeline"]
    command += ["--job-plan-pipeline", "--explain=fusion,memory,kernels"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert flow.explain() == told.stderr


def test_explain_of_a_running_session():
    train = define_train()
    before = flow.explain()
    train(*batch())
    assert flow.explain() == before


@pytest.mark.parametrize("topic", ["loops", 3, ["fusion"]])
def test_explain_refuses_other_topics(topic):
    define_train()
    with raises_here(
        AssertionError,
        f"expects a topic of fusion, memory, kernels but got {topic!r}",
    ):
        flow.explain(topic)


def test_memory_report():
    define_train()
    report = flow.memory_report()
    assert "memory of 'train_job' (train)" in report
    assert re.search(r"lower bound +[\d,]+\n", report)
    assert re.search(r"peak at command \d+, .*models\.py:\d+", report)


def test_memory_report_as_a_page():
    define_train()
    page = flow.memory_report(html=True)
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    spaces, arena, *_ = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert any(text.startswith("arena, ") for text in texts(spaces))
    assert any(text.startswith("peak: command ") for text in texts(arena))

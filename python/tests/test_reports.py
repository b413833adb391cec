"""Pictures and reports of a session's jobs, before any of them runs."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import jobmlir as flow
from models import define_eval, define_train, raises_here


def texts(svg):
    """What a picture says; it must be well-formed."""
    root = ElementTree.fromstring(svg)
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_graph_of_traced_jobs():
    define_train()
    said = texts(flow.graph_svg())
    assert "job train_job (train)" in said
    assert "matmul" in said and "Dense-weight" in said
    assert "5x6xf32 · 120 B" in said
    # The user's file and line, beside the operations.
    assert any(re.match(r"models\.py:\d+ · .*FLOP", text) for text in said)


def test_graph_of_later_stages():
    define_train()
    assert "update Dense-weight" in texts(flow.graph_svg("train"))
    assert "update Dense-weight" not in texts(flow.graph_svg("train", updates=True))
    said = texts(flow.graph_svg("plan"))
    assert any(text.startswith("program train_job (train) · arena ") for text in said)
    assert any(re.fullmatch(r"#\d+  onednn.matmul", text) for text in said)


def test_graph_of_every_stage():
    define_train()
    for stage in ("job", "train", "plan", "lower"):
        assert any("train_job" in text for text in texts(flow.graph_svg(stage)))


def test_graph_of_one_job():
    define_train()
    define_eval()
    said = texts(flow.graph_svg(entry="eval_job"))
    assert "job eval_job (predict)" in said
    assert "job train_job (train)" not in said


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
    picture = page[page.index("<svg") : page.index("</svg>") + len("</svg>")]
    assert any(text.startswith("peak: command ") for text in texts(picture))

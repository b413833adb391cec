"""What Jupyter shows of a job, of pictures and of the page of a memory report.

The HTML has no script, its styles concern its own elements only, and it takes the
colours of text from the notebook, which may be dark.
"""

import html
import os
import re
import typing


# A picture of more ops is of no use in a cell, and takes Graphviz seconds.
_MOST_DRAWN = 150
# So many ops are shown without a click.
_MOST_OPEN = 40
_MOST_ROWS = 40

_STYLE = """<style>
.jobmlir{font-size:13px;line-height:1.5;max-width:62rem;color:inherit}
.jobmlir .head{margin:.2rem 0 .5rem}
.jobmlir .head b{font-size:1.15em}
.jobmlir .soft{opacity:.7}
.jobmlir .tiles{display:flex;flex-wrap:wrap;gap:.5rem;margin:.6rem 0}
.jobmlir .tile{border:1px solid rgba(128,128,128,.35);border-radius:6px;
padding:.3rem .7rem;background:rgba(128,128,128,.08)}
.jobmlir .tile span{display:block;font-size:.85em;opacity:.7}
.jobmlir .tile b{font-variant-numeric:tabular-nums}
.jobmlir details{margin:.45rem 0}
.jobmlir summary{cursor:pointer;font-weight:600}
.jobmlir table{border-collapse:collapse;margin:.3rem 0;font-size:1em;
background:none;color:inherit}
.jobmlir tr,.jobmlir tr:nth-child(even){background:none}
.jobmlir table th,.jobmlir table td{text-align:left;white-space:nowrap;
padding:.15rem 1.1rem .15rem 0;border:0;border-bottom:1px solid rgba(128,128,128,.3)}
.jobmlir table th{font-weight:500;opacity:.7}
.jobmlir table .n{text-align:right;font-variant-numeric:tabular-nums}
.jobmlir .bar{display:inline-block;height:.6em;min-width:1px;border-radius:2px;
background:#60a5fa}
.jobmlir .picture{background:#fff;color:#000;border-radius:6px;padding:.5rem;
display:inline-block;max-width:100%;box-sizing:border-box;overflow:auto;
max-height:42rem}
.jobmlir .picture svg{max-width:100%;height:auto;display:block}
</style>"""


class Compiled(typing.NamedTuple):
    """A compiled job: its entry in the artifact, its Recording, the bytes of the
    session's variables and constants, the time that compiling took, and what makes
    its picture: SVG and True, or another text and False."""

    entry: dict
    recording: object
    bank_bytes: int
    constants_bytes: int
    seconds: float
    draw: typing.Callable


# ===- Texts ----------------------------------------------------------------===#


def _escape(value):
    return html.escape(str(value))


def _seconds(time):
    return f"{time * 1000:.0f} ms" if time < 1 else f"{time:.1f} s"


# The file of a cell, whose name means nothing to its author.
_CELL = re.compile(r"/ipykernel_\d+/(\d+\.py)")


def _place(file, line):
    """A place in the user's program."""
    short = "cell" if _CELL.search(file) else os.path.basename(file)
    return f'<span class="soft" title="{_escape(file)}">{_escape(short)}:{line}</span>'


def _place_of_text(location):
    """The same of "file:line:column"."""
    parts = location.rsplit(":", 2)
    return _place(parts[0], parts[1]) if len(parts) == 3 else ""


def _table(header, rows, numbers=()):
    """`rows` of HTML; the columns `numbers` are aligned to the right."""

    def line(cells, tag):
        kinds = [
            ' class="n"' if index in numbers else "" for index in range(len(cells))
        ]
        return "".join(
            f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, cells)
        )

    head = f"<thead><tr>{line(header, 'th')}</tr></thead>" if header else ""
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows[:_MOST_ROWS])
    table = f"<table>{head}<tbody>{body}</tbody></table>"
    if len(rows) > _MOST_ROWS:
        table += f'<div class="soft">and {len(rows) - _MOST_ROWS} more</div>'
    return table


def _details(title, content, is_open=False):
    return (
        f"<details{' open' if is_open else ''}><summary>{title}</summary>"
        f"{content}</details>"
    )


# ===- A job ----------------------------------------------------------------===#


def _signature(job):
    leaves = ", ".join(
        f"{name}: {leaf.dtype.canonical} {leaf.shape}" for name, leaf in job.leaves()
    )
    result = "" if job.annotation is None else f" -> {job.annotation.text}"
    return f"{job.name}({leaves}){result}"


def _head(job):
    place = _place(*job.frames[0][:2]) if job.frames else ""
    signature = _escape(_signature(job))
    return (
        f'<div class="head"><b>{_escape(job.name)}</b> <span class="soft">'
        f"{job.kind} job</span> {place}<br/><code>{signature}</code></div>"
    )


def _tiles(compiled):
    from jobmlir import _compiler

    entry = compiled.entry
    tiles = {
        "memory": _compiler.format_bytes(_total(compiled)),
        "peak of the arena": _compiler.format_bytes(entry["arena_lower_bound"]),
        "kernels": entry["kernels"],
        "library calls": entry["calls"],
        "FLOP of a call": _compiler.format_count(entry["flops"]),
        "runs on": ", ".join("CPU" if d == "host" else d for d in entry["devices"]),
        "compiled, or read from the cache, in": _seconds(compiled.seconds),
    }
    return '<div class="tiles">{}</div>'.format(
        "".join(
            f'<div class="tile"><span>{name}</span><b>{_escape(value)}</b></div>'
            for name, value in tiles.items()
        )
    )


def _spaces(compiled):
    entry = compiled.entry
    return {
        "arena: results of ops": entry["arena_bytes"],
        "variables, of all jobs": compiled.bank_bytes,
        "inputs": entry["input_bytes"],
        "outputs": entry["output_bytes"],
        "workspace of library calls": entry["workspace_bytes"],
        "constants, of all jobs": compiled.constants_bytes,
    }


def _total(compiled):
    return sum(_spaces(compiled).values())


def _memory(compiled):
    total = _total(compiled)

    def bar(count):
        return f'<span class="bar" style="width:{10 * count / total:.2f}em"></span>'

    rows = [
        (_escape(name), f"{count:,}", bar(count))
        for name, count in _spaces(compiled).items()
        if count
    ]
    rows.append(("<b>total</b>", f"<b>{total:,}</b>", ""))
    content = _table(("", "bytes", ""), rows, numbers=(1,))
    if largest := compiled.entry["largest"]:
        content += "<div>The largest results of ops in the arena:</div>"
        content += _table(
            ("op", "bytes", "line"),
            [
                (
                    _escape(buffer["name"]),
                    f"{buffer['bytes']:,}",
                    _place_of_text(buffer["location"]),
                )
                for buffer in largest
            ],
            numbers=(1,),
        )
    return _details("Memory", content, is_open=True)


def _variables(recording):
    found = {}
    for record in recording.ops:
        for blob in record.results:
            if blob._variable is not None:
                found.setdefault(blob._variable, (blob, record))
    if not found:
        return ""
    rows = [
        (
            _escape(name),
            _escape(f"{blob.dtype.canonical} {blob.shape}"),
            _place(*record.place[0][:2]) if record.place else "",
        )
        for name, (blob, record) in found.items()
    ]
    return _details(f"Variables: {len(rows)}", _table(("name", "type", "line"), rows))


def _ops(recording):
    rows = [
        (
            _escape(record.name),
            _escape(record.op.removeprefix("job.")),
            _escape(
                ", ".join(f"{b.dtype.canonical} {b.shape}" for b in record.results)
            ),
            _place(*record.place[0][:2]) if record.place else "",
        )
        for record in recording.ops
    ]
    return _table(("name", "op", "result", "line"), rows)


def _inline(picture):
    """The element of an SVG file, where places are in cells, not in their files. Its
    tooltips have the whole paths."""
    element = picture[picture.index("<svg") :]
    for file in set(_CELL.findall(element)):
        element = element.replace(f">{file}:", ">cell:")
    return f'<div class="picture">{element}</div>'


def _graph(job, compiled):
    count = len(compiled.recording.ops)
    title = f"Graph: {count} ops"
    if count > _MOST_DRAWN:
        note = (
            f"<div>Pictures here have at most {_MOST_DRAWN} ops. "
            f"<code>flow.graph_svg(entry={_escape(repr(job.name))})</code> draws this "
            "one.</div>"
        )
        return _details(title, note + _ops(compiled.recording))
    picture, is_drawn = compiled.draw()
    if not is_drawn:
        note = (
            "<div>There is no picture: Graphviz's program <code>dot</code> is not on PATH "
            "or failed.</div>"
        )
        return _details(title, note + _ops(compiled.recording))
    return _details(title, _inline(picture), is_open=count <= _MOST_OPEN)


def show_job(job, compiled):
    """A job; `compiled` is None before it is."""
    if compiled is None:
        content = (
            '<div class="soft">Not compiled yet: the first call of a job, or the first '
            "use of a checkpoint, compiles all jobs of the session.</div>"
        )
    else:
        content = (
            _tiles(compiled)
            + _memory(compiled)
            + _variables(compiled.recording)
            + _graph(job, compiled)
        )
    return f'{_STYLE}<div class="jobmlir">{_head(job)}{content}</div>'


# ===- Reports --------------------------------------------------------------===#


class Picture(str):
    """The text of an SVG picture, which notebooks show as such."""

    def _repr_html_(self):
        return f'{_STYLE}<div class="jobmlir">{_inline(self)}</div>'


class Page(str):
    """The text of an HTML page, which notebooks show in a frame."""

    def _repr_html_(self):
        return (
            '<iframe sandbox style="width:100%;height:36rem;border:0" '
            f'srcdoc="{html.escape(self)}"></iframe>'
        )

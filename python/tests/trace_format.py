"""The rules of the trace event format, as Perfetto and Chrome read it. Perfetto drops
rows that break them, or shows them elsewhere, without an error."""

import decimal
import json

_METADATA = {
    "process_name": ("name", str),
    "thread_name": ("name", str),
    "thread_sort_index": ("sort_index", int),
}
# The members of an event by its phase, all of which it has.
_MEMBERS = {
    "M": {"ph", "pid", "tid", "name", "args"},
    "X": {"ph", "pid", "tid", "name", "args", "cat", "ts", "dur"},
    "b": {"ph", "pid", "tid", "name", "args", "cat", "ts", "id"},
    "e": {"ph", "pid", "tid", "name", "args", "cat", "ts", "id"},
}


class TraceFormatError(AssertionError):
    """A rule that a trace breaks."""


def _check(condition, rule, *what):
    if not condition:
        raise TraceFormatError(": ".join([rule, *map(str, what)]))


def _object(pairs):
    members = dict(pairs)
    _check(len(members) == len(pairs), "a name occurs once in an object", pairs)
    return members


def _no_constant(text):
    _check(False, "JSON has no such number", text)


def _nanoseconds(value, event):
    """A time in microseconds, of which there are no parts below nanoseconds."""
    is_number = _is_int(value) or isinstance(value, decimal.Decimal)
    _check(is_number, "a time is a number", event)
    scaled = decimal.Decimal(value) * 1000
    _check(scaled == int(scaled) >= 0, "a time is a positive number of ns", event)
    return int(scaled)


def _is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _check_event(event):
    _check(isinstance(event, dict), "an event is an object", event)
    phase = event.get("ph")
    _check(phase in _MEMBERS, "an event has a phase that the tracer writes", event)
    _check(event.keys() == _MEMBERS[phase], "an event has the members of it", event)
    _check(_is_int(event["pid"]) and _is_int(event["tid"]), "ids are ints", event)
    _check(isinstance(event["name"], str) and event["name"], "it has a name", event)
    _check(isinstance(event["args"], dict), "args is an object", event)
    if phase == "M":
        _check(event["name"] in _METADATA, "the name of metadata is known", event)
        member, kind = _METADATA[event["name"]]
        _check(type(event["args"].get(member)) is kind, "metadata has a value", event)
    else:
        _check(isinstance(event["cat"], str) and event["cat"], "it has a cat", event)


def _check_tracks(events):
    """Each track has one name, which comes with its process."""
    names, processes = {}, set()
    for event in events:
        track = event["pid"], event["tid"]
        if event["ph"] != "M":
            _check(track in names, "a track has a name before its events", event)
            _check(event["pid"] in processes, "a process has a name", event)
        elif event["name"] == "process_name":
            _check(event["pid"] not in processes, "a process has one name", event)
            processes.add(event["pid"])
        elif event["name"] == "thread_name":
            _check(track not in names, "a track has one name", event)
            names[track] = event["args"]["name"]
    _check(len(set(names.values())) == len(names), "names of tracks differ", names)


def _check_nesting(events):
    """Rows of a track are apart or inside of one another. Of two that begin at the same
    time, the outer one comes first in the file: readers sort by `ts` only."""
    tracks = {}
    for event in events:
        if event["ph"] == "X":
            begin = _nanoseconds(event["ts"], event)
            end = begin + _nanoseconds(event["dur"], event)
            rows = tracks.setdefault((event["pid"], event["tid"]), [])
            rows.append((begin, end, event))
    for rows in tracks.values():
        open_ends = []
        for begin, end, event in sorted(rows, key=lambda row: row[0]):
            while open_ends and open_ends[-1][0] <= begin:
                open_ends.pop()
            _check(
                not open_ends or end <= open_ends[-1][0],
                "rows of a track do not overlap",
                event,
                open_ends and open_ends[-1][1],
            )
            open_ends.append((end, event))


def _check_pairs(events):
    """Each `b` has an `e`, which is not before it."""
    begun, ended = {}, set()
    for event in events:
        if event["ph"] not in "be":
            continue
        key = event["pid"], event["cat"], event["id"], event["name"]
        _check(_is_int(event["id"]), "an id is an int", event)
        time = _nanoseconds(event["ts"], event)
        if event["ph"] == "b":
            _check(key not in begun, "an id begins once", event)
            begun[key] = time
        else:
            _check(key in begun and key not in ended, "it ends what began", event)
            _check(begun[key] <= time, "it ends after it began", event)
            ended.add(key)
    _check(begun.keys() == ended, "all that began ends", begun.keys() ^ ended)


def check(path):
    """Raises TraceFormatError unless the file is a trace."""
    with open(path, encoding="utf-8") as file:
        trace = json.load(
            file,
            parse_float=decimal.Decimal,
            parse_constant=_no_constant,
            object_pairs_hook=_object,
        )
    _check(
        isinstance(trace, dict) and trace.get("displayTimeUnit") in ("ms", "ns"),
        "a trace is an object with a unit",
    )
    events = trace.get("traceEvents")
    _check(isinstance(events, list) and events, "a trace has a list of events")
    for event in events:
        _check_event(event)
    _check_tracks(events)
    _check_nesting(events)
    _check_pairs(events)

"""What the tests share."""

import os
import random
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import List, Tuple

import tolk_memory as tm

ROOT = Path(__file__).resolve().parents[3]


def chain(graph: tm.Graph, calls: int = 3, count: int = 1024) -> Tuple[tm.Op, tm.Op]:
    """A schedule of calls, each of which takes the buffer before and its own; and the last buffer."""
    body = graph.program("step")
    buffers = [graph.buffer("float32", count, "CPU") for _ in range(calls + 1)]
    entries = [graph.call(body, [after, before]) for before, after in zip(buffers, buffers[1:])]
    return graph.linear(entries), buffers[-1]


def random_lifetimes(count: int, seed: int) -> List[Tuple[int, int, int]]:
    draw = random.Random(seed)
    firsts = [draw.randrange(count) for _ in range(count)]
    return [(first, first + draw.randrange(1, 40), draw.randrange(1, 5000)) for first in firsts]


def endless_lifetimes() -> List[tm.Lifetime]:
    """What "best" would search for very long: alignments keep every arena above the bound."""
    draw = random.Random(1)
    firsts = [draw.randrange(30) for _ in range(200)]
    return [tm.Lifetime(first, first + draw.randrange(1, 10), draw.randrange(1, 5000), 1 << draw.randrange(4, 13)) for first in firsts]


#: More steps of work than a search ever takes.
ENDLESS = 1 << 60


def run_python(program: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """What a program does in a process of its own."""
    package = str(Path(tm.__file__).parent.parent)
    full = {**os.environ, "PYTHONPATH": package, **env}
    return subprocess.run([sys.executable, "-c", textwrap.dedent(program)], env=full, capture_output=True, text=True, timeout=120)

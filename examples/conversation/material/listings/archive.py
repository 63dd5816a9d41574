"""Reading night files, wherever they are, and finding a time in them quickly."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

STRIDE = 256  # one index entry per this many lines


def _index_path(path: Path) -> Path:
    return path.with_suffix(path.suffix + ".idx")


def _build_index(path: Path) -> list[int]:
    offsets: list[int] = []
    with path.open("rb") as handle:
        position = 0
        for number, line in enumerate(handle):
            if number % STRIDE == 0:
                offsets.append(position)
            position += len(line)
    return offsets


def index_of(path: Path) -> list[int]:
    """Byte offsets of every 256th line, cached beside the file."""
    cached = _index_path(path)
    if cached.exists() and cached.stat().st_mtime >= path.stat().st_mtime:
        return json.loads(cached.read_text())
    offsets = _build_index(path)
    temporary = cached.with_suffix(".tmp")
    temporary.write_text(json.dumps(offsets))
    os.replace(temporary, cached)
    return offsets


@contextmanager
def open_night(path: Path) -> Iterator[TextIO]:
    index_of(path)  # so that a later seek by time is cheap
    with path.open(newline="") as handle:
        yield handle

"""Follow the night file that the mast box is writing and hand complete rows to ingest."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

from . import ingest
from .settings import Settings

log = logging.getLogger("lantern.spool")

INTERVAL = 150.0  # seconds between looks at the file


def tonight(now: datetime) -> str:
    return (now - timedelta(hours=12)).date().isoformat()


class Follower:
    """Remembers how far a file has been read. A half-written last line is left for the next look."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.offset = 0
        self.header: list[str] = []

    def fresh_lines(self) -> tuple[list[str], int]:
        if not self.path.exists():
            return [], 0
        if self.path.stat().st_size < self.offset:
            log.warning("%s shrank, reading from its start", self.path.name)
            self.offset = 0
        with self.path.open("rb") as handle:
            handle.seek(self.offset)
            data = handle.read()
        complete = data.rfind(b"\n") + 1
        self.offset += complete
        lines = data[:complete].decode("ascii", "replace").splitlines()
        return lines, 1 if complete < len(data) else 0


def rows_of(follower: Follower, lines: list[str]) -> Iterator[ingest.Row]:
    for line in lines:
        if not follower.header:
            follower.header = line.split(",")
            continue
        record = dict(zip(follower.header, line.split(",")))
        try:
            yield ingest.parse(record)
        except (KeyError, ValueError) as problem:
            log.warning("%s: row skipped: %s", follower.path.name, problem)


def run(settings: Settings) -> None:
    follower: Follower | None = None
    total = 0
    while True:
        night = tonight(datetime.now(timezone.utc))
        path = Path(settings.spool) / f"mast-{night}.csv"
        if follower is None or follower.path != path:
            follower, total = Follower(path), 0
        started = time.monotonic()
        lines, partial = follower.fresh_lines()
        rows = list(rows_of(follower, lines))
        if rows:
            db = sqlite3.connect(settings.database)
            try:
                ingest.store(db, rows, settings)
            except sqlite3.OperationalError as problem:
                # The rows were read and the offset has moved on: they are gone
                # until somebody ingests the file again.
                log.error("spool %s: %d rows not stored: %s", path.name, len(rows), problem)
            finally:
                db.close()
            total += len(rows)
        took = (time.monotonic() - started) * 1000
        log.info(
            "spool %s: +%d rows (%d tonight), %d partial line held back, %d ms",
            path.name, len(rows), total, partial, took,
        )
        time.sleep(INTERVAL)

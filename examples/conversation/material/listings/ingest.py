"""Night files from the mast box into lantern.db.

A night file is CSV with a header. Firmware 2.3 and later writes the boot counter:

    boot,seq,utc,counts,temp_c,volts,fix

Firmware 2.2 and earlier has no boot column. Both are accepted.
"""

from __future__ import annotations

import csv
import logging
import math
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from . import archive
from .settings import Settings

log = logging.getLogger("lantern.ingest")

SCHEMA = """
CREATE TABLE IF NOT EXISTS samples (
  night   TEXT    NOT NULL,   -- evening date, 2026-03-07
  seq     INTEGER NOT NULL,   -- counter from the mast box
  utc     TEXT    NOT NULL,   -- as stamped by the box
  counts  INTEGER NOT NULL,
  temp_c  REAL    NOT NULL,
  volts   REAL,
  mag     REAL    NOT NULL,
  PRIMARY KEY (night, seq)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS minima (
  night   TEXT    NOT NULL PRIMARY KEY,
  epoch   INTEGER NOT NULL,
  t_min   TEXT    NOT NULL,
  err_s   REAL    NOT NULL,
  omc_s   REAL    NOT NULL,   -- observed minus calculated, seconds
  n       INTEGER NOT NULL,
  quality TEXT    NOT NULL DEFAULT 'unchecked'
);
"""

# A row arrives every ten seconds. Anything closer than this to a neighbour is a re-send.
CADENCE = timedelta(seconds=10)


@dataclass(frozen=True)
class Row:
    seq: int
    utc: datetime
    counts: int
    temp_c: float
    volts: float | None


def night_of(utc: datetime) -> str:
    """The evening a moment belongs to: noon to noon."""
    return (utc - timedelta(hours=12)).date().isoformat()


def read_rows(path: Path) -> Iterator[Row]:
    with archive.open_night(path) as handle:
        for record in csv.DictReader(handle):
            try:
                yield Row(
                    seq=int(record["seq"]),
                    utc=datetime.strptime(record["utc"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc),
                    counts=int(record["counts"]),
                    temp_c=float(record["temp_c"]),
                    volts=float(record["volts"]) if record.get("volts") else None,
                )
            except (KeyError, ValueError) as problem:
                log.warning("%s: row skipped: %s", path.name, problem)


def magnitude(row: Row, settings: Settings) -> float:
    """Instrumental magnitude at the reference temperature of the head."""
    raw = -2.5 * math.log10(max(row.counts - settings.dark_counts, 1))
    return raw + settings.zero_point + settings.temp_coefficient * (row.temp_c - settings.temp_reference)


def store(db: sqlite3.Connection, rows: Iterable[Row], settings: Settings) -> int:
    """Re-sent rows carry the same counter, so the newest copy wins."""
    batch = [
        (
            night_of(row.utc),
            row.seq,
            row.utc.strftime("%Y-%m-%dT%H:%M:%SZ"),
            row.counts,
            row.temp_c,
            row.volts,
            round(magnitude(row, settings), 4),
        )
        for row in sorted(rows, key=lambda row: row.utc)
    ]
    with db:
        db.executemany("INSERT OR REPLACE INTO samples VALUES (?,?,?,?,?,?,?)", batch)
    return len(batch)


def ingest(path: Path, settings: Settings) -> int:
    db = sqlite3.connect(settings.database)
    try:
        db.executescript(SCHEMA)
        count = store(db, read_rows(path), settings)
    finally:
        db.close()
    log.info("%s: %d rows", path.name, count)
    return count

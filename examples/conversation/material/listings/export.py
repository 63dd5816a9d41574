"""What we send to people who ask: one file per season, with a header that says what the times are."""

from __future__ import annotations

import csv
import gzip
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from .settings import Settings

COLUMNS = ("night", "seq", "utc", "counts", "mag")

HEADER = """# SKH 19, Skarn Hill, season {season}. Times UTC, start of 10 s integrations.
# T(min) = JD {t0_jd:.5f} + {period} d * E.
"""


def season_of(night: str) -> str:
    year, month = int(night[:4]), int(night[5:7])
    first = year if month >= 7 else year - 1
    return f"{first}-{(first + 1) % 100:02d}"


def rows_since(db: sqlite3.Connection, since: str) -> Iterable[tuple]:
    return db.execute(f"SELECT {', '.join(COLUMNS)} FROM samples WHERE night >= ? ORDER BY night, utc", (since,))


def export_csv(db: sqlite3.Connection, since: str, out: Path, settings: Settings) -> int:
    opener = gzip.open if out.suffix == ".gz" else open
    count = 0
    with opener(out, "wt", newline="") as handle:
        handle.write(HEADER.format(season=season_of(since), t0_jd=settings.t0_jd, period=settings.period_days))
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows_since(db, since):
            writer.writerow(row)
            count += 1
    return count


FORMATS = {"csv": export_csv, "csv.gz": export_csv}

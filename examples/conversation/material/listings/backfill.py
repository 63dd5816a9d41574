"""Read archived nights again and write them to a new database. The archive is only ever read."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from . import ingest, minima
from .settings import Settings

log = logging.getLogger("lantern.backfill")


def refuse_target_in_archive(target: Path, settings: Settings) -> None:
    if target.resolve().is_relative_to(Path(settings.archive).resolve()):
        raise SystemExit(f"refused: {target} is inside the archive, which is never written")


def eclipse_nights(settings: Settings) -> list[str]:
    db = sqlite3.connect(f"file:{settings.database}?mode=ro", uri=True)
    try:
        return [night for (night,) in db.execute("SELECT night FROM minima ORDER BY night")]
    finally:
        db.close()


def backfill_night(db: sqlite3.Connection, night: str, settings: Settings) -> ingest.Counts:
    path = Path(settings.archive) / night / "mast.csv"
    log.info("%s: open %s", night, path)
    rows = list(ingest.read_rows(path))
    counts = ingest.store(db, rows, settings)
    found = minima.measure(db, night)
    log.info("%s: minimum epoch %d: O-C %+.1f s, err %.2f s", night, found.epoch, found.omc_s, found.err_s)
    return counts


def backfill(nights: list[str], target: Path, settings: Settings, *, dry_run: bool = False) -> None:
    refuse_target_in_archive(target, settings)
    log.info("backfill: target %s%s", target, " (dry run)" if dry_run else "")
    db = sqlite3.connect(":memory:" if dry_run else target)
    try:
        db.executescript(ingest.SCHEMA)
        total = ingest.Counts()
        for night in nights:
            total += backfill_night(db, night, settings)
        log.info("backfill: %s", total)
    finally:
        db.close()

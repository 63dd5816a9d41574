"""One time of minimum per eclipse: an even quartic, and the centre that leaves the least."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import numpy as np

T0 = datetime(2025, 11, 29, 21, 39, 15, tzinfo=timezone.utc)
PERIOD = timedelta(days=2.391417)
WINDOW = timedelta(minutes=60)


@dataclass(frozen=True)
class Minimum:
    epoch: int
    t_min: datetime
    err_s: float
    omc_s: float
    n: int


def predicted(epoch: int) -> datetime:
    return T0 + epoch * PERIOD


def nearest_epoch(moment: datetime) -> int:
    return round((moment - T0) / PERIOD)


def _residual(t: np.ndarray, y: np.ndarray, centre: float) -> float:
    u2 = ((t - centre) / 3600.0) ** 2
    design = np.column_stack([np.ones_like(u2), u2, u2 * u2])
    coefficients, *_ = np.linalg.lstsq(design, y, rcond=None)
    return float(np.sum((y - design @ coefficients) ** 2))


def fit(t: np.ndarray, y: np.ndarray, guess: float) -> tuple[float, float]:
    """Centre in seconds and its formal error."""
    near = np.abs(t - guess) <= WINDOW.total_seconds()
    t, y = t[near], y[near]
    centre, best = guess, np.inf
    for step in (5.0, 0.5, 0.1):
        start = centre
        for k in range(-12, 13):
            chi = _residual(t, y, start + k * step)
            if chi < best:
                centre, best = start + k * step, chi
    wide = 20.0
    curvature = (_residual(t, y, centre + wide) + _residual(t, y, centre - wide) - 2 * best) / wide**2
    return centre, float(np.sqrt(2 * best / (len(t) - 4) / curvature))


def measure(db: sqlite3.Connection, night: str) -> Minimum:
    rows = db.execute("SELECT utc, counts FROM samples WHERE night = ? ORDER BY utc", (night,)).fetchall()
    if not rows:
        raise LookupError(f"no samples for {night}")
    t = np.array([datetime.fromisoformat(utc).timestamp() for utc, _ in rows])
    y = np.array([counts for _, counts in rows], dtype=float)
    epoch = nearest_epoch(datetime.fromtimestamp(float(np.median(t)), timezone.utc))
    guess = predicted(epoch).timestamp()
    centre, error = fit(t, y, guess)
    return Minimum(epoch, datetime.fromtimestamp(centre, timezone.utc), error, centre - guess, len(rows))

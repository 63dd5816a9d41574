"""Put right the stamps of rows that were written before the receiver knew the leap seconds.

Within one boot the stamps rise by the cadence. The one exception is the moment at which UTC becomes
known: there they step back by (leap seconds - cadence). Everything in that boot before the step was
GPS time. A boot that never steps back is either good from its first row (warm start) or bad to its
last (reset again before UTC was known); the two cannot be told apart from the stamps, so such rows
are marked and left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

LEAP = timedelta(seconds=18)
CADENCE = timedelta(seconds=10)


@dataclass(frozen=True)
class Stamped:
    boot: int
    seq: int
    utc_raw: datetime
    utc: datetime
    clock: str  # 'utc' as stamped, 'rebuilt' shifted by 18 s, 'unknown' do not use for timing


def rebuild(rows: Iterable[Stamped], *, first_boot_is_warm: bool = True) -> list[Stamped]:
    out: list[Stamped] = []
    for number, (_, group) in enumerate(groupby(rows, key=lambda row: row.boot)):
        boot = list(group)
        step = step_back(boot)
        if step is not None:
            out += [replace(row, utc=row.utc_raw - LEAP, clock="rebuilt") for row in boot[:step]]
            out += boot[step:]
        elif number == 0 and first_boot_is_warm:
            out += boot
        else:
            out += [replace(row, clock="unknown") for row in boot]
    return out


def step_back(boot: list[Stamped]) -> int | None:
    """Index of the first row after the step, or None."""
    for index in range(1, len(boot)):
        if boot[index].utc_raw - boot[index - 1].utc_raw == CADENCE - LEAP:
            return index
    return None

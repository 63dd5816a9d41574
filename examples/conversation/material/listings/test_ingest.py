from datetime import datetime, timezone

import pytest

from lantern import ingest
from lantern.settings import Settings

HEADER_22 = "seq,utc,counts,temp_c,volts,fix\n"
HEADER_23 = "boot,seq,utc,counts,temp_c,volts,fix\n"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


def test_night_of_evening_and_morning_agree():
    assert ingest.night_of(at("2025-12-31T23:59:50")) == "2025-12-31"
    assert ingest.night_of(at("2026-01-01T00:00:00")) == "2025-12-31"   # the new-year incident


def test_reads_firmware_22_without_boot(tmp_path):
    file = tmp_path / "mast.csv"
    file.write_text(HEADER_22 + "7,2025-12-06T23:00:00Z,91200,-1.2,12.1,3\n")
    assert [row.seq for row in ingest.read_rows(file)] == [7]


def test_reads_firmware_23_with_boot(tmp_path):
    file = tmp_path / "mast.csv"
    file.write_text(HEADER_23 + "3,7,2026-01-11T19:30:00Z,91200,1.7,12.1,3\n")
    assert [row.seq for row in ingest.read_rows(file)] == [7]


def test_bad_row_is_skipped_and_logged(tmp_path, caplog):
    file = tmp_path / "mast.csv"
    file.write_text(HEADER_22 + "7,yesterday,91200,-1.2,12.1,3\n8,2025-12-06T23:00:10Z,91200,-1.2,12.1,3\n")
    assert [row.seq for row in ingest.read_rows(file)] == [8]
    assert "row skipped" in caplog.text


def test_resent_row_replaces_first_copy(db, row):
    ingest.store(db, [row(seq=7, counts=100), row(seq=7, counts=101)], Settings())
    assert db.execute("SELECT counts FROM samples").fetchall() == [(101,)]


def test_magnitude_at_reference_temperature_has_no_correction(row):
    settings = Settings(temp_reference=5.0)
    assert ingest.magnitude(row(temp_c=5.0), settings) == pytest.approx(
        ingest.magnitude(row(temp_c=5.0), Settings(temp_coefficient=0.0))
    )


def test_zero_counts_do_not_crash(row):
    assert ingest.magnitude(row(counts=0), Settings()) > 20

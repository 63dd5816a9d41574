/** The test runs that the conversation shows, in the order in which they happen. */
import type { RunOptions } from "./test-run.ts";

const KEY_TESTS = {
  "test_ingest.py": ["test_counter_wound_back_keeps_both_rows", "test_resend_within_one_boot_still_replaces"],
};

const REBUILD_TESTS = [
  "test_rows_before_the_step_move_back_18_s",
  "test_rows_after_the_step_are_untouched",
  "test_raw_stamp_is_never_changed",
  "test_boot_without_step_is_unknown",
  "test_first_boot_without_step_is_trusted",
  "test_two_resets_in_one_night",
  "test_inferred_boots_when_column_is_missing",
];

const INDEX_TESTS = {
  "test_archive.py": ["test_index_goes_to_index_dir", "test_nothing_is_written_beside_the_night_file"],
};

export const TEST_STAGES: Readonly<Record<string, RunOptions>> = {
  "as-found": { seconds: "3.41" },
  "new-key": { added: KEY_TESTS, seconds: "3.52" },
  "rebuild-failing": {
    added: { ...KEY_TESTS, "test_rebuild.py": REBUILD_TESTS },
    failing: ["test_two_resets_in_one_night"],
    failure: [
      "=================================== FAILURES ===================================",
      "_________________________ test_two_resets_in_one_night _________________________",
      "",
      "    def test_two_resets_in_one_night():",
      '        rows = boot(1, "20:00:00", 30) + boot(2, "20:06:18", 40, step_at=20) + boot(3, "20:14:18", 40, step_at=25)',
      "        fixed = rebuild(rows)",
      "        stamps = [row.utc for row in fixed]",
      ">       assert stamps == sorted(stamps)",
      "E       assert [datetime.datetime(2026, 1, 2, 20, 0, tzinfo=datetime.timezone.utc), ...] == [...]",
      "E         At index 49 diff: datetime.datetime(2026, 1, 2, 20, 9, 28, tzinfo=datetime.timezone.utc)",
      "E                       != datetime.datetime(2026, 1, 2, 20, 9, 20, tzinfo=datetime.timezone.utc)",
      "E         Use -vv to get more diff",
      "",
      "tests/test_rebuild.py:52: AssertionError",
      "=========================== short test summary info ============================",
      "FAILED tests/test_rebuild.py::test_two_resets_in_one_night - assert [datetime.datetime(2026...",
    ].join("\n"),
    seconds: "3.77",
  },
  rebuild: { added: { ...KEY_TESTS, "test_rebuild.py": REBUILD_TESTS }, seconds: "3.74" },
  "index-dir": {
    added: { ...KEY_TESTS, "test_rebuild.py": REBUILD_TESTS, ...INDEX_TESTS },
    seconds: "3.81",
  },
};

/** Output of the fictional project's test suite at the stages that the conversation passes through. */

const SUITE: Readonly<Record<string, readonly string[]>> = {
  "test_archive.py": [
    "test_index_offsets_point_at_line_starts",
    "test_index_is_rebuilt_when_the_file_grew",
    "test_open_night_yields_text_lines",
    "test_empty_file_has_one_offset",
  ],
  "test_cli.py": [
    "test_ingest_prints_row_count",
    "test_minima_unknown_night_exits_2",
    "test_export_since_filters_nights",
    "test_help_names_every_command",
  ],
  "test_export.py": [
    "test_header_names_the_star_and_the_ephemeris",
    "test_times_are_utc_with_z",
    "test_epochs_are_consecutive_or_missing_never_repeated",
    "test_export_of_empty_database_says_so",
  ],
  "test_ingest.py": [
    "test_night_of_evening_and_morning_agree",
    "test_reads_firmware_22_without_boot",
    "test_reads_firmware_23_with_boot",
    "test_bad_row_is_skipped_and_logged",
    "test_resent_row_replaces_first_copy",
    "test_magnitude_at_reference_temperature_has_no_correction",
    "test_magnitude_uses_temperature_coefficient",
    "test_dark_counts_are_subtracted",
    "test_zero_counts_do_not_crash",
    "test_ingest_twice_is_idempotent",
    "test_volts_may_be_missing",
  ],
  "test_minima.py": [
    "test_centre_of_symmetric_eclipse",
    "test_centre_with_noise_within_three_sigma",
    "test_window_excludes_shoulders",
    "test_predicted_epoch_zero_is_t0",
    "test_nearest_epoch_rounds_half_cycles",
    "test_no_samples_raises_lookup_error",
    "test_formal_error_scales_with_noise",
    "test_gap_in_one_flank_moves_centre_less_than_error",
  ],
  "test_settings.py": [
    "test_defaults",
    "test_environment_wins_over_file",
    "test_unknown_key_is_refused_by_name",
    "test_database_path_is_absolute",
    "test_temp_reference_in_range",
    "test_spool_must_exist",
  ],
  "test_spool.py": [
    "test_half_written_line_is_left_for_later",
    "test_growing_file_is_followed",
    "test_rotation_at_noon",
    "test_two_files_same_night",
  ],
};

export interface RunOptions {
  /** Tests that exist only from this stage on, by file. */
  readonly added?: Readonly<Record<string, readonly string[]>>;
  readonly failing?: readonly string[];
  /** Text of the failure, printed after the list. */
  readonly failure?: string;
  readonly seconds: string;
}

export function testRun(options: RunOptions): string {
  const files = new Map(Object.entries(SUITE).map(([file, names]) => [file, [...names]]));
  for (const [file, names] of Object.entries(options.added ?? {})) {
    files.set(file, [...(files.get(file) ?? []), ...names]);
  }
  const all = [...files].flatMap(([file, names]) => names.map((name) => ({ file, name })));
  const failing = new Set(options.failing ?? []);
  const lines = all.map(({ file, name }, i) => {
    const percent = `[${String(Math.floor(((i + 1) * 100) / all.length)).padStart(3)}%]`;
    return `tests/${file}::${name} ${failing.has(name) ? "FAILED" : "PASSED"} ${percent}`;
  });
  return [
    "============================= test session starts ==============================",
    "platform linux -- Python 3.12.9, pytest-8.3.4, pluggy-1.5.0",
    "rootdir: /srv/lantern/src",
    `collected ${all.length} items`,
    "",
    ...lines,
    ...(options.failure ? ["", options.failure] : []),
    "",
    closing(all.length, failing.size, options.seconds),
  ].join("\n");
}

function closing(total: number, failed: number, seconds: string): string {
  const counts = failed > 0 ? `${failed} failed, ${total - failed} passed` : `${total} passed`;
  return `============================== ${counts} in ${seconds}s ==============================`;
}

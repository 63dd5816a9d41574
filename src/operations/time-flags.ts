/** Flags for times: help lists the formats that the command line accepts besides ISO 8601. */
const hint =
  "A time such as 2026-11-16, yesterday or 'last week', in the `timezone` setting, or a duration before now: 12h, 3d, 2w.";
const time = { value: "time", hint };

export const TIME_FLAGS = { since: time, before: time, at: time } as const;

/** For times that may be in the future. */
export const DAY_HINT = "Local time, such as 2026-12-31.";

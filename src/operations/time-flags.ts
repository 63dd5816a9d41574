/** Flags for times: help lists the formats that the command line accepts besides ISO 8601. */
const hint = "Local time: 2026-11-16, yesterday, 'last week', or a duration before now: 12h, 3d, 2w.";
const time = { value: "time", hint };

export const TIME_FLAGS = { since: time, before: time, at: time } as const;

/** Times that a person gives: as they are written, or how long ago. */

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90m`, `12h`, `3d` and `2w` are that long ago; anything else is read as a time. */
function pointInTime(text: string): string {
  const [, amount, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount === undefined) return text;
  return new Date(Date.now() - Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString();
}

const hint = "2026-11-16, in local time, or how long ago: 12h, 3d, 2w.";
const time = { value: "time", hint, read: pointInTime };

export const TIME_FLAGS = { since: time, before: time, at: time } as const;

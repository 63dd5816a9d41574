/** Times that a person gives: as they are written, or how long ago. */
import { howLongAgo } from "../text/asked-time.ts";

function pointInTime(text: string): string {
  const ago = howLongAgo(text);
  return ago === undefined ? text : new Date(Date.now() - ago).toISOString();
}

const hint = "2026-11-16, in local time, or how long ago: 12h, 3d, 2w.";
const time = { value: "time", hint, read: pointInTime };

export const TIME_FLAGS = { since: time, before: time, at: time } as const;

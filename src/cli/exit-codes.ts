import type { Outcome } from "../operations/command.ts";

/** What the process answers its caller with: one number for each kind of outcome. */
export const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  internal: 1,
  "invalid-input": 2,
  "config-invalid": 2,
  "not-supported": 2,
  "not-found": 3,
  conflict: 4,
  "store-unavailable": 5,
  "store-readonly": 5,
  "store-full": 5,
  "store-newer": 5,
  "store-foreign": 5,
  busy: 5,
  "model-authentication": 7,
  "model-unavailable": 7,
  "model-limit": 7,
  "store-corrupt": 6,
  "found-problems": 6,
  "target-missed": 8,
  cancelled: 130,
};

export const EXIT_CODE_HELP = `Exit codes:
  0    done
  1    a bug in palimpsest
  2    wrong input, option or configuration, or something that is not supported
  3    not found; grep, ask, memory recall: nothing matches
  4    conflict with what is stored
  5    the store cannot be used: unreachable, read-only, full, busy, newer or foreign
  6    the store is damaged, or verify or doctor found a problem, or export or backup left something out
  7    the model cannot be used: wrong key, unreachable, or too many calls
  8    compact did what it could and did not reach the target
  130  stopped with Ctrl-C; a second Ctrl-C ends it at once
  143  stopped by SIGTERM`;

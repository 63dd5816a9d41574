import type { Outcome } from "../operations/command.ts";

/** Exit codes: one number for each kind of outcome. */
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

/** The answer to a question was not yes. */
export const DECLINED = 1;

export const EXIT_CODE_HELP = `Exit codes:
  0    success
  1    a confirmation was declined; or an internal error, a bug in palimpsest
  2    invalid input, option or configuration, or not supported
  3    not found; for grep, ask and memory recall: no matches
  4    conflict with what is stored
  5    the store is unavailable: unreachable, read-only, full, busy, written by
       a newer version, or of another program
  6    the store is damaged, verify or doctor found a problem, or an import,
       export or backup is incomplete
  7    the model is unavailable: rejected key, unreachable, or call limit
       reached
  8    compact did not reach the target
  130  stopped with Ctrl-C (a second Ctrl-C stops immediately)
  143  stopped by SIGTERM
ui, serve, mcp, daemon, watch and top run until they are stopped, and then end
with 0.`;

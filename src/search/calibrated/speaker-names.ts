/** Names of speakers in a question are no words to look for: who is meant is judged by who speaks, not by who is addressed. */

import { stemOf } from "../../text/language/stem.ts";
import { termsOf } from "../terms.ts";

const ROLES: ReadonlySet<string> = new Set(["", "user", "assistant", "system", "tool"]);

/** The stems of all names among the speakers. */
export function stemsOfNames(speakers: Iterable<string | null>): ReadonlySet<string> {
  const names = [...new Set(speakers)].filter((speaker) => speaker !== null && !ROLES.has(speaker));
  return new Set(names.flatMap((name) => termsOf(name ?? "").map(stemOf)));
}

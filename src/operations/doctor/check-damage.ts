/** Detects damage without recomputing anything. Longer checks are left to `verify`, which the finding mentions. */
import type { Engine } from "../../engine.ts";
import type { StoreInfo } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** Checking every page of a larger file would take too long. */
const MOST_BYTES = 1024 ** 3;

export async function checkDamage({ store }: Engine, info: StoreInfo): Promise<Finding> {
  // A server checks its own pages; the fastest check from outside is to read every row.
  if (info.engine !== "sqlite")
    return ok("damage", "not checked on PostgreSQL; lcm verify checks every hash");
  if (info.bytesOnDisk > MOST_BYTES)
    return ok("damage", "not checked, because the file is large; lcm verify checks everything");
  const problems = await store.checkEngine({ quick: true });
  if (problems.length === 0)
    return ok("damage", "the file structure is intact; lcm verify checks every hash");
  return fail(
    "damage",
    `${counted(problems.length, "problem")} in the file: ${lastLine(problems[0])}`,
    ADVICE,
  );
}

const ADVICE =
  "List what is damaged with: lcm verify. Recover what is readable with: lcm verify repair=true, or export it with: lcm export. Restore a backup with: lcm restore FILE";

/** The first line of SQLite's report names the database. */
function lastLine(problem = ""): string {
  return problem.split("\n").at(-1) ?? problem;
}

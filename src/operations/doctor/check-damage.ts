/** Damage that shows without recomputing anything. What takes longer is left to verify, and the finding says so. */
import type { Engine } from "../../engine.ts";
import type { StoreInfo } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** Looking at every page of a larger file would keep a person waiting. */
const MOST_BYTES = 1024 ** 3;

export async function checkDamage({ store }: Engine, info: StoreInfo): Promise<Finding> {
  // A server reads its own pages; the quickest check from outside is to read every row.
  if (info.engine !== "sqlite" || info.bytesOnDisk > MOST_BYTES)
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
  "List what is damaged with: lcm verify. Export what can still be read with: lcm export. Restore a backup with: lcm restore FILE";

/** SQLite begins with a line that names the database. */
function lastLine(problem = ""): string {
  return problem.split("\n").at(-1) ?? problem;
}

import { packageVersion } from "../version.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** The first release whose built-in SQLite has what the embedded store needs. */
const OLDEST_NODE = [22, 16] as const;

export function checkVersions(node: string = process.versions.node): Finding[] {
  return [ok("palimpsest", packageVersion()), checkNode(node)];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNewEnough) return ok("node", version);
  return fail(
    "node",
    `${version} is too old`,
    `Install Node ${OLDEST_NODE.join(".")} or newer: https://nodejs.org`,
  );
}

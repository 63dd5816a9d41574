import { packageVersion } from "../../package-version.ts";
import { isSupportedNode, OLDEST_NODE } from "../../store/supported-node.ts";
import { type Finding, fail, ok } from "./finding.ts";

export function checkVersions(node: string = process.versions.node): Finding[] {
  return [ok("palimpsest", packageVersion()), checkNode(node)];
}

function checkNode(version: string): Finding {
  if (isSupportedNode(version)) return ok("node", version);
  const advice = `Install Node ${OLDEST_NODE} or newer: https://nodejs.org`;
  return fail("node", `${version} is too old`, advice);
}

/** Which hosts are connected to this package, and what keeps one from working. */
import { existsSync } from "node:fs";
import path from "node:path";
import { hostFolders } from "../../config/host-folders.ts";
import { messageOf } from "../../errors.ts";
import { type HostSetup, installedPrograms } from "../hosts/host-setup.ts";
import { HOST_SETUPS } from "../hosts/hosts.ts";
import { type FileChange, planSetup, planUndo } from "../hosts/plan-setup.ts";
import { readBytes } from "../hosts/setup-record.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** Hosts that are not on this machine are not mentioned. */
export function checkHosts(dataDir: string): Finding[] {
  return HOST_SETUPS.filter(isInstalled).flatMap((host) => checkHost(host, dataDir));
}

function isInstalled(host: HostSetup): boolean {
  return host
    .edits(hostFolders(), installedPrograms())
    .some((edit) => existsSync(edit.path) || existsSync(path.dirname(edit.path)));
}

function checkHost(host: HostSetup, dataDir: string): Finding[] {
  try {
    const [missing, present] = [planSetup(host), planUndo(host, dataDir)];
    const again = `Run: lcm setup ${host.name}`;
    if (present.length === 0) return [ok(host.name, `${host.label} is not connected`)];
    if (missing.length > 0) return [warn(host.name, outdated(host, missing), again)];
    return [ok(host.name, `${host.label} is connected`), ...checkTrust(host)];
  } catch (error) {
    return [warn(host.name, messageOf(error), null)];
  }
}

function outdated({ label }: HostSetup, missing: readonly FileChange[]): string {
  const files = missing.map((change) => change.path).join(", ");
  return `${label} is connected to another version or copy of this package: ${files}`;
}

/** Codex keeps a hash of each hook that a person has trusted, and silently leaves out the others. */
function checkTrust({ name }: HostSetup): Finding[] {
  if (name !== "codex") return [];
  const text = readBytes(path.join(hostFolders().codex, "config.toml"))?.toString("utf8") ?? "";
  if (text.includes("trusted_hash")) return [];
  const advice = "Start codex, type /hooks, and trust the hooks of Palimpsest.";
  return [warn("codex hooks", "Codex trusts no Palimpsest hook, so none runs", advice)];
}

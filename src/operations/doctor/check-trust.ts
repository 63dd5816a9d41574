/**
 * Codex stores a hash of each trusted hook, and silently skips the others. Its configuration lists them
 * by file, event and position: `[hooks.state."/home/ada/.codex/hooks.json:session_start:0:0"]`.
 */
import path from "node:path";
import { hostFolders } from "../../config/host-folders.ts";
import { type HookPlace, placesOfOurs } from "../hosts/edit-hooks.ts";
import type { HostSetup } from "../hosts/host-setup.ts";
import { readBytes } from "../hosts/setup-record.ts";
import { type Finding, ok, warn } from "./finding.ts";

const CHECK = "codex hooks";
const ADVICE = "Start codex, type /hooks, and trust the hooks of Palimpsest.";

export function checkTrust({ name, hooksOff }: HostSetup): Finding[] {
  const off = hooksOff?.(hostFolders());
  if (off) return [warn(`${name} hooks`, off.problem, off.advice)];
  if (name !== "codex") return [];
  const { codex: folder } = hostFolders();
  const text = (file: string) => readBytes(path.join(folder, file))?.toString("utf8") ?? "";
  const trusted = text("config.toml");
  if (!trusted.includes("trusted_hash"))
    return [warn(CHECK, "Codex trusts none of the hooks and does not run them", ADVICE)];
  // Without such tables, the version of Codex stores trust in another format.
  if (!trusted.includes("hooks.state.")) return [];
  const places = placesOfOurs(JSON.parse(text("hooks.json")));
  const left = places.filter((place) => !trusted.includes(`hooks.json:${keyOf(place)}`));
  if (left.length === 0) return [ok(CHECK, "Codex trusts the hooks")];
  const events = left.map(({ event }) => event).join(", ");
  return [warn(CHECK, `Codex does not trust the hooks for ${events}, and does not run them`, ADVICE)];
}

function keyOf({ event, group, hook }: HookPlace): string {
  const snake = event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  // The quote ends the name of the table, so that position 1 does not match position 10.
  return `${snake}:${group}:${hook}"`;
}

/** Hooks of hosts: their events become calls of the engine. */
import { PalimpsestError } from "../errors.ts";
import { HOOK_FRONTS } from "./hosts/index.ts";

export { type Captured, Captures, importFrom } from "./captures.ts";
export { askDaemon, stopDaemon } from "./daemon/ask-daemon.ts";
export { serveHooks } from "./daemon/serve-hooks.ts";
export { HookRunner } from "./hook-runner.ts";
export { OpenclawAgents } from "./watch/openclaw-agents.ts";
export { watchTranscripts } from "./watch/watch-transcripts.ts";

export function requireHookHost(name: string): void {
  const names = HOOK_FRONTS.map((front) => front.name);
  if (names.includes(name)) return;
  throw new PalimpsestError("invalid-input", `unknown host '${name}'`, {
    advice: `Use one of: ${names.join(", ")}.`,
  });
}

/** Hooks of Codex: the events of Claude Code, as commands only. A result of a tool cannot be replaced. */
import type { HookFront } from "../hook-event.ts";
import * as claudeCode from "./claude-code.ts";

export const codex: HookFront = {
  name: "codex",
  replacesResults: false,
  read: claudeCode.read,
  // Codex reads no instructions for its summariser; output other than its JSON format is an error.
  write: ({ context }, given) => (context === undefined ? "" : claudeCode.write({ context }, given)),
};

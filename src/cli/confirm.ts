/** Asks before something is removed. Without a person to ask, `--yes` must have said so. */
import { createInterface } from "node:readline/promises";
import { PalimpsestError } from "../errors.ts";
import { escapeControls } from "../text/escape-controls.ts";
import type { Terminal } from "./terminal.ts";

export async function confirm(question: string, terminal: Terminal, signal: AbortSignal): Promise<void> {
  if (!terminal.isAttended)
    throw new PalimpsestError("invalid-input", "confirmation required but no terminal; pass --yes", {
      advice: question,
    });
  const answer = await ask(`${escapeControls(question)} [y/N] `, terminal, signal);
  if (!/^\s*y(es)?\s*$/i.test(answer))
    throw new PalimpsestError("cancelled", "not confirmed; nothing was changed");
}

/** Ctrl-C and Ctrl-D both end the question without an answer. */
async function ask(question: string, terminal: Terminal, signal: AbortSignal): Promise<string> {
  const input = createInterface({ input: terminal.input, output: terminal.errorOutput });
  const ended = new AbortController();
  input.once("SIGINT", () => ended.abort());
  input.once("close", () => ended.abort());
  try {
    return await input.question(question, { signal: AbortSignal.any([signal, ended.signal]) });
  } catch (error) {
    throw new PalimpsestError("cancelled", "not confirmed; nothing was changed", { cause: error });
  } finally {
    input.close();
  }
}

/** Reports an error: as one JSON document, or as text with advice. */
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { fileProblem, isDiskFull } from "../text/file-problem.ts";
import { adviceForTerminals } from "../text/hints/advice-for-terminals.ts";
import { Declined } from "./command-line.ts";
import { DECLINED, EXIT_CODES } from "./exit-codes.ts";
import type { Terminal } from "./terminal.ts";

interface ErrorStyle {
  readonly json: boolean;
  /** Shows the stack trace, for debugging. */
  readonly debug: boolean;
}

/** Writes the error and returns the exit code. */
export async function reportError(error: unknown, terminal: Terminal, style: ErrorStyle): Promise<number> {
  const known = asKnown(error);
  if (style.json) await terminal.write(`${JSON.stringify(errorDocument(known))}\n`);
  else if (known instanceof Declined) terminal.note(known.message);
  else say(known, terminal);
  if (style.debug && error instanceof Error) terminal.note(escapeControls(error.stack ?? ""));
  return known instanceof Declined && !known.isInterrupted ? DECLINED : EXIT_CODES[known.code];
}

/** Standard output could not be written, so this goes to standard error in any case. */
export function reportUnwritten(failure: Error, terminal: Terminal): Promise<number> {
  const error = new PalimpsestError(
    isDiskFull(failure) ? "store-full" : "store-unavailable",
    `cannot write to standard output: ${fileProblem(failure)}`,
    { advice: "The output is incomplete. Free some space, or write to another disk.", cause: failure },
  );
  return reportError(error, terminal, { json: false, debug: false });
}

export function errorDocument({ code, message, advice }: PalimpsestError) {
  return { error: { code, message, advice: advice === undefined ? null : adviceForTerminals(advice) } };
}

export function asKnown(error: unknown): PalimpsestError {
  if (isPalimpsestError(error)) return error;
  if (isDiskFull(error))
    return new PalimpsestError("store-full", fileProblem(error), {
      advice: "Free some space on the disk and try again.",
      cause: error,
    });
  return new PalimpsestError("internal", messageOf(error), {
    advice: "This is a bug in palimpsest. Run again with --log-level debug to see where it happened.",
    cause: error,
  });
}

function say({ message, advice }: PalimpsestError, terminal: Terminal): void {
  const look = terminal.errorLook();
  terminal.note(`${look.style(["bold", "red"], "error:")} ${escapeControls(message)}`);
  if (advice !== undefined) terminal.note(escapeControls(adviceForTerminals(advice)));
}

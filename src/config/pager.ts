/**
 * The pager for long output. Like keys of providers it is not a setting, because every tool reads the same
 * variables.
 */

export interface PagerChoice {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Leave what fits on a screen, keep colours, leave the text on the screen afterwards; what we write is UTF-8. */
const FOR_LESS = { LESS: "FRX", LESSCHARSET: "utf-8" };

/** Undefined for a dumb terminal, or if the pager is `cat` or empty. */
export function choosePager(environment: Environment = process.env): PagerChoice | undefined {
  const wanted = environment.LCM_PAGER ?? environment.PAGER ?? "less";
  const command = wanted.split(" ").filter((word) => word !== "");
  if (command.length === 0 || command[0] === "cat" || environment.TERM === "dumb") return undefined;
  return { command, environment: { ...FOR_LESS, ...environment } };
}

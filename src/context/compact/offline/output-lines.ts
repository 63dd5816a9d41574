/** Lines that a tool itself printed, without blank lines and text that the host added. */

/** Of longer output only both ends are read: causes come first, verdicts last. */
const SEARCHED = 8_000;
/** Exit codes, timings, rulers, and what npm prints around the error of a script. */
export const AROUND =
  /^\s*(?:\[?exit(?:ed)?\b.*|\[exit status.*|process exited.*|chunk id:.*|wall time:.*|original token count:.*|output:|command exited.*|npm (?:error|ERR!) (?:code|errno|path|command|workspace|location|lifecycle|in workspace|a complete log)\b.*|<shellid.*|-+|=+)\s*$/i;
/** Some hosts append instructions for the model. */
const REMINDER = "<system-reminder>";

export function outputLines(output: string): string[] {
  const reminder = output.indexOf(REMINDER);
  const own = reminder < 0 ? output : output.slice(0, reminder);
  return endsOf(own)
    .split("\n")
    .filter((line) => line.trim() !== "" && !AROUND.test(line));
}

/** Whole lines only: the remainder of a cut line would be quoted as if it were whole. */
function endsOf(text: string): string {
  if (text.length <= 2 * SEARCHED) return text;
  const start = text.lastIndexOf("\n", SEARCHED);
  const end = text.indexOf("\n", text.length - SEARCHED);
  return text.slice(0, start < 0 ? SEARCHED : start) + (end < 0 ? "" : text.slice(end));
}

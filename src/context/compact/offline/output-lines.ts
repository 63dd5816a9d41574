/** Lines of a tool's output that the tool itself printed, without blank ones and without what the host put around it. */

/** Output beyond this is looked at only at both ends: causes stand first, verdicts last. */
const SEARCHED = 8_000;
/** Exit codes, timings and rulers. */
const AROUND =
  /^\s*(?:\[?exit(?:ed)?\b.*|\[exit status.*|process exited.*|chunk id:.*|wall time:.*|original token count:.*|output:|command exited.*|<shellid.*|-+|=+)\s*$/i;
/** Some hosts append instructions for the model of that moment. */
const REMINDER = "<system-reminder>";

export function outputLines(output: string): string[] {
  const reminder = output.indexOf(REMINDER);
  const own = reminder < 0 ? output : output.slice(0, reminder);
  const text = own.length <= 2 * SEARCHED ? own : `${own.slice(0, SEARCHED)}\n${own.slice(-SEARCHED)}`;
  return text.split("\n").filter((line) => line.trim() !== "" && !AROUND.test(line));
}

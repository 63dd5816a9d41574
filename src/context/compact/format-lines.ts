/**
 * The lines that the format of our summaries requires. They are written and recognised here, so that the
 * fidelity check, the merging of summaries and the anchor index use the same form.
 */

export const FILES = "Files:";
export const NO_FILES = "Files: none";
export const EXPAND = "Expand for details about:";
/** Separates the items of that line; commas occur inside commands and sentences. */
export const NEXT_TOPIC = "; ";
/** Starts the index of the anchors that a summary lost. */
export const ALSO = "Also:";

/** Only dates, times, ranges and the signs between them. */
const TIMELINE = /^[\s[\](){}#*~–—,.:|/T\d+Z-]*$/;

/** Lines without information about the source, or lines that we generated from it. */
export function isFormatLine(line: string): boolean {
  const text = line.trim();
  return text === NO_FILES || text.startsWith(EXPAND) || text.startsWith(ALSO) || isTimelineLine(text);
}

/** A date, a range of times or a ruler: the heading of a day's lines. */
export function isTimelineLine(line: string): boolean {
  return line.length <= 80 && TIMELINE.test(line);
}

export function withoutFormatLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !isFormatLine(line))
    .join("\n");
}

const ENTRY = /^(?:(\d{2}:\d{2}|morning|afternoon|evening|night) ?)?(user|assistant|tool|system|thinking)?: /;

interface Entry {
  /** `HH:mm`, a part of the day, or empty. */
  readonly time: string;
  /** Empty if the line does not name one. */
  readonly speaker: "user" | "assistant" | "tool" | "system" | "thinking" | "";
  readonly text: string;
}

/** A line of a summary: time, speaker, text. */
export function readEntry(line: string): Entry {
  const entry = ENTRY.exec(line);
  if (entry === null) return { time: "", speaker: "", text: line };
  const speaker = (entry[2] ?? "") as Entry["speaker"];
  return { time: entry[1] ?? "", speaker, text: line.slice(entry[0].length) };
}

/** The items in the index of a summary. */
export function readIndex(line: string): string[] {
  return line
    .slice(ALSO.length)
    .split("; ")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

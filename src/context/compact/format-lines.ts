/**
 * The lines that our summaries have because the form demands them. They are written and recognised here, so that the
 * check of fidelity, the merging of summaries and the index of anchors agree on what they look like.
 */

export const FILES = "Files:";
export const NO_FILES = "Files: none";
export const EXPAND = "Expand for details about:";
/** Between two items of that line; commas stand inside commands and sentences. */
export const NEXT_TOPIC = "; ";
/** Starts the index of anchors that a summary had lost. */
export const ALSO = "Also:";

/** Dates, times, ranges and the signs between them, and nothing else. */
const TIMELINE = /^[\s[\](){}#*~–—,.:|/T\d+Z-]*$/;

/** Lines that say nothing about the source, or repeat it by our own hand. */
export function isFormatLine(line: string): boolean {
  const text = line.trim();
  return text === NO_FILES || text.startsWith(EXPAND) || text.startsWith(ALSO) || isTimelineLine(text);
}

/** A date, a range of times, a ruler: what stands above the lines of a day. */
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
  /** Empty when the line does not say. */
  readonly speaker: "user" | "assistant" | "tool" | "system" | "thinking" | "";
  readonly text: string;
}

/** A line of a summary: when, who, what. */
export function readEntry(line: string): Entry {
  const entry = ENTRY.exec(line);
  if (entry === null) return { time: "", speaker: "", text: line };
  const speaker = (entry[2] ?? "") as Entry["speaker"];
  return { time: entry[1] ?? "", speaker, text: line.slice(entry[0].length) };
}

/** What the index of a summary lists, one by one. */
export function readIndex(line: string): string[] {
  return line
    .slice(ALSO.length)
    .split("; ")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

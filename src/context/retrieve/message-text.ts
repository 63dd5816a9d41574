/**
 * The words of a message as they are read in pieces: one text for each part, exactly as it was said, and a label that
 * says what it is. Characters are counted over these texts, one behind the other, without the labels.
 */
import { wholeCharacters } from "../../text/cut-text.ts";
import { quoteName } from "../../text/quote-text.ts";
import type { Message, Part } from "../../types.ts";

export interface PartText {
  /** What the words are; null for plain words. Names that were given stand in it quoted, on the same line. */
  readonly label: string | null;
  readonly text: string;
}

/** From one character of a message to another. */
export interface TextSlice {
  readonly offset: number;
  /** Behind the last character. */
  readonly end: number;
  readonly texts: readonly PartText[];
}

/** The words, or the exact original that they were read from. */
export function textsOfMessage({ parts, original }: Message, raw: boolean): PartText[] {
  if (!raw || original === null) return textsOfParts(parts);
  if (typeof original === "string") return [{ label: null, text: original }];
  return [{ label: "no valid text: bytes in base64", text: Buffer.from(original).toString("base64") }];
}

export function textsOfParts(parts: readonly Part[]): PartText[] {
  return parts.flatMap(textsOfPart);
}

function textsOfPart(part: Part): PartText[] {
  switch (part.type) {
    case "text":
      return [{ label: part.synthetic === true ? "put in by the host" : null, text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ label: "reasoning", text: part.text }];
    case "tool":
      return textsOfTool(part);
    case "compaction":
      return [{ label: "summary by the host", text: part.text }];
    case "subtask":
      return [{ label: labelOf("subtask", part.agent, part.description), text: part.prompt }];
    case "other":
      return [{ label: labelOf("block", part.blockType), text: part.text }];
    default:
      return textsOfMark(part);
  }
}

function textsOfTool(part: Extract<Part, { type: "tool" }>): PartText[] {
  const name = part.name === null ? "a tool" : quoteName(part.name);
  const call = { label: `calls ${name}`, text: part.input ?? "" };
  if (part.output === null) return [call];
  const answer = { label: `${part.status === "error" ? "error" : "answer"} of ${name}`, text: part.output };
  return part.input === null ? [answer] : [call, answer];
}

type Mark = Exclude<Part, { type: "text" | "reasoning" | "tool" | "compaction" | "subtask" | "other" }>;

function textsOfMark(part: Mark): PartText[] {
  switch (part.type) {
    case "file":
      return [{ label: labelOf("file", part.mime, part.name), text: addressOf(part.url) }];
    case "patch":
      return [{ label: labelOf("patch", part.hash), text: part.files.join("\n") }];
    case "snapshot":
      return [{ label: labelOf("snapshot", part.hash), text: "" }];
    case "agent":
      return [{ label: labelOf("agent", part.name), text: "" }];
    case "retry":
      return [{ label: labelOf("retry", part.attempt?.toString() ?? null), text: part.error ?? "" }];
    case "step_finish":
      return part.reason === null ? [] : [{ label: labelOf("step finished", part.reason), text: "" }];
    case "step_start":
      return [];
  }
}

/** A data: URL is the file itself, and no words. */
function addressOf(url: string | null): string {
  return url === null || /^data:/i.test(url) ? "" : url;
}

function labelOf(what: string, ...names: readonly (string | null)[]): string {
  const given = names.filter((name) => name !== null && name !== "");
  return [what, ...given.map((name) => quoteName(name ?? ""))].join(" ");
}

export function lengthOf(texts: readonly PartText[]): number {
  return texts.reduce((length, { text }) => length + text.length, 0);
}

/** At most `length` characters from `offset` on; never half a character, and at least one where there is one. */
export function sliceTexts(texts: readonly PartText[], offset: number, length: number): TextSlice {
  const start = boundary(texts, Math.min(offset, lengthOf(texts)));
  const end = Math.max(boundary(texts, start + length), firstBoundaryBehind(texts, start));
  const total = lengthOf(texts);
  const slice: PartText[] = [];
  let position = 0;
  for (const { label, text } of texts) {
    const [from, to] = [start - position, end - position];
    const isInside = from < text.length && to > 0;
    // What has no characters of its own stands in the slice that goes on behind it, or ends the message.
    const isMark = text === "" && from <= 0 && (to > 0 || position === total);
    if (isInside || isMark) slice.push({ label, text: text.slice(Math.max(0, from), Math.max(0, to)) });
    position += text.length;
  }
  return { offset: start, end, texts: slice };
}

/** The position, or the one before it where it would split a character. */
function boundary(texts: readonly PartText[], position: number): number {
  let before = 0;
  for (const { text } of texts) {
    if (position <= before + text.length) return before + wholeCharacters(text, position - before);
    before += text.length;
  }
  return before;
}

function firstBoundaryBehind(texts: readonly PartText[], position: number): number {
  const total = lengthOf(texts);
  for (let next = position + 1; next < total; next++) if (boundary(texts, next) === next) return next;
  return total;
}

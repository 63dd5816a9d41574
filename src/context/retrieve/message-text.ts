/**
 * The text of a message for reading in pieces: the exact text of each part, and a label that
 * describes it. Characters are counted over the concatenated texts, without the labels.
 */
import { definitionOf } from "../../message/parts/index.ts";
import type { LabelledText } from "../../message/parts/part-definition.ts";
import { wholeCharacters } from "../../text/cut-text.ts";
import { quoteName } from "../../text/quote-text.ts";
import type { Message, Part } from "../../types.ts";

export type { LabelledText };

export interface PartText {
  /** The kind of text; null for plain text. Names in it are quoted, on the same line. */
  readonly label: string | null;
  readonly text: string;
}

/** A range of characters of a message. */
export interface TextSlice {
  readonly offset: number;
  /** The position after the last character. */
  readonly end: number;
  readonly texts: readonly PartText[];
}

/** The text, or the exact original that it was read from. */
export function textsOfMessage({ parts, original }: Message, raw: boolean): PartText[] {
  if (!raw || original === null) return textsOfParts(parts);
  if (typeof original === "string") return [{ label: null, text: original }];
  return [{ label: "no valid text: bytes in base64", text: Buffer.from(original).toString("base64") }];
}

export function textsOfParts(parts: readonly Part[]): PartText[] {
  return parts.flatMap(textsOfPart);
}

function textsOfPart(part: Part): PartText[] {
  return labelledTexts(part).map(({ label, text }) => ({
    label: label && quoteNames(label),
    text: text ?? "",
  }));
}

/** The same with unquoted names in the labels. */
export function labelledTexts(part: Part): readonly LabelledText[] {
  return definitionOf(part).texts(part);
}

function quoteNames([what, ...names]: readonly (string | null)[]): string {
  const given = names.filter((name) => name !== null && name !== "");
  return [what, ...given.map((name) => quoteName(name ?? ""))].join(" ");
}

export function lengthOf(texts: readonly PartText[]): number {
  return texts.reduce((length, { text }) => length + text.length, 0);
}

/** At most `length` characters from `offset`; never splits a character, and at least one if any is left. */
export function sliceTexts(texts: readonly PartText[], offset: number, length: number): TextSlice {
  const start = boundary(texts, Math.min(offset, lengthOf(texts)));
  const end = Math.max(boundary(texts, start + length), firstBoundaryBehind(texts, start));
  const total = lengthOf(texts);
  const slice: PartText[] = [];
  let position = 0;
  for (const { label, text } of texts) {
    const [from, to] = [start - position, end - position];
    const isInside = from < text.length && to > 0;
    // A part without characters belongs to the slice that continues at its position, or to the last one.
    const isMark = text === "" && from <= 0 && (to > 0 || position === total);
    if (isInside || isMark) slice.push({ label, text: text.slice(Math.max(0, from), Math.max(0, to)) });
    position += text.length;
  }
  return { offset: start, end, texts: slice };
}

/** The position, or the previous one if it would split a character. */
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

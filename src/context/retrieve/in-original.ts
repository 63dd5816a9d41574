/** Matches are looked for in the normalised form of a text, and shown in the text as it was said. */
import type { Matches, Span } from "./matches.ts";

/** Beyond this, finding the way back takes longer than the search: the normalised form is shown. */
const LONGEST = 100_000;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function inOriginal(
  original: string,
  { text, spans }: Matches,
  { longest }: { readonly longest: number } = { longest: LONGEST },
): Matches {
  if (text === original || original.length > longest) return { text, spans };
  const starts = placesOf(original, text);
  if (starts === undefined) return { text, spans };
  return { text: original, spans: spans.map((span) => placed(span, starts)) };
}

/** By position in the normalised text: where its character begins in the original. The end is one more position. */
function placesOf(original: string, text: string): number[] | undefined {
  const starts: number[] = [];
  for (const { segment, index } of graphemes.segment(original)) {
    const form = segment.normalize("NFC");
    if (!text.startsWith(form, starts.length)) return undefined;
    for (let i = 0; i < form.length; i++) starts.push(form === segment ? index + i : index);
  }
  if (starts.length !== text.length) return undefined;
  starts.push(original.length);
  return starts;
}

/** A character that was composed is taken whole. */
function placed({ start, end }: Span, starts: readonly number[]): Span {
  let last = end;
  while (last < starts.length - 1 && starts[last] === starts[last - 1]) last++;
  return { start: starts[start] ?? 0, end: starts[last] ?? 0 };
}

/** Searches one file line by line: a line of normal length is one hit, however many matches it has. */
import { plainText, sliceText } from "../../files/slice-text.ts";
import type { Matches } from "../matches.ts";
import { snippetOf } from "../snippet.ts";
import { aroundBytes, aroundLine, type FileHit } from "./file-hit.ts";
import type { FileLines, Line } from "./file-lines.ts";
import type { FileLook, Reached } from "./file-look.ts";
import { countFeeds } from "./line-feeds.ts";
import type { FilePlace } from "./line-part.ts";
import { lookAtParts, lookAtWhole } from "./look-into-long-line.ts";

/** Null if it was searched to its end, else the position where the search stopped. */
export async function lookIntoFile(look: FileLook, from: FilePlace): Promise<FilePlace | null> {
  let reached: Reached = { place: from, isStopped: false };
  for (let isPart = from.isInside; reached.place !== null && !reached.isStopped; isPart = !isPart)
    reached = await (isPart ? lookAtParts(look, reached.place) : lookAtLines(look, reached.place));
  return reached.place;
}

/** Up to a line that must be read in parts. */
async function lookAtLines(look: FileLook, from: FilePlace): Promise<Reached> {
  const { lines, found, longest } = look;
  for await (const line of lines.from(from)) {
    if (found.isFull()) return { place: placeOf(line), isStopped: true };
    if (line.bytes === null) return { place: placeOf(line), isStopped: false };
    found.count(line.bytes.length);
    if (line.bytes.length > longest) {
      const stopped = await lookAtWhole(look, line.bytes, placeOf(line));
      if (stopped !== null) return { place: stopped, isStopped: true };
      continue;
    }
    const text = lineText(line.bytes, lines);
    const matches = look.finder.find(typeof text === "string" ? text : await text);
    if (matches.spans.length > 0 && !found.takes(hitOf(look, line, matches)))
      return { place: placeOf(line), isStopped: true };
  }
  return { place: null, isStopped: false };
}

function placeOf({ byte, line }: Line): FilePlace {
  return { byte, line, isInside: false };
}

function hitOf(
  { file, lines, snippetLength }: FileLook,
  { bytes, byte, line }: Line,
  matches: Matches,
): FileHit {
  const snippet = snippetOf(matches, { length: snippetLength });
  // Where other characters count as line feeds, line numbers do not identify the line.
  const isOneLine = lines.utf16 === null || bytes === null || countFeeds(bytes) === 0;
  const around = isOneLine ? aroundLine(line) : aroundBytes(file, byte, byte + bytes.length);
  return { file, line, byte, snippet, around };
}

const lenient = new TextDecoder();

/**
 * The text of a line, in the encoding of the file. Nearly all lines are UTF-8 and returned synchronously; the file's encoding is
 * read only for others. The byte order mark and the carriage return at a line end are removed.
 */
function lineText(line: Uint8Array, lines: FileLines): string | Promise<string> {
  const text = lines.utf16 === null ? plainText(line) : null;
  return text === null ? readOther(line, lines) : withoutSigns(text);
}

async function readOther(line: Uint8Array, lines: FileLines): Promise<string> {
  return withoutSigns(sliceText(line, await lines.encoding()).text ?? lenient.decode(line));
}

function withoutSigns(text: string): string {
  return text.slice(text.startsWith("\ufeff") ? 1 : 0, text.endsWith("\r") ? -1 : undefined);
}

/**
 * Describes a file too large for a message in at most 400 tokens: its kind, its content, and the positions. Read once as a
 * stream in constant memory; the same content gives the same text, and the text contains no credential.
 */
import { joinBytes } from "../../../text/bytes.ts";
import { counted } from "../../../text/counted.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { byteSize } from "./describe-plainly.ts";
import { detectEncoding, type Encoding } from "./detect-encoding.ts";
import type { Beginning, Exploration, ExploreInput, Findings } from "./exploration.ts";
import { fitSections } from "./fit-sections.ts";
import { recogniseKind } from "./recognise-kind.ts";
import { startReading } from "./start-reading.ts";

/** Facts collected while the text is read, for any kind of file. */
interface Passed {
  readonly findings: Findings;
  readonly lines: number;
  readonly badCharacters: number;
  readonly complete: boolean;
}

export async function explore(input: ExploreInput): Promise<Exploration> {
  const text = await decodeText(input);
  if (text.encoding === null) return summarise(input, text, binary(text.head));
  return summarise(input, text, await read(input, text));
}

function binary(head: Uint8Array): Passed {
  return { findings: describeBinary(head), lines: 0, badCharacters: 0, complete: false };
}

async function read(input: ExploreInput, { pieces, head }: DecodedText): Promise<Passed> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const beginning: Beginning = {
    ...{ name: input.name, mime: input.mime, bytes: input.bytes },
    head: first.done === true ? "" : first.value,
    isWhole: head.length >= input.bytes,
  };
  const reading = startReading(recogniseKind(beginning), beginning);
  let [lines, badCharacters, last, complete] = [0, 0, "", false];
  for (let piece = first; ; piece = await iterator.next()) {
    complete = piece.done === true;
    if (piece.done === true) break;
    if (reading.isDone) break;
    reading.write(piece.value);
    lines += occurrences(piece.value, "\n");
    badCharacters += occurrences(piece.value, "\ufffd");
    last = piece.value.at(-1) ?? last;
  }
  await iterator.return?.();
  if (last !== "" && last !== "\n") lines++;
  return { findings: await reading.finish(), lines, badCharacters, complete };
}

function occurrences(text: string, sign: string): number {
  let found = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found++;
  return found;
}

function summarise(input: ExploreInput, { encoding }: DecodedText, passed: Passed): Exploration {
  const { findings, complete, badCharacters } = passed;
  const facts = [byteSize(input.bytes)];
  if (complete && passed.lines > 0) facts.push(counted(passed.lines, "line"));
  if (encoding !== null && encoding !== "utf-8")
    facts.push(encoding === "windows-1252" ? "not UTF-8, read as Latin" : "UTF-16");
  if (badCharacters > 0) facts.push(`${counted(badCharacters, "character")} not valid UTF-8`);
  const title = `${findings.label}, ${[...facts, ...findings.facts].join(", ")}.`;
  const text = fitSections(title, findings.sections);
  return { kind: findings.kind, title, text, tokens: estimateTokens(text), complete };
}

/** Binary formats by their first bytes. */
const MAGIC: readonly (readonly [string, number, string])[] = [
  ["\x89PNG\r\n\x1a\n", 0, "PNG image"],
  ["\xff\xd8\xff", 0, "JPEG image"],
  ["GIF8", 0, "GIF image"],
  ["WEBP", 8, "WebP image"],
  ["BM", 0, "BMP image"],
  ["II*\0", 0, "TIFF image"],
  ["MM\0*", 0, "TIFF image"],
  ["%PDF-", 0, "PDF document (binary, its text was not extracted)"],
  ["PK\x03\x04", 0, "ZIP archive (also .docx, .xlsx, .jar)"],
  ["\x1f\x8b", 0, "gzip-compressed data"],
  ["BZh", 0, "bzip2-compressed data"],
  ["\xfd7zXZ\0", 0, "xz-compressed data"],
  ["\x28\xb5\x2f\xfd", 0, "zstd-compressed data"],
  ["7z\xbc\xaf\x27\x1c", 0, "7-Zip archive"],
  ["ustar", 257, "tar archive"],
  ["Rar!\x1a\x07", 0, "RAR archive"],
  ["SQLite format 3\0", 0, "SQLite database"],
  ["PAR1", 0, "Parquet table"],
  ["ARROW1", 0, "Arrow table"],
  ["\x7fELF", 0, "ELF executable or library"],
  ["MZ", 0, "Windows executable or library"],
  ["\xcf\xfa\xed\xfe", 0, "Mach-O executable or library"],
  ["\xca\xfe\xba\xbe", 0, "Java class or Mach-O file"],
  ["\0asm", 0, "WebAssembly module"],
  ["OggS", 0, "Ogg audio or video"],
  ["ID3", 0, "MP3 audio"],
  ["fLaC", 0, "FLAC audio"],
  ["WAVE", 8, "WAV audio"],
  ["ftyp", 4, "MP4 audio or video"],
  ["\x1aE\xdf\xa3", 0, "Matroska or WebM video"],
  ["wOFF", 0, "WOFF font"],
  ["wOF2", 0, "WOFF2 font"],
  ["\x93NUMPY", 0, "NumPy array"],
  ["\x89HDF\r\n\x1a\n", 0, "HDF5 data"],
  ["GGUF", 0, "GGUF model"],
];

function describeBinary(head: Uint8Array): Findings {
  const name = magicName(head) ?? "Binary data of an unknown kind";
  const facts = [...imageSize(head), "no text to describe"];
  return { kind: "binary", label: name, facts, sections: [] };
}

function magicName(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString("latin1");
  return MAGIC.find(([magic, at]) => start.startsWith(magic, at))?.[2];
}

/** In a PNG, the size follows the magic number. */
function imageSize(head: Uint8Array): string[] {
  if (head.length < 24 || magicName(head) !== "PNG image") return [];
  const view = new DataView(head.buffer, head.byteOffset);
  return [`${view.getUint32(16)} × ${view.getUint32(20)} pixels`];
}

/** Strings cut from a larger piece would keep it in memory. */
const PIECE = 65_536;

interface DecodedText {
  /** The first bytes, for binary content. */
  readonly head: Uint8Array;
  /** Null if it is not text. */
  readonly encoding: Encoding | null;
  readonly pieces: AsyncIterable<string>;
}

/**
 * A file as pieces of text, independent of the source's pieces: read once, in constant memory, without its byte order mark.
 * The first piece decides the encoding and the kind of file.
 */
async function decodeText(input: ExploreInput): Promise<DecodedText> {
  const chunks = cutBytes(input);
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < PIECE) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first.push(value.slice());
    length += value.length;
  }
  const head = joinBytes(first);
  const encoding = detectEncoding(head);
  return { head, encoding, pieces: decodePieces(head, chunks, encoding ?? "utf-8") };
}

/** A source may deliver pieces of any length. */
async function* cutBytes({ open, signal }: ExploreInput): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of open()) {
    signal?.throwIfAborted();
    for (let from = 0; from < chunk.length; from += PIECE) yield chunk.subarray(from, from + PIECE);
  }
  return undefined;
}

async function* decodePieces(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  try {
    yield decoder.decode(head, { stream: true });
    for await (const chunk of rest) yield decoder.decode(chunk, { stream: true });
    const last = decoder.decode();
    if (last !== "") yield last;
  } finally {
    await rest.return?.(undefined);
  }
}

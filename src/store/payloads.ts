/**
 * Cuts payloads out of a message's original, and inserts them again. Pure. All places are byte offsets in the original: the
 * message stays the same however its payloads are stored.
 */
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import { joinBytes } from "../text/bytes.ts";
import { messageId } from "../text/identifiers.ts";
import { decodeExactly, encodeUtf8 } from "../text/utf8.ts";
import { isWhole, referenceFor, type Shown, withDescriptions } from "./file-row.ts";
import type { PayloadPlace, PayloadWriting, StoredFile } from "./file-store.ts";

export interface PlacedPayload {
  readonly writing: PayloadWriting;
  readonly places: readonly PayloadPlace[];
  /** Given if the caller has already read it. */
  readonly payload?: Uint8Array;
}

interface Hole extends PayloadPlace {
  /** Index of the payload at this place. */
  readonly index: number;
}

/** The original without its payloads, and the decoded payloads. */
export function cutPayloads(
  original: Uint8Array,
  payloads: readonly PlacedPayload[],
): { readonly rest: Uint8Array; readonly contents: readonly (Uint8Array | null)[] } {
  const kept: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, head = 0, tail = 0 } of holesOf(payloads)) {
    const [from, to] = [start + head, end - tail];
    if (start < at || to < from || end > original.byteLength) throw misplaced();
    kept.push(original.subarray(at, from));
    at = to;
  }
  kept.push(original.subarray(at));
  const contents = payloads.map(({ writing, places: [place], payload }) =>
    place === undefined ? null : (payload ?? readPayload(original.subarray(place.start, place.end), writing)),
  );
  return { rest: joinBytes(kept), contents };
}

/** The content inserted where a payload was cut out: its bytes, or a reference instead. */
export type Filling = { readonly payload: Uint8Array } | { readonly reference: string };

/** The original again, with the given filling for each payload. Refuses invalid places. */
export function fillPayloads(
  rest: Uint8Array,
  payloads: readonly PlacedPayload[],
  fillings: readonly Filling[],
): Uint8Array<ArrayBuffer> {
  const written = payloads.map(({ writing }, index) => {
    const filling = fillings[index] ?? { reference: "" };
    return "payload" in filling
      ? writePayload(filling.payload, writing)
      : writeReference(filling.reference, writing);
  });
  const pieces: Uint8Array[] = [];
  let at = 0;
  let cut = 0;
  for (const { start, end, before, after, head = 0, tail = 0, index } of holesOf(payloads)) {
    const isReference = !("payload" in (fillings[index] ?? {}));
    const hole = start + head - cut;
    const from = hole - (isReference ? before : head);
    const to = hole + (isReference ? after : tail);
    if (start < 0 || end - tail < start + head || from < at || to > rest.byteLength) throw notThere();
    const bytes = written[index] ?? new Uint8Array();
    const isInText = isReference && payloads[index]?.writing !== "json-value";
    pieces.push(rest.subarray(at, from), ...(isInText ? onItsOwnLines(rest, from, to, bytes) : [bytes]));
    at = to;
    cut += end - start - head - tail;
  }
  pieces.push(rest.subarray(at));
  return joinBytes(pieces);
}

const QUOTE = 34;
const LINE_END = encodeUtf8("\\n");

/** Text beside a reference must not look like a part of it. */
function onItsOwnLines(rest: Uint8Array, from: number, to: number, reference: Uint8Array): Uint8Array[] {
  const isLineEnd = (at: number) => rest[at] === LINE_END[0] && rest[at + 1] === LINE_END[1];
  const startsLine = rest[from - 1] === QUOTE || isLineEnd(from - LINE_END.length);
  const endsLine = rest[to] === QUOTE || isLineEnd(to);
  return [...(startsLine ? [] : [LINE_END]), reference, ...(endsLine ? [] : [LINE_END])];
}

/** In the order of the original. */
function holesOf(payloads: readonly PlacedPayload[]): Hole[] {
  return payloads
    .flatMap(({ places }, index) => places.map((place) => ({ ...place, index })))
    .sort((a, b) => a.start - b.start);
}

/** The bytes of a payload as written inside a JSON string, without its quotes, or as a JSON value. */
export function writePayload(payload: Uint8Array, writing: PayloadWriting): Uint8Array {
  if (writing === "json-value") return payload.length === 0 ? NO_VALUE : payload;
  if (writing === "json-latin1")
    return Buffer.from(quoted(Buffer.from(payload).toString("latin1")), "latin1");
  const text = decodeExactly(payload) ?? Buffer.from(payload).toString("utf8");
  const json = quoted(text);
  return encodeUtf8(writing === "json" ? json : json.replaceAll(BEYOND_ASCII, asEscape));
}

/** Written for a payload that cannot be read, because a JSON value cannot be empty. */
const NO_VALUE = encodeUtf8("null");

/** A reference that replaces a JSON value is a string with quotes. */
function writeReference(reference: string, writing: PayloadWriting): Uint8Array {
  if (writing === "json-value") return encodeUtf8(JSON.stringify(reference));
  return writePayload(encodeUtf8(reference), writing);
}

/** The reverse of `writePayload`. */
function readPayload(written: Uint8Array, writing: PayloadWriting): Uint8Array {
  const buffer = Buffer.from(written.buffer, written.byteOffset, written.byteLength);
  const encoding = writing === "json-latin1" ? "latin1" : "utf8";
  const text = buffer.toString(encoding);
  if (writing !== "json-value") return Buffer.from(String(parsed(`"${text}"`)), encoding);
  parsed(text);
  return buffer;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's message quotes the content.
    throw misplaced();
  }
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const BEYOND_ASCII = /[\u007f-\uffff]/g;

/** As Python writes it by default; the character 7F is not escaped there. */
function asEscape(unit: string): string {
  const code = unit.charCodeAt(0);
  return code === 0x7f ? unit : `\\u${code.toString(16).padStart(4, "0")}`;
}

const MISPLACED = "a payload is not at its recorded position";

function misplaced(): PalimpsestError {
  return new PalimpsestError("invalid-input", MISPLACED);
}

/** The same error for stored messages. */
function notThere(): PalimpsestError {
  return new PalimpsestError("store-corrupt", MISPLACED);
}

/** Returns a file's whole content, or fails with `store-corrupt`. */
type ReadContent = (file: StoredFile) => Uint8Array;

/** Invalid places are an error; if damaged payloads are left out, all payloads are left out instead. */
export function fillOriginal(
  rest: Uint8Array,
  files: readonly StoredFile[],
  readContent: ReadContent,
  shown: Shown,
): Uint8Array {
  const fillings = files.map((file) => fillingOf(file, readContent, shown));
  try {
    return withDescriptions(fillPayloads(rest, files, fillings), files, shown);
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    if (shown.payloads === "sound" || shown.payloads === "search") return rest;
    const [{ conversation, seq } = { conversation: "", seq: 0 }] = files;
    throw new PalimpsestError("store-corrupt", `${messageId(conversation, seq)}: ${error.message}`, {
      advice: "List what is damaged with: lcm verify",
      cause: error,
    });
  }
}

const LEFT_OUT: Filling = { payload: new Uint8Array() };

function fillingOf(file: StoredFile, readContent: ReadContent, shown: Shown): Filling {
  const { payloads } = shown;
  if (!isWhole(file, payloads)) return { reference: referenceFor(file, shown) };
  // A file that was attached beside its message has no place in it.
  if (file.places.length === 0) return LEFT_OUT;
  try {
    return { payload: readContent(file) };
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    if (payloads === "sound" || payloads === "search") return LEFT_OUT;
    throw new PalimpsestError(
      "store-corrupt",
      `${file.id} in ${messageId(file.conversation, file.seq)} cannot be read: ${error.message}`,
      { advice: "List what is damaged with: lcm verify", cause: error },
    );
  }
}

/**
 * The opening of a file, used to recognise it: its first bytes, and the first objects among its lines.
 * Lines that cannot be parsed are skipped, so that a broken first line hides nothing. The amount read is
 * bounded, except that one line is always read completely.
 */

import { isDatabase } from "../../../message/hosts/documents/index.ts";
import { isObject } from "../../../message/hosts/json-fields.ts";
import { decodeLeniently, withoutByteOrderMark } from "../../../text/utf8.ts";
import { openForReading, type ReadLinesOptions, readLines } from "./read-lines.ts";

interface Opening {
  /** The first 8,192 bytes. */
  readonly start: Uint8Array;
  /** The first 50 objects that each occupy a whole line. */
  readonly lines: readonly unknown[];
}

const START_BYTES = 8192;
const MAX_OBJECTS = 50;
const MAX_LINES = 1000;
const MAX_BYTES = 33_554_432;
const LINE_FEED = 0x0a;
/** The maximum size of one text in memory, with room for texts that are mostly not ASCII. */
export const MAX_DOCUMENT_BYTES = 400 * 1024 * 1024;

export async function readOpening(
  path: string,
  options: Pick<ReadLinesOptions, "signal"> = {},
): Promise<Opening> {
  const start = await readStart(path);
  const isBinary = isOneHugeBinary(start) || isDatabase(start);
  return { start, lines: isBinary ? [] : await readObjects(path, options) };
}

async function readStart(path: string): Promise<Uint8Array> {
  const file = await openForReading(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A disk image may be one line of any length: detecting it must not read it into memory. */
function isOneHugeBinary(start: Uint8Array): boolean {
  return start.includes(0) && !start.includes(LINE_FEED);
}

async function readObjects(path: string, options: Pick<ReadLinesOptions, "signal">): Promise<unknown[]> {
  const objects: unknown[] = [];
  let lines = 0;
  for await (const line of readLines(path, options)) {
    const value = parsed(line.bytes);
    if (isObject(value)) objects.push(value);
    lines++;
    const isEnough = objects.length >= MAX_OBJECTS || lines >= MAX_LINES;
    if (isEnough || line.offset + line.bytes.length >= MAX_BYTES) break;
  }
  return objects;
}

function parsed(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_DOCUMENT_BYTES) return undefined;
  const text = withoutByteOrderMark(decodeLeniently(bytes));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

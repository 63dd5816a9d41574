/** Parses one record of SQLite's file format: its values, or undefined if the bytes cannot be a record. */

/** Text stays bytes, so that damaged text is copied unchanged. */
interface TextValue {
  readonly text: Buffer;
}

export type RecordValue = null | number | bigint | Buffer | TextValue;

export function isText(value: RecordValue): value is TextValue {
  return typeof value === "object" && value !== null && "text" in value;
}

/** A number of up to nine bytes, and its end offset. */
export function readVarint(
  bytes: Buffer,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0n;
  for (let read = 0; read < 9; read++) {
    const byte = bytes[at + read];
    if (byte === undefined) return undefined;
    if (read === 8) return { value: Number(BigInt.asIntN(64, (value << 8n) | BigInt(byte))), end: at + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value: Number(value), end: at + read + 1 };
  }
  return undefined;
}

export function readRecord(payload: Buffer): RecordValue[] | undefined {
  const header = readVarint(payload, 0);
  if (header === undefined || header.value < header.end || header.value > payload.length) return undefined;
  const values: RecordValue[] = [];
  let at = header.value;
  for (let place = header.end; place < header.value; ) {
    const type = readVarint(payload, place);
    if (type === undefined || type.end > header.value) return undefined;
    const size = sizeOf(type.value);
    if (size === undefined || at + size > payload.length) return undefined;
    values.push(readValue(payload, at, type.value, size));
    place = type.end;
    at += size;
  }
  return at === payload.length ? values : undefined;
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number | undefined {
  return type < 12 ? SIZES[type] : Math.floor((type - 12) / 2);
}

function readValue(payload: Buffer, at: number, type: number, size: number): RecordValue {
  if (type >= 12) {
    const bytes = payload.subarray(at, at + size);
    return type % 2 === 0 ? bytes : { text: bytes };
  }
  if (type === 0) return null;
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 8 || type === 9) return type - 8;
  if (type !== 6) return payload.readIntBE(at, size);
  const large = payload.readBigInt64BE(at);
  return Number.isSafeInteger(Number(large)) ? Number(large) : large;
}

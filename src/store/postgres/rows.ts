/** Converts values of the contract to PostgreSQL and back: exact times, hashes as hex, bytes in binary form. */
import pg from "pg";

const BYTEA = 17;
const BIGINT = 20;
const NUMERIC = 1700;
const TIMESTAMP_WITH_ZONE = 1184;

/** Counters stay far below 2^53, so numbers represent them exactly. */
export function typeParsers(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(BIGINT, Number);
  types.setTypeParser(NUMERIC, Number);
  types.setTypeParser(TIMESTAMP_WITH_ZONE, isoTimestamp);
  return types;
}

/** "2026-11-15 22:30:44.12+00" as "2026-11-15T22:30:44.120Z". The session's time zone is UTC. */
export function isoTimestamp(text: string): string {
  const [date, time = ""] = text.slice(0, -"+00".length).split(" ");
  const [seconds, fraction = ""] = time.split(".");
  return `${date}T${seconds}.${fraction.padEnd(3, "0")}Z`;
}

export function bytes(hex: string): Buffer;
export function bytes(hex: string | null): Buffer | null;
export function bytes(hex: string | null): Buffer | null {
  return hex === null ? null : Buffer.from(hex, "hex");
}

/**
 * A `bytea[]` in the protocol's binary form. The driver would write it as text, at two characters a byte, and
 * run into the longest possible string with large contents.
 */
export function byteaArray(values: readonly (Uint8Array | null)[]): Buffer {
  const header = [1, values.includes(null) ? 1 : 0, BYTEA, values.length, 1];
  const size = values.reduce((sum, value) => sum + 4 + (value?.byteLength ?? 0), header.length * 4);
  const buffer = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const field of header) offset = buffer.writeInt32BE(field, offset);
  for (const value of values) {
    offset = buffer.writeInt32BE(value?.byteLength ?? -1, offset);
    if (value === null) continue;
    buffer.set(value, offset);
    offset += value.byteLength;
  }
  return buffer;
}

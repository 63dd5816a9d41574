import { hash } from "node:crypto";

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** SHA-256. Text is hashed as UTF-8. */
export function hashBytes(data: string): Uint8Array {
  return hash("sha256", data, "buffer");
}

/** SHA-256 in hex. Text is hashed as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

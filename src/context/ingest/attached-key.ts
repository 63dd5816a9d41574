/**
 * The key of the message that stands for an attached file tells the hash of its content: nothing else in the message
 * does, and checking compares the two.
 */
import { KEY_LIMIT } from "../read/require-name.ts";

/** A key that the caller gave is followed by the hash, unless that makes it too long. */
export function attachedKey(turnKey: string, hash: string): string {
  const plain = `${turnKey}#0`;
  if (attachedHash(plain) === hash) return plain;
  const telling = `${turnKey}#file:${hash}`;
  return telling.length <= KEY_LIMIT ? telling : plain;
}

const BY_CONTENT = /^file:([0-9a-f]{64}):/;
const BY_CALLER = /#file:([0-9a-f]{64})$/;

/** The hash that a key tells; null when it tells none. */
export function attachedHash(key: string): string | null {
  return (BY_CALLER.exec(key) ?? BY_CONTENT.exec(key))?.[1] ?? null;
}

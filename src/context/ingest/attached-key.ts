/**
 * The key of an attached file's message contains the hash of the file's content: nothing else in the message
 * does, and the integrity check compares the two.
 */
import { KEY_LIMIT } from "../read/require-name.ts";

/** A caller's key is followed by the hash, unless that makes it too long. */
export function attachedKey(turnKey: string, hash: string): string {
  const plain = `${turnKey}#0`;
  if (attachedHash(plain) === hash) return plain;
  const telling = `${turnKey}#file:${hash}`;
  return telling.length <= KEY_LIMIT ? telling : plain;
}

const BY_CONTENT = /^file:([0-9a-f]{64}):/;
const BY_CALLER = /#file:([0-9a-f]{64})$/;

/** The hash in a key; null if there is none. */
export function attachedHash(key: string): string | null {
  return (BY_CALLER.exec(key) ?? BY_CONTENT.exec(key))?.[1] ?? null;
}

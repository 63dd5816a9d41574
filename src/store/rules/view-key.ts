/**
 * Keys of messages that a host sends with every call, at first without an id. A key contains a hash of the content, a hash of
 * the reasoning before it, the message's number among equal ones, and the host's id if there is one. Hosts may add ids later,
 * drop them, and leave reasoning out: the message stays the same one.
 */
import { unversionedKey, VIEW_KEY_PREFIX } from "../seal.ts";

export interface ViewKey {
  /** Hash of the normal form, without reasoning. */
  readonly said: string;
  /** Null if there is none. */
  readonly reasoning: string | null;
  /** Counts equal messages of one view from 1; null in keys that were made from an id alone. */
  readonly number: number | null;
  readonly id: string | null;
}

export function viewKey({ said, reasoning, number, id }: ViewKey): string {
  const hashes = reasoning === null ? said : `${said}.${reasoning}`;
  return [VIEW_KEY_PREFIX + hashes, number ?? "", ...(id === null ? [] : [id])].join(":");
}

const FORM = /^([0-9a-f]+)(?:\.([0-9a-f]+))?:(?:(\d+)(?::(.*))?|(.*))$/s;

/** Null for keys of other messages. */
export function readViewKey(key: string): ViewKey | null {
  if (!key.startsWith(VIEW_KEY_PREFIX)) return null;
  const found = FORM.exec(unversionedKey(key).slice(VIEW_KEY_PREFIX.length));
  if (found === null) return null;
  const [, said = "", reasoning = null, number, id, onlyId] = found;
  return { said, reasoning, number: number === undefined ? null : Number(number), id: id ?? onlyId ?? null };
}

/** The common prefix of the keys of equal messages, followed by `:` or `.`. */
export function viewPrefix({ said }: ViewKey): string {
  return VIEW_KEY_PREFIX + said;
}

/** Whether a stored message may be the one that is shown: the same content, no other id, and no other reasoning. */
export function mayBeShown(shown: ViewKey, onRecord: ViewKey): boolean {
  return (
    shown.said === onRecord.said &&
    (shown.reasoning === null || shown.reasoning === onRecord.reasoning) &&
    (shown.id === null || onRecord.id === null || shown.id === onRecord.id)
  );
}

/** The identifiers by which an erased message is recognised when it is shown again: its number, and its id. */
export function viewIdentities({ said, number, id }: ViewKey): readonly string[] {
  return [number, id].flatMap((name) => (name === null ? [] : `${VIEW_KEY_PREFIX}${said}:${name}`));
}

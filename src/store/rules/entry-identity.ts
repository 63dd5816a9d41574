/**
 * Identifiers of a host's entry that are the same everywhere, so that an erased one is recognised in a resumed or forked
 * session. A key with a random id is enough; other keys, which sessions may share, are combined with the role and the time.
 */
import { sha256 } from "../../text/bytes.ts";
import { CONTENT_KEY_PREFIX, unversionedKey, VIEW_KEY_PREFIX } from "../seal.ts";
import type { StoredMessage } from "../store.ts";
import { readViewKey, viewIdentities } from "./view-key.ts";

type Entry = Pick<StoredMessage, "key" | "role" | "createdAt">;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** Letters and digits without a gap, at least one of each. */
const LONG_ID = /(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{20,}/i;
const ATTACHED = /^file:[0-9a-f]{64}:|#file:[0-9a-f]{64}$/;

/** Whether a key contains the name or the hash of a file. Such a key is erased with the content. */
export function tellsFile(key: string): boolean {
  return ATTACHED.test(key);
}

/** Whether the key of a message is erased with it, and a later copy is recognised by a digest of the key. */
export function isKnownByDigest(key: string): boolean {
  return tellsFile(key) || key.startsWith(VIEW_KEY_PREFIX);
}

/**
 * None for a key that is made from content: nothing is kept from which the content could be guessed. A host that sends all
 * its messages with every call would send an erased one again each time, so these are remembered in their conversation.
 */
export function identitiesOf({ key, role, createdAt }: Entry, conversation: string): readonly string[] {
  const shown = readViewKey(key);
  if (shown !== null)
    return viewIdentities(shown).map((identity) => ["view", conversation, identity].join("\n"));
  if (key.startsWith(CONTENT_KEY_PREFIX)) return [];
  // The same file may be attached elsewhere: that is another message.
  if (tellsFile(key)) return [["attached", conversation, key].join("\n")];
  const own = unversionedKey(key);
  const parts = UUID.test(own) || LONG_ID.test(own) ? ["id", own] : ["entry", own, role, createdAt];
  return [parts.join("\n")];
}

export function digestIdentity(salt: string, identity: string): string {
  return sha256(`${salt}\n${identity}`).slice(0, 32);
}

/**
 * Tamper evidence. A message's digest covers its salt and its exact content; its hash covers the digest, what
 * stands beside the content, and the hash before it. After an erasure content and salt are gone, the digest
 * stays, and the chain still verifies.
 */
import { createHash, hash } from "node:crypto";
import { sha256 } from "../text/bytes.ts";
import type { ModelDescription, StoredFile } from "./file-store.ts";
import type { StoredMemory } from "./memory-store.ts";
import type { NewMessage, StoredMessage } from "./store.ts";

type Hashed = Pick<StoredMessage, "seq" | "key" | "role" | "format" | "createdAt">;

/** Salt and content side by side, for texts of usual length: a buffer for each would be most of what a writer makes. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024);
/** No character takes more bytes than that for each of its units. */
const MOST_BYTES = 3;

export function digestContent(salt: string, content: string | Uint8Array): string {
  if (typeof content === "string" && salt.length + content.length * MOST_BYTES <= workspace.length) {
    const start = workspace.write(salt, "hex");
    const end = start + workspace.write(content, start, "utf8");
    return hash("sha256", workspace.subarray(0, end), "hex");
  }
  return createHash("sha256").update(salt, "hex").update(content).digest("hex");
}

/**
 * The key is left out: keys derived from content are replaced when the content is erased, and the chain must
 * still verify.
 */
export function chainHash(previous: string, message: Omit<Hashed, "key">, digest: string): string {
  return sha256([previous, message.seq, message.role, message.format, message.createdAt, digest].join("\n"));
}

export function sealMessage(
  previous: string,
  seq: number,
  message: Pick<NewMessage, "role" | "format" | "content" | "createdAt" | "salt">,
): { readonly digest: string; readonly hash: string } {
  const digest = digestContent(message.salt, message.content);
  const { role, format, createdAt } = message;
  return { digest, hash: chainHash(previous, { seq, role, format, createdAt }, digest) };
}

/** How far a chain was followed. */
export interface ChainEnd {
  readonly lastSeq: number;
  readonly hash: string;
}

/** Whether a message is the next one of the chain, and is what it was when it was sealed. */
export function follows(end: ChainEnd, message: StoredMessage): boolean {
  const { seq, salt, content } = message;
  const digest = content === null || salt === null ? message.digest : digestContent(salt, content);
  if (seq !== end.lastSeq + 1 || digest !== message.digest) return false;
  return chainHash(end.hash, message, digest) === message.hash;
}

/** Whether a whole content is what it was when it was sealed. Nothing is said of one that was erased. */
export function matchesDigest({
  content,
  salt,
  digest,
}: Pick<StoredMessage, "content" | "salt" | "digest">): boolean {
  if (content === null) return true;
  return salt !== null && digestContent(salt, content) === digest;
}

/** What a summary stores about its own text. Of a text that is gone nothing is left: short ones could be guessed. */
export function hashSummaryText(text: string | null): string | null {
  return text === null ? null : sha256(text);
}

type SealedWords = Pick<
  StoredMemory,
  "id" | "createdAt" | "validFrom" | "origin" | "speaker" | "abstract" | "overview" | "content"
>;

/** What a memory says and where it comes from, which never changes. */
export function sealWords(memory: SealedWords): string {
  const { id, createdAt, validFrom, origin, speaker, abstract, overview, content } = memory;
  return sha256(JSON.stringify([id, createdAt, validFrom, origin, speaker, abstract, overview, content]));
}

/** What is known about a memory, which a revision changes. */
export function sealFacts(memory: StoredMemory): string {
  const { category, tier, importance, confidence, temporalType, factKey, support, tags } = memory;
  const { validUntil, archivedAt, archivedReason } = memory;
  const lists = [
    support.map(({ context, confirmations, contradictions, lastObservedAt }) => [
      context,
      confirmations,
      contradictions,
      lastObservedAt,
    ]),
    tags,
  ];
  return sha256(
    JSON.stringify([
      category,
      tier,
      importance,
      confidence,
      temporalType,
      factKey,
      validUntil,
      archivedAt,
      archivedReason,
      ...lists,
    ]),
  );
}

type SealedFile = Pick<
  StoredFile,
  "id" | "kind" | "name" | "mime" | "tool" | "description" | "origin" | "createdAt"
>;

/** What is known of a file from the moment it came. Its content and its places are proven by its message. */
export function sealFile({ id, kind, name, mime, tool, description, origin, createdAt }: SealedFile): string {
  return sha256(JSON.stringify([id, kind, name, mime, tool, description, origin, createdAt]));
}

/** What a model wrote of a file; null until it has. */
export function sealDescription(described: ModelDescription | null): string | null {
  return described === null ? null : sha256(JSON.stringify([described.text, described.model, described.at]));
}

/** The root over ordered hashes: what a summary stores about its sources. */
export function merkleRoot(hashes: readonly string[]): string {
  if (hashes.length === 0) return sha256("");
  let level = hashes.map((leaf) => sha256(`leaf\n${leaf}`));
  while (level.length > 1) {
    const above: string[] = [];
    for (let i = 0; i < level.length; i += 2) above.push(sha256(`node\n${level[i]}\n${level[i + 1] ?? ""}`));
    level = above;
  }
  return level[0] as string;
}

/** Keys made from content carry this prefix; erasure replaces them. */
export const CONTENT_KEY_PREFIX = "sha256:";
/** Those of messages that a host shows with every call, and would bring back after an erasure. */
export const VIEW_KEY_PREFIX = `${CONTENT_KEY_PREFIX}view:`;

export function turnKeysDigest(keys: readonly string[]): string {
  return sha256(JSON.stringify(keys));
}

/** The key of the n-th version of an entry whose content was edited under the same id. */
export function versionKey(key: string, version: number): string {
  return version === 1 ? key : `${key}~${version}`;
}

/** The key that a version was made from. */
export function unversionedKey(key: string): string {
  return key.replace(/~\d+$/, "");
}

/**
 * Tamper evidence. A message's digest covers its salt and its exact content; its hash covers the digest, its other fields,
 * and the previous hash. After an erasure content and salt are gone, the digest stays, and the chain still verifies.
 */
import { createHash, hash } from "node:crypto";
import { sha256 } from "../text/bytes.ts";
import type { ModelDescription, StoredFile } from "./file-store.ts";
import type { StoredMemory } from "./memory-store.ts";
import type { NewMessage, StoredMessage } from "./store.ts";

type Hashed = Pick<StoredMessage, "seq" | "key" | "role" | "format" | "createdAt">;

/** Salt and content side by side, for texts of usual length: allocating a buffer for each would be most of the memory that a writer uses. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024);
/** Most bytes that a UTF-16 unit takes in UTF-8. */
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

/** The state of the chain after the last checked message. */
export interface ChainEnd {
  readonly lastSeq: number;
  readonly hash: string;
}

/** Whether a message is the next one of the chain, and is unchanged since it was sealed. */
export function follows(end: ChainEnd, message: StoredMessage): boolean {
  const { seq, salt, content } = message;
  const digest = content === null || salt === null ? message.digest : digestContent(salt, content);
  if (seq !== end.lastSeq + 1 || digest !== message.digest) return false;
  return chainHash(end.hash, message, digest) === message.hash;
}

/** Whether a whole content is unchanged since it was sealed. True for an erased one, which cannot be checked. */
export function matchesDigest({
  content,
  salt,
  digest,
}: Pick<StoredMessage, "content" | "salt" | "digest">): boolean {
  if (content === null) return true;
  return salt !== null && digestContent(salt, content) === digest;
}

/** The hash that a summary stores of its own text. An erased text has none: a short text could be guessed. */
export function hashSummaryText(text: string | null): string | null {
  return text === null ? null : sha256(text);
}

type SealedWords = Pick<
  StoredMemory,
  "id" | "createdAt" | "validFrom" | "origin" | "speaker" | "abstract" | "overview" | "content"
>;

/** Covers the text of a memory and its origin, which never change. */
export function sealWords(memory: SealedWords): string {
  const { id, createdAt, validFrom, origin, speaker, abstract, overview, content } = memory;
  return sha256(JSON.stringify([id, createdAt, validFrom, origin, speaker, abstract, overview, content]));
}

/** Covers the metadata of a memory, which a revision changes. */
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

/** Covers the facts of a file that are known when it is stored. Its content and its places are covered by its message's hash. */
export function sealFile({ id, kind, name, mime, tool, description, origin, createdAt }: SealedFile): string {
  return sha256(JSON.stringify([id, kind, name, mime, tool, description, origin, createdAt]));
}

/** Covers a model's description of a file; null if there is none. */
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
/** Keys of messages that a host sends with every call, and would send again after an erasure. */
export const VIEW_KEY_PREFIX = `${CONTENT_KEY_PREFIX}view:`;

export function turnKeysDigest(keys: readonly string[]): string {
  return sha256(JSON.stringify(keys));
}

/** The key of the n-th version of an entry whose content was edited under the same id. */
export function versionKey(key: string, version: number): string {
  return version === 1 ? key : `${key}~${version}`;
}

/** The key without its version. */
export function unversionedKey(key: string): string {
  return key.replace(/~\d+$/, "");
}

/** Cuts payloads out of incoming messages, and stores them separately. */
import { PalimpsestError } from "../../errors.ts";
import { sha256 } from "../../text/bytes.ts";
import { encodeContent } from "../content-encoding.ts";
import type { DatedFile } from "../file-store.ts";
import { cutPayloads } from "../payloads.ts";
import type { HeldConversation } from "../port.ts";
import { type FileOfMessage, insertFiles } from "../tables/large-files.ts";
import { ERASED, type KeptContent } from "../tables/messages.ts";

interface MessageWithFiles {
  readonly seq: number;
  /** The whole original; null once erased. */
  readonly content: string | Uint8Array | null;
  readonly files: readonly DatedFile[];
}

/** Returns the content of each message's row. Queries the database only if there are payloads. */
export async function keepApart(
  held: HeldConversation,
  messages: readonly MessageWithFiles[],
): Promise<KeptContent[]> {
  const contents = new Map<string, Uint8Array>();
  const files: FileOfMessage[] = [];
  const kept = messages.map((message) => cut(message, contents, files));
  if (files.length === 0) return kept;
  await requireContents(held, contents, files);
  insertFiles(held, files);
  return kept;
}

function cut(
  { seq, content, files }: MessageWithFiles,
  contents: Map<string, Uint8Array>,
  found: FileOfMessage[],
): KeptContent {
  if (content === null) return ERASED;
  const [first] = files;
  if (first === undefined)
    return { ...encodeContent(content), size: Buffer.byteLength(content), largeContent: null };
  const original = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const { rest, contents: payloads } = cutPayloads(original, files);
  files.forEach((file, ordinal) => {
    const payload = payloads[ordinal] ?? null;
    const hash = payload === null ? (file.content ?? "") : sha256(payload);
    if (payload !== null) contents.set(hash, payload);
    found.push({ seq, ordinal, file, content: hash });
  });
  return { ...encodeContent(rest), size: original.byteLength, largeContent: first.id };
}

async function requireContents(
  held: HeldConversation,
  contents: ReadonlyMap<string, Uint8Array>,
  files: readonly FileOfMessage[],
): Promise<void> {
  const given = files.filter(({ file }) => file.places.length === 0);
  const hashes = given.map(({ content }) => content);
  const known = await held.port.contents.put(held.scope, contents, hashes);
  const missing = given.find(({ content }) => !known.has(content));
  if (missing !== undefined)
    throw new PalimpsestError("not-found", `the content of ${missing.file.id} is not on record`, {
      advice: "Store the content again, then the message. Nothing was written.",
    });
}

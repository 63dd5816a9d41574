/** What a message will cost once a file in it is shown with other words, counted on the message itself. */

import { countPartTokens } from "../../message/read-parts.ts";
import { partsOf } from "../../message/stored-value.ts";
import type { StoredFile } from "../../store/file-store.ts";
import { writePayload } from "../../store/payloads.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { referenceOf } from "../../text/file-reference.ts";
import { decodeExactly, encodeUtf8 } from "../../text/utf8.ts";

interface DescribedTokens {
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

/** Null when the reference is not found in the message: then nobody would see another one. */
export async function describedTokens(
  store: ScopedStore,
  file: StoredFile,
  text: string,
  countTokens: CountTokens,
): Promise<DescribedTokens | null> {
  const described = { ...file, described: { text } };
  const count = async (payloads: "context" | "stubs") => {
    const { conversation, seq: from } = file;
    const [message] = (await store.messages(conversation, { from, to: from, payloads })).rows;
    const content = message === undefined ? null : withReference(message, file, described);
    if (message === undefined || content === null) return null;
    const tokens = countPartTokens(partsOf(message.format, content), countTokens);
    return { tokens, hasStubs: message.stubTokenCount !== null };
  };
  const shown = await count("context");
  if (shown === null) return null;
  const stubs = shown.hasStubs ? await count("stubs") : null;
  return { tokenCount: shown.tokens, stubTokenCount: stubs?.tokens ?? null };
}

function withReference(
  { content }: StoredMessage,
  file: StoredFile,
  described: Parameters<typeof referenceOf>[0],
): string | null {
  if (typeof content !== "string") return null;
  const [before, after] = [file, described].map((one) =>
    decodeExactly(writePayload(encodeUtf8(referenceOf(one)), file.writing)),
  );
  if (before === undefined || after === undefined || !content.includes(before)) return null;
  return content.replaceAll(before, () => after);
}

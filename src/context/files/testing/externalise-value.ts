/** A message as ingest passes it on: externalised, and restored. */
import { encodeOriginal } from "../../../message/original.ts";
import { countPartTokens, indexParts, readMessage } from "../../../message/read-parts.ts";
import { readValue, unwrapped } from "../../../message/stored-value.ts";
import { cutPayloads, fillPayloads } from "../../../store/payloads.ts";
import type { NewMessage } from "../../../store/store.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { referenceOf } from "../../../text/file-reference.ts";
import { decodeExactly, encodeUtf8 } from "../../../text/utf8.ts";
import type { MessageFormat } from "../../../types.ts";
import { describePlainly } from "../explore/describe-plainly.ts";
import { type ExternaliseOptions, externalisePayloads } from "../externalise-payloads.ts";

export const SETTINGS = { largeFileTokenThreshold: 1_000, toolOutputStubBytes: 1_000 };

export function useWith(more: Partial<ExternaliseOptions> = {}): ExternaliseOptions {
  let drawn = 0;
  return {
    settings: SETTINGS,
    countTokens: estimateTokens,
    random: (size) => new Uint8Array(size).fill(++drawn),
    explorer: { describe: async (content) => describePlainly(content) },
    findCall: () => null,
    ...more,
  };
}

export function messageFrom(content: string | Uint8Array, format: MessageFormat = "message"): NewMessage {
  const { role, parts } = readMessage(unwrapped(format, readValue(format, content)), "lenient");
  return {
    ...{ key: "k", role, format, content, createdAt: "2026-03-01T10:00:00.000Z", salt: "00", excluded: null },
    ...{ tokenCount: countPartTokens(parts, estimateTokens), stubTokenCount: null, files: [] },
    parts: indexParts(parts),
  };
}

export function externaliseText(
  content: string | Uint8Array,
  more: Partial<ExternaliseOptions> = {},
  format: MessageFormat = "message",
): Promise<NewMessage> {
  return externalisePayloads(messageFrom(content, format), {}, useWith(more));
}

export function externaliseValue(value: object, more: Partial<ExternaliseOptions> = {}): Promise<NewMessage> {
  const { format, text } = encodeOriginal(value);
  return externalisePayloads(messageFrom(text, format), { value }, useWith(more));
}

/** The externalised content as text. */
export function payloadTexts({ content, files }: NewMessage): string[] {
  return cutPayloads(bytesOf(content), files).contents.map((payload) =>
    Buffer.from(payload ?? []).toString(),
  );
}

/** The original, with its payloads cut out and restored. */
export function putTogether({ content, files }: NewMessage): Uint8Array {
  const { rest, contents } = cutPayloads(bytesOf(content), files);
  return fillPayloads(
    rest,
    files,
    contents.map((payload) => ({ payload: payload ?? new Uint8Array() })),
  );
}

/** The value with references instead of all payloads. */
export function withReferences({ content, files, format }: NewMessage): unknown {
  const { rest, contents } = cutPayloads(bytesOf(content), files);
  const references = files.map((file, index) => ({
    reference: referenceOf({ ...file, bytes: contents[index]?.length ?? 0 }),
  }));
  const bytes = fillPayloads(rest, files, references);
  return readValue(format, decodeExactly(bytes) ?? bytes);
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? encodeUtf8(content) : content;
}

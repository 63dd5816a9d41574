/** The row of a message as the import of its line made it, without what is on record beside the line. */
import { isPalimpsestError } from "../../errors.ts";
import { transcriptFormat } from "../../message/hosts/formats.ts";
import { countPartTokens, indexParts } from "../../message/read-parts.ts";
import { everyRow } from "../../store/every-row.ts";
import type { StoredFile } from "../../store/file-store.ts";
import { cutPayloads } from "../../store/payloads.ts";
import type { RestoredRow, ScopedStore } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { referenceOf } from "../../text/file-reference.ts";
import type { MessageFormat } from "../../types.ts";
import { tokensWithFiles } from "../files/tokens-with-files.ts";
import { readEntryLine } from "../ingest/transcripts/read-entry-line.ts";

/** Null for a line that is not a message. */
type ToRow = (seq: number, bytes: Uint8Array, keys: readonly string[]) => RestoredRow | null;

export async function rowReader(
  scoped: ScopedStore,
  conversation: string,
  formatName: MessageFormat,
  countTokens: CountTokens,
): Promise<ToRow> {
  const format = transcriptFormat(formatName);
  const files = await filesBySeq(scoped, conversation);
  return (seq, bytes, keys) => {
    const shape = format === undefined ? null : readEntryLine(format, bytes, true).shape;
    if (shape === null) return null;
    const { role, parts } = shape;
    const message = { format: formatName, tokenCount: countPartTokens(parts, countTokens) };
    const tokens = withFiles(message, bytes, files.get(seq) ?? [], countTokens);
    return { role, format: formatName, parts: indexParts(parts), keys, ...tokens };
  };
}

async function filesBySeq(scoped: ScopedStore, conversation: string): Promise<Map<number, StoredFile[]>> {
  const files: StoredFile[] = [];
  const page = (from: number) => scoped.files({ conversation, ...(from === 0 ? {} : { from }) });
  for await (const file of everyRow(page)) if (file.places.length > 0) files.push(file);
  return Map.groupBy(
    files.toSorted((a, b) => a.ordinal - b.ordinal),
    ({ seq }) => seq,
  );
}

function withFiles(
  message: Parameters<typeof tokensWithFiles>[0],
  original: Uint8Array,
  files: readonly StoredFile[],
  countTokens: CountTokens,
): Pick<RestoredRow, "tokenCount" | "stubTokenCount"> {
  const shown = files.map((file) => ({ ...file, reference: referenceOf(file) }));
  try {
    return tokensWithFiles(message, cutPayloads(original, shown), shown, countTokens);
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    // Its files do not lie in it as their rows say: it is kept whole then.
    return { tokenCount: message.tokenCount, stubTokenCount: null };
  }
}

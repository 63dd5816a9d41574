/** Payloads that were cut out of messages: attached files and long results of tools. */
import { writePlaces } from "../file-row.ts";
import type { DatedFile, ModelDescription } from "../file-store.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Port } from "../port.ts";
import { sealDescription, sealFile } from "../seal.ts";
import { type Dialect, statement } from "../statement.ts";
import { ORDINAL_GAP } from "../store.ts";
import { END } from "./pages.ts";

export interface FileOfMessage {
  readonly seq: number;
  readonly ordinal: number;
  readonly file: DatedFile;
  /** SHA-256 of the content, which is already stored. */
  readonly content: string;
}

const INSERT = insertInto("large_files", {
  agent: "agent",
  seq: "bigint",
  ordinal: "integer",
  file_id: "text",
  kind: "text",
  file_name: "shown",
  mime_type: "shown",
  tool_name: "shown",
  exploration_summary: "shown",
  origin: "text",
  content_hash: "hash",
  writing: "text",
  places: "text",
  created_at: "time",
  model_summary: "shown",
  model: "shown",
  model_summary_at: "time",
  file_seal: "hash",
  described_seal: "hash",
});

/** Inserted before the messages themselves, which refer to them. */
export function insertFiles(held: HeldConversation, files: readonly FileOfMessage[]): void {
  held.insert(
    INSERT,
    files.map(({ seq, ordinal, file, content }) => ({
      file_seal: sealFile(asStored(held.port, file)),
      described_seal: sealDescription(describedAsStored(held.port, file.described ?? null)),
      agent: held.scope.agent,
      seq,
      ordinal,
      file_id: file.id,
      kind: file.kind,
      file_name: file.name,
      mime_type: file.mime,
      tool_name: file.tool,
      exploration_summary: file.description,
      origin: file.origin,
      content_hash: content,
      writing: file.writing,
      places: writePlaces(file.places),
      created_at: file.createdAt,
      model_summary: file.described?.text ?? null,
      model: file.described?.model ?? null,
      model_summary_at: file.described?.at ?? null,
    })),
  );
}

/** With texts in the form that the engine stores: seals must match what is read. */
function asStored(port: Port, file: DatedFile): DatedFile {
  return {
    ...file,
    name: port.shown(file.name),
    mime: port.shown(file.mime),
    tool: port.shown(file.tool),
    description: port.shown(file.description),
  };
}

function describedAsStored(port: Port, described: ModelDescription | null): ModelDescription | null {
  if (described === null) return null;
  return { ...described, text: port.shown(described.text), model: port.shown(described.model) };
}

const DROP = statement(
  (
    d,
  ) => `DELETE FROM large_files WHERE ${d.conversation("large_files")} AND ${d.isListed("seq", "$3", "bigint")}
    RETURNING ${d.hex("content_hash")} AS hash`,
);
const DROP_RANGE = statement(
  (d) => `DELETE FROM large_files WHERE ${d.conversation("large_files")} AND seq BETWEEN $3 AND $4
    RETURNING ${d.hex("content_hash")} AS hash`,
);

/** Deletes the files of the messages, with contents that nothing else refers to. The messages no longer refer to them. */
export async function dropFiles(held: HeldConversation, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await dropContents(held, await held.rows<{ hash: string }>(DROP, seqs));
}

/** The same for a conversation whose messages are deleted. */
export async function dropAllFiles(held: HeldConversation): Promise<void> {
  await dropContents(held, await held.rows<{ hash: string }>(DROP_RANGE, 0, END));
}

function dropContents(held: HeldConversation, rows: readonly { readonly hash: string }[]): Promise<void> {
  return held.port.contents.dropUnreferenced(
    held.scope,
    rows.map(({ hash }) => hash),
  );
}

/** Stores a model's description, unless the file has one or its message was summarised. */
const describe = (condition: (d: Dialect) => string) =>
  statement(
    (d) => `UPDATE large_files SET model_summary = $4, model = $5, model_summary_at = $6, described_seal = $7
      WHERE ${d.conversation("large_files")} AND file_id = $3 AND model_summary IS NULL
        AND NOT EXISTS (SELECT 1 FROM summary_messages s WHERE ${d.conversation("s")} AND s.seq = large_files.seq)
        AND ${condition(d)}
      RETURNING seq`,
  );

const DESCRIBE = describe(() => "true");
const DESCRIBE_SHOWN = describe(
  (d) => `EXISTS (SELECT 1 FROM context_items c WHERE ${d.conversation("c")}
    AND c.ordinal = large_files.seq * ${ORDINAL_GAP} AND c.item_type = 'message')`,
);

/**
 * Returns the seq of the file's message; undefined if the file does not exist, is already described, or its message was
 * summarised, or, if required, is not shown as itself.
 */
export async function describeFile(
  held: HeldConversation,
  file: string,
  { text, model, at }: ModelDescription,
  { mustBeShown }: { readonly mustBeShown: boolean },
): Promise<number | undefined> {
  const words = [held.port.shown(text), held.port.shown(model), at];
  const seal = sealDescription(describedAsStored(held.port, { text, model, at })) ?? "";
  const row = await held.one<{ seq: number }>(
    mustBeShown ? DESCRIBE_SHOWN : DESCRIBE,
    file,
    ...words,
    Buffer.from(seal, "hex"),
  );
  return row?.seq;
}

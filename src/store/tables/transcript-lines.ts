/** Every line of every transcript. The bytes of a message line are the message's own; other lines store theirs here. */
import { encodeContent } from "../content-encoding.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation } from "../port.ts";
import { sealedTable } from "../sealed-table.ts";
import { type Dialect, statement } from "../statement.ts";
import type { EraseWrite, LineOrigin, StoredTranscriptLine } from "../store.ts";

const COLUMNS = {
  transcript: "integer",
  line: "bigint",
  kind: "text",
  seq: "message",
  entry_key: "shown",
  parent_key: "shown",
  response: "shown",
  lane: "text",
  line_hash: "hash",
  problem: "shown",
  message_salt: "hash",
  message_time: "time",
  encoding: "text",
  content: "content",
  content_size: "size",
} as const;

const FORMER_COLUMNS = {
  kind: "text",
  seq: "message",
  entry_key: "shown",
  parent_key: "shown",
  response: "shown",
  lane: "text",
  problem: "shown",
} as const;
const KEY = { transcript: 0, line: -1 };

/** The columns that no hash of a line covers. */
export const SEALED_LINES = sealedTable(
  "transcript_lines",
  { ...FORMER_COLUMNS, message_salt: "hash", message_time: "time" },
  "conversation",
  KEY,
);

/** The same before lines had the salt and the time of their messages. */
export const FORMER_LINES = sealedTable("transcript_lines", FORMER_COLUMNS, "conversation", KEY);

const replace = (
  d: Dialect,
) => `ON CONFLICT (${d.ownerColumns}, transcript, line) DO UPDATE SET kind = excluded.kind,
    ${d.messageColumn} = excluded.${d.messageColumn}, entry_key = excluded.entry_key, parent_key = excluded.parent_key,
    response = excluded.response, lane = excluded.lane, line_hash = excluded.line_hash, problem = excluded.problem,
    message_salt = excluded.message_salt, message_time = excluded.message_time, encoding = excluded.encoding, content = excluded.content, seal = excluded.seal ${d.takeSize}`;

const WRITE = insertInto("transcript_lines", COLUMNS, { sealed: SEALED_LINES, onConflict: replace });
const ADD = insertInto("transcript_lines", COLUMNS, {
  sealed: SEALED_LINES,
  onConflict: (d) => `${replace(d)} WHERE transcript_lines.kind = 'torn'`,
});

/** Writes lines, replacing known lines with the same numbers. */
export function writeLines(held: HeldConversation, lines: readonly StoredTranscriptLine[]): void {
  held.insert(WRITE, lines.map(toRow));
}

/** For loading: a known line stays unchanged, unless it was torn when it was read. */
export function addLines(held: HeldConversation, lines: readonly StoredTranscriptLine[]): void {
  held.insert(ADD, lines.map(toRow));
}

function toRow({ transcript, line, kind, seq, content, ...rest }: StoredTranscriptLine) {
  const encoded = content === null ? { encoding: null, stored: null } : encodeContent(content);
  return {
    transcript,
    line,
    kind,
    seq,
    entry_key: rest.entryKey,
    parent_key: rest.parentKey,
    response: rest.response,
    lane: rest.lane,
    line_hash: rest.hash,
    problem: rest.problem,
    message_salt: rest.origin?.salt ?? null,
    message_time: rest.origin?.createdAt ?? null,
    encoding: encoded.encoding,
    content: encoded.stored,
    content_size: content === null ? 0 : Buffer.byteLength(content),
  };
}

/** Both must be present: otherwise the message cannot be restored from the line. */
export function toOrigin(salt: string | null, createdAt: string | null): LineOrigin | null {
  return salt === null || createdAt === null ? null : { salt, createdAt };
}

const FIND_ORIGIN = statement(
  (d) => `SELECT ${d.hex("l.message_salt")} AS salt, l.message_time AS "createdAt" FROM transcript_lines l
    WHERE ${d.conversation("l")} AND ${d.seq("l")} = $3 AND l.line_hash = $4 AND l.message_salt IS NOT NULL LIMIT 1`,
);

/** For the message with this seq, from its line with this hash. Undefined once it is erased. */
export function findOrigin(
  held: HeldConversation,
  seq: number,
  lineHash: string,
): Promise<LineOrigin | undefined> {
  return held.one<LineOrigin>(FIND_ORIGIN, seq, Buffer.from(lineHash, "hex"));
}

/** The lines listed, by pairs of transcript and line number in $3 and $4. */
const listed = (d: Dialect) => `EXISTS (SELECT 1 FROM ${d.list("$3", "bigint", "wanted")}
  JOIN ${d.list("$4", "bigint", "number")} ON number.key = wanted.key
  WHERE wanted.value = transcript_lines.transcript AND number.value = transcript_lines.line)`;

const ERASE = statement(
  (
    d,
  ) => `UPDATE transcript_lines SET kind = 'erased', content = NULL, encoding = NULL, problem = NULL, seal = NULL ${d.withoutSize}
    WHERE ${d.conversation("transcript_lines")} AND ${listed(d)} AND kind <> 'message'`,
);

/** Erases the bytes of lines permanently. Returns how many had some. */
export async function eraseLines(held: HeldConversation, lines: EraseWrite["lines"]): Promise<number> {
  if (lines.length === 0) return 0;
  const values = [lines.map(({ transcript }) => transcript), lines.map(({ line }) => line)] as const;
  for (const forget of FORGET_LISTED) held.send(forget, ...values);
  return held.run(ERASE, ...values);
}

/**
 * A short text can be guessed from its hash, so the hash is erased with the line, and so are the salt of its message and the
 * hash of the files that contain it.
 */
function forgetHashes(which: (d: Dialect) => string) {
  return [
    statement(
      (d) => `UPDATE conversation_bootstrap_state SET last_processed_entry_hash = NULL, seal = NULL
        WHERE ${d.conversation("conversation_bootstrap_state")} AND EXISTS
          (SELECT 1 FROM transcript_lines WHERE ${d.conversation("transcript_lines")} AND ${which(d)})`,
    ),
    statement(
      (
        d,
      ) => `UPDATE transcript_lines SET line_hash = NULL, message_salt = NULL, message_time = NULL, seal = NULL
        WHERE ${d.conversation("transcript_lines")} AND ${which(d)}`,
    ),
  ];
}

const FORGET_LISTED = forgetHashes(listed);
const FORGET_OF_MESSAGES = forgetHashes((d) => d.isListed(d.seq("transcript_lines"), "$3", "bigint"));

/** For the lines of these messages. */
export function forgetLineHashes(held: HeldConversation, seqs: readonly number[]): void {
  for (const forget of FORGET_OF_MESSAGES) held.send(forget, seqs);
}

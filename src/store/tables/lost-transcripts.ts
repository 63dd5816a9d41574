/**
 * Versions of transcripts whose row is lost while their lines exist, reconstructed from the lines. The path and the offset up
 * to which the file was read are lost: the next import compares the whole file and creates a new version.
 */
import type { MessageFormat, Scope } from "../../types.ts";
import type { Reader } from "../port.ts";
import { CONVERSATION_ID, statement } from "../statement.ts";
import type { Transcript } from "../store.ts";
import { readTranscripts } from "./transcripts.ts";

type LostRow = {
  transcript: number;
  first: number;
  last: number;
  torn: number;
  format: MessageFormat | null;
  updatedAt: string;
};

const READ = statement(
  (d) => `SELECT l.transcript, min(l.line) AS first, max(l.line) AS last,
      count(CASE WHEN l.kind = 'torn' THEN 1 END) AS torn, min(m.format) AS format, c.updated_at AS "updatedAt"
    FROM conversations c JOIN transcript_lines l ON ${d.conversation("l", "c.conversation_id")}
    LEFT JOIN messages m ON ${d.sameMessage("m", "l")}
    WHERE c.tenant = $1 AND c.conversation_id = ${CONVERSATION_ID} AND NOT EXISTS (SELECT 1 FROM conversation_bootstrap_state s
      WHERE ${d.conversation("s", "c.conversation_id")} AND s.transcript = l.transcript)
    GROUP BY l.transcript, c.updated_at ORDER BY l.transcript`,
);

export async function readLostTranscripts(
  reader: Reader,
  scope: Scope,
  conversation: string,
): Promise<Transcript[]> {
  const rows = await reader.rows<LostRow>(READ, scope.tenant, scope.agent, conversation);
  if (rows.length === 0) return [];
  const known = await readTranscripts(reader, scope, conversation);
  const numbers = [...known.map(({ number }) => number), ...rows.map(({ transcript }) => transcript)];
  return rows.map((row) => ({
    conversation,
    ...fromLines(row, numbers),
    format: row.format ?? known.at(-1)?.format ?? "neutral",
    updatedAt: row.updatedAt,
  }));
}

function fromLines(
  { transcript, first, last, torn }: LostRow,
  numbers: readonly number[],
): Omit<Transcript, "conversation" | "format" | "updatedAt"> {
  const before = numbers.filter((number) => number < transcript);
  return {
    number: transcript,
    // No path of a file starts like this.
    path: `lost:transcript ${transcript}`,
    previous: first === 0 || before.length === 0 ? null : Math.max(...before),
    sharedLines: first,
    lineCount: last + 1,
    offset: 0,
    // A torn line is the last one, and has no line feed.
    size: torn,
    modifiedAtMs: 0,
    readHash: null,
    lastLineBytes: 0,
    readerVersion: 0,
  };
}

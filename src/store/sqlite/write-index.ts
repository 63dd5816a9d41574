/** Changing the search index: a segment comes, those it was merged from go, and so does what an erasure touches. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { DocumentKind, IndexWrite, NewSegment } from "../search-store.ts";
import { findConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { advance, removeSegment } from "./drop-segments.ts";
import { rowIdRange } from "./rows.ts";

export function writeIndex(database: Database, scope: Scope, write: IndexWrite): number | null {
  for (const segment of write.replaces) requireSegment(database, scope, segment);
  // The pages and the runs of what is replaced make room first: the new runs are the same documents.
  for (const segment of write.replaces) removeSegment(database, segment);
  if (write.segment === null) return null;
  return insertSegment(database, scope, write.segment);
}

function requireSegment(database: Database, scope: Scope, segment: number): void {
  const found = database.one(
    "SELECT 1 FROM search_segments WHERE segment_id = ? AND tenant = ? AND agent = ?",
    segment,
    scope.tenant,
    scope.agent,
  );
  if (found === undefined) throw overtaken(`segment ${segment} is not there any more`);
}

function insertSegment(database: Database, scope: Scope, segment: NewSegment): number {
  const id = database.insert(
    `INSERT INTO search_segments (tenant, agent, documents, words, earliest, latest, columns)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    scope.tenant,
    scope.agent,
    segment.documents,
    segment.words,
    segment.earliest,
    segment.latest,
    segment.columns,
  );
  segment.runs.forEach((run, place) => {
    insertRun(database, scope, id, run, place);
  });
  for (const { firstTerm, page } of segment.pages)
    database.run("INSERT INTO search_pages VALUES (?, ?, ?)", id, firstTerm, page);
  return id;
}

function insertRun(
  database: Database,
  scope: Scope,
  segment: number,
  { conversation, kind, first, last, erased }: NewSegment["runs"][number],
  place: number,
): void {
  const id = findConversation(database, scope, { id: conversation })?.conversation_id;
  if (id === undefined) throw overtaken("a conversation was deleted meanwhile");
  const taken = database.one(
    "SELECT 1 FROM search_runs WHERE conversation_id = ? AND kind = ? AND first <= ? AND last >= ? LIMIT 1",
    id,
    kind,
    last,
    first,
  );
  if (taken !== undefined) throw overtaken("another process has indexed this");
  if (erased !== undefined && countErased(database, id, kind, first, last) !== erased)
    throw overtaken("something was erased meanwhile");
  database.run("INSERT INTO search_runs VALUES (?, ?, ?, ?, ?, ?)", id, kind, first, last, segment, place);
  advance(database, id);
}

function countErased(
  database: Database,
  conversationId: number,
  kind: DocumentKind,
  first: number,
  last: number,
): number {
  const counted =
    kind === "message"
      ? database.one<{ count: number }>(
          `SELECT count(*) AS count FROM context_exclusions
           WHERE reason = 'erased' AND message_id BETWEEN ? AND ?`,
          ...rowIdRange(conversationId, first, last),
        )
      : database.one<{ count: number }>(
          `SELECT count(*) AS count FROM summaries
           WHERE encoding = 'erased' AND conversation_id = ? AND summary_number BETWEEN ? AND ?`,
          conversationId,
          first,
          last,
        );
  return counted?.count ?? 0;
}

function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `the search index has moved on: ${why}`, {
    advice: "Try again; nothing was written.",
  });
}

/**
 * The calls that the store makes to its threads: a name, arguments and an answer, all of them plain data. Runs in the thread;
 * every read looks up its conversation inside the scope first.
 */
import { statSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { MOST_FILE_BYTES, type StoredFile } from "../file-store.ts";
import type { DescendQuery } from "../lineage.ts";
import { SCHEMA_VERSION } from "../migrations.ts";
import type { Reader } from "../port.ts";
import { brokenSeals } from "../reads/broken-seals.ts";
import { readContextShape } from "../reads/context-shape.ts";
import { descend } from "../reads/descend.ts";
import { findFile, listFiles, readFileMarks } from "../reads/files.ts";
import { readIdsBeginning } from "../reads/ids-beginning.ts";
import { readDescribedSummary, readLineage, readSimilarIds, readSources } from "../reads/lineage.ts";
import { missingErasures } from "../reads/missing-rows.ts";
import { findSummary, readOutlines, readSummaries } from "../reads/summaries.ts";
import {
  type Address,
  type EngineCheckOptions,
  type MessageQuery,
  type RangeQuery,
  READ_ONLY,
  type StoreCounts,
  type StoredMessage,
  type StoredSummary,
  type StoreInfo,
  type TranscriptLineQuery,
} from "../store.ts";
import { readReceipts } from "../tables/assembly-receipts.ts";
import { readAudit, readAuditMarks } from "../tables/audit-log.ts";
import { readEvents } from "../tables/compaction-events.ts";
import { readContextItems } from "../tables/context-items.ts";
import { findConversation, listConversations, toConversation } from "../tables/conversations.ts";
import { uncleanedSince } from "../tables/erasure-cleanups.ts";
import { readLostTranscripts } from "../tables/lost-transcripts.ts";
import { findConversationsWith } from "../tables/messages.ts";
import { countMissingSummaries } from "../tables/summaries.ts";
import { readTranscripts, readTranscriptsAt } from "../tables/transcripts.ts";
import { readTurns } from "../tables/turns.ts";
import { readContent, readLineFeeds } from "./contents/file-contents.ts";
import { readWindow } from "./context-window.ts";
import { conversationIdOf } from "./conversations.ts";
import type { Database, DatabaseOptions } from "./database.ts";
import { conversationIds, readTexts } from "./document-texts.ts";
import { MEMORY_READS } from "./memory-calls.ts";
import { readMessages } from "./messages.ts";
import { readOriginals } from "./originals.ts";
import { unpack } from "./packed-page.ts";
import { schemaProblems } from "./schema-problems.ts";
import { readDocuments, readIndex, readPages, readSegmentDocuments } from "./search-segments.ts";
import { portOf } from "./sqlite-port.ts";
import { readLinesOf } from "./transcript-lines.ts";
import {
  readMessageVectorCounts,
  readMessageVectors,
  readNearestMessages,
  readUnembedded,
} from "./vectors/message-vectors.ts";

export const READS = {
  conversation: async (db: Database, scope: Scope, address: Address) => {
    const row = await findConversation(portOf(db), scope, address);
    return row === undefined ? undefined : toConversation(row);
  },
  conversations: shared(listConversations),
  messages: (db: Database, scope: Scope, conversation: string, query: MessageQuery) =>
    inConversation(db, scope, conversation, (id) => readMessages(db, id, query)),
  originals: (db: Database, scope: Scope, conversation: string, query: RangeQuery) =>
    inConversation(db, scope, conversation, (id) => readOriginals(db, id, query)),
  contextItems: shared(readContextItems),
  contextShape: shared(readContextShape),
  contextWindow: readWindow,
  summary: shared(findSummary),
  summaries: shared(readSummaries),
  summaryOutlines: shared(readOutlines),
  lineage: shared(readLineage),
  describeSummary: shared(readDescribedSummary),
  descend: (db: Database, scope: Scope, query: DescendQuery) => {
    const idOf = conversationIds(db, scope);
    const messages = async (conversation: string, page: MessageQuery) => {
      const found = readMessages(db, idOf(conversation) ?? 0, page);
      return { rows: [...unpack<StoredMessage>(found)], next: found.next };
    };
    const port = portOf(db);
    const sources = (summary: StoredSummary) => readSources(port, scope, summary);
    return descend({ summary: (id) => findSummary(port, scope, id), messages, sources }, query);
  },
  missingSummaries: shared(countMissingSummaries),
  similarSummaryIds: shared(readSimilarIds),
  idsBeginning: shared(readIdsBeginning),
  turns: shared(readTurns),
  receipts: shared(readReceipts),
  compactionEvents: shared(readEvents),
  transcripts: shared(readTranscripts),
  lostTranscripts: shared(readLostTranscripts),
  transcriptsAt: shared(readTranscriptsAt),
  conversationsWith: shared(findConversationsWith),
  transcriptLines: (db: Database, scope: Scope, conversation: string, query: TranscriptLineQuery) =>
    inConversation(db, scope, conversation, (id) => readLinesOf(db, id, query)),
  searchIndex: readIndex,
  segmentDocuments: readSegmentDocuments,
  searchPages: readPages,
  documents: readDocuments,
  texts: readTexts,
  nearestMessages: readNearestMessages,
  messageVectors: readMessageVectors,
  unembedded: readUnembedded,
  messageVectorCounts: readMessageVectorCounts,
  file: shared(findFile),
  files: shared(listFiles),
  fileMarks: shared(readFileMarks),
  fileLines: (db: Database, scope: Scope, id: string) =>
    ofFile(db, scope, id, ({ content }) => readLineFeeds(db, content)),
  fileBytes: (db: Database, scope: Scope, id: string, start: number, end: number) =>
    ofFile(db, scope, id, ({ content }) =>
      readContent(db, content, start, Math.min(end, start + MOST_FILE_BYTES)),
    ),
  auditLog: shared(readAudit),
  auditMarks: shared(readAuditMarks),
  uncleanedSince: shared(uncleanedSince),
  ...MEMORY_READS,
};

/** A read that is the same on both engines. */
function shared<Values extends readonly unknown[], Result>(
  read: (reader: Reader, scope: Scope, ...values: Values) => Promise<Result>,
): (db: Database, scope: Scope, ...values: Values) => Promise<Result> {
  return (db, scope, ...values) => read(portOf(db), scope, ...values);
}

async function ofFile<Result>(
  database: Database,
  scope: Scope,
  id: string,
  read: (file: StoredFile) => Result,
): Promise<Result | undefined> {
  const file = await findFile(portOf(database), scope, id);
  return file === undefined ? undefined : read(file);
}

/** Runs a read on the conversation, or returns undefined if the scope has no such conversation. */
function inConversation<Result>(
  database: Database,
  scope: Scope,
  conversation: string,
  read: (conversationId: number) => Result,
): Result | undefined {
  const id = conversationIdOf(database, scope, conversation);
  return id === 0 ? undefined : read(id);
}

export function readScopes(database: Database): Scope[] {
  return database.all<{ tenant: string; agent: string }>(
    `SELECT tenant, agent FROM conversations UNION SELECT tenant, agent FROM audit_log ORDER BY tenant, agent`,
  );
}

export function readTenants(database: Database): string[] {
  return database
    .all<{ tenant: string }>(
      `SELECT tenant FROM conversations UNION SELECT tenant FROM audit_log
       UNION SELECT tenant FROM memory_scopes s WHERE EXISTS (SELECT 1 FROM memories m WHERE m.scope_id = s.scope_id)
       ORDER BY tenant`,
    )
    .map(({ tenant }) => tenant);
}

export function readInfo(database: Database, { file, isFrozen }: DatabaseOptions): StoreInfo {
  const counts = database.one<StoreCounts>(
    `SELECT count(*) AS conversations, coalesce(sum(last_seq), 0) AS messages,
       coalesce(sum(token_count), 0) AS tokens, coalesce(sum(context_tokens), 0) AS contextTokens,
       (SELECT count(*) FROM summaries) AS summaries, (SELECT count(*) FROM memories) AS memories,
       (SELECT count(*) FROM vector_models o JOIN vectors USING (model_id) WHERE o.owners = 'messages') AS messageVectors,
       (SELECT count(*) FROM transcript_lines WHERE kind IN ('unreadable', 'torn')) AS unreadableLines
     FROM conversations`,
  );
  if (counts === undefined) throw new Error("counting gave no row");
  return {
    engine: "sqlite",
    location: file,
    engineVersion: String(database.one("SELECT sqlite_version() AS version")?.version),
    schemaVersion: SCHEMA_VERSION,
    bytesOnDisk:
      [file, `${file}-wal`].reduce((sum, path) => sum + sizeOf(path), 0) +
      database.contents.list().reduce((sum, { bytes }) => sum + bytes, 0),
    ...counts,
    durability: isFrozen === true ? READ_ONLY : readDurability(database),
  };
}

const SYNCHRONOUS = ["off", "normal", "full", "extra"];

function readDurability(database: Database): Record<string, string> {
  const synchronous = Number(database.one("PRAGMA synchronous")?.synchronous);
  return {
    journal_mode: String(database.one("PRAGMA journal_mode")?.journal_mode),
    synchronous: SYNCHRONOUS[synchronous] ?? String(synchronous),
    foreign_keys: database.one("PRAGMA foreign_keys")?.foreign_keys === 1 ? "on" : "off",
    secure_delete: database.one("PRAGMA secure_delete")?.secure_delete === 1 ? "on" : "off",
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Missing targets of these are found by `missingSummaries`, for each conversation, and can be repaired. */
const SUMMARY_LINKS = new Set(["summary_messages", "summary_parents"]);

/** `quick` reads every page, but does not check indexes and links between tables. */
export async function checkDatabase(
  database: Database,
  { quick = false, structureOnly = false, erasuresOnly = false }: EngineCheckOptions,
): Promise<string[]> {
  if (structureOnly) return structuralProblems(database);
  if (erasuresOnly) return missingErasures(portOf(database));
  try {
    const problems = database
      .all<{ problem: string }>(
        quick
          ? "SELECT quick_check AS problem FROM pragma_quick_check"
          : "SELECT integrity_check AS problem FROM pragma_integrity_check",
      )
      .map((row) => row.problem)
      .filter((line) => line !== "ok");
    problems.push(...schemaProblems(database));
    if (quick) return problems;
    const orphans = database
      .all<{ table: string; rowid: number }>("PRAGMA foreign_key_check")
      .filter(({ table }) => !SUMMARY_LINKS.has(table));
    return [
      ...problems,
      ...orphans.map((row) => `${row.table} row ${row.rowid} points to a missing row`),
      ...(await brokenSeals(portOf(database))),
    ];
  } catch (error) {
    database.forgetStatements();
    return [messageOf(error)];
  }
}

/** Problems of row values that violate a constraint. The tree that contains the row is intact. */
const ABOUT_VALUES =
  /constraint failed in|NULL value in|non-\w+ value in|(TEXT|BLOB|INTEGER|REAL|NUMERIC) value in/;

/** Problems of the file's pages and indexes, but not of row values. */
export function structuralProblems(database: Database): string[] {
  try {
    const found = database
      .all<{ problem: string }>("SELECT integrity_check AS problem FROM pragma_integrity_check")
      .map((row) => row.problem)
      .filter((line) => line !== "ok" && !ABOUT_VALUES.test(line));
    return [...schemaProblems(database), ...found];
  } catch (error) {
    database.forgetStatements();
    return [messageOf(error)];
  }
}

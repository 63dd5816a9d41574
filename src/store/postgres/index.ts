/** The shared store: one schema in a PostgreSQL database, used by any number of processes and machines. */
import type { Scope } from "../../types.ts";
import type { GarbageReport } from "../file-store.ts";
import { type LineageOf, unpackDescription, unpackLineage } from "../lineage.ts";
import type { MemoryAccess, MemoryStore } from "../memory-store.ts";
import { readContextShape } from "../reads/context-shape.ts";
import { descend } from "../reads/descend.ts";
import { findFile, listFiles, readFileMarks } from "../reads/files.ts";
import { readIdsBeginning } from "../reads/ids-beginning.ts";
import { readDescribedSummary, readLineage, readSimilarIds, readSources } from "../reads/lineage.ts";
import { missingErasures } from "../reads/missing-rows.ts";
import { findSummary, readOutlines, readSummaries } from "../reads/summaries.ts";
import type {
  Address,
  DumpOptions,
  DumpRow,
  EngineCheckOptions,
  LoadOptions,
  LoadReport,
  ScopedStore,
  Store,
  StoreInfo,
} from "../store.ts";
import { requireNode } from "../supported-node.ts";
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
import { addressOf } from "../writes/run-write.ts";
import { runWrites } from "./commit.ts";
import { Connections } from "./connections.ts";
import { readWindow } from "./context-window.ts";
import { readTexts } from "./document-texts.ts";
import { collectGarbage } from "./drop-contents.ts";
import { dumpRows } from "./dump.ts";
import { exclusively } from "./exclusively.ts";
import { loadRows } from "./load.ts";
import { checkEngine, compactFiles } from "./maintenance.ts";
import { HeldSigns } from "./memory/held-signs.ts";
import { memoryStore } from "./memory/memory-store.ts";
import { readMessages, readOriginals } from "./messages.ts";
import { beginKnown, migrate } from "./migrate.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { fromPostgres } from "./postgres-errors.ts";
import { readPostgresUrl } from "./postgres-url.ts";
import { putContent } from "./put-content.ts";
import { readFileBytes, readFileLines } from "./read-contents.ts";
import { readDocuments, readIndex, readPages, readSegmentDocuments } from "./search-segments.ts";
import type { Session } from "./session.ts";
import { readInfo, readScopes, readTenants } from "./store-info.ts";
import { readLines } from "./transcript-lines.ts";
import { nearestMessages } from "./vectors/nearest-messages.ts";
import { countMessageVectors, readMessageVectors, readUnembedded } from "./vectors/read-message-vectors.ts";
import { VectorIndexes } from "./vectors/vector-indexes.ts";

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with `?schema=name` for a schema other than `palimpsest`. */
  readonly url: string;
  /** Fail if the schema contains no store instead of creating one. Default false. */
  readonly mustExist?: boolean;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  requireNode();
  const target = readPostgresUrl(options.url);
  const connections = new Connections(target);
  try {
    await migrate(connections, target.schema, options);
    connections.beginWritingWith((transaction) => beginKnown(transaction, target.location));
  } catch (error) {
    await connections.close();
    throw error;
  }
  return new PostgresStore(connections);
}

class PostgresStore implements Store {
  readonly engine = "postgres";
  readonly #connections: Connections;
  readonly #queue = new OneAtATime();
  readonly #indexes: VectorIndexes;
  readonly #signs: HeldSigns;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#indexes = new VectorIndexes(connections);
    this.#signs = new HeldSigns(connections);
  }

  scoped(scope: Scope): ScopedStore {
    return scopedStore(scope, this.#connections, this.#queue, this.#indexes);
  }

  memoriesOf(access: MemoryAccess): MemoryStore {
    const near = { indexes: this.#indexes, signs: this.#signs };
    return memoryStore(access, this.#connections, this.#queue, near);
  }

  scopes(): Promise<readonly Scope[]> {
    return this.#connections.read(readScopes);
  }

  tenants(): Promise<readonly string[]> {
    return this.#connections.read(readTenants);
  }

  info(): Promise<StoreInfo> {
    return this.#connections.read((session) => readInfo(session, this.#connections.location));
  }

  async checkEngine({
    structureOnly = false,
    erasuresOnly = false,
  }: EngineCheckOptions = {}): Promise<readonly string[]> {
    if (structureOnly) return [];
    if (erasuresOnly) return this.#connections.read(missingErasures);
    return this.#connections.alone(checkEngine);
  }

  async *dump({ withDamaged = false }: DumpOptions = {}): AsyncIterable<DumpRow> {
    const client = await this.#connections.connectAlone();
    try {
      yield* dumpRows(client, withDamaged);
    } catch (error) {
      throw fromPostgres(error, this.#connections.location);
    } finally {
      await client.end();
    }
  }

  load(rows: AsyncIterable<DumpRow>, options: LoadOptions): Promise<LoadReport> {
    const { location } = this.#connections;
    return this.#connections.alone((client) => loadRows(client, location, rows, options));
  }

  compactFiles(): Promise<void> {
    return this.#connections.alone(compactFiles);
  }

  collectGarbage({ dryRun }: { readonly dryRun: boolean }): Promise<GarbageReport> {
    return collectGarbage(this.#connections, dryRun);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

function scopedStore(
  { tenant, agent }: Scope,
  connections: Connections,
  queue: OneAtATime,
  indexes: VectorIndexes,
): ScopedStore {
  const scope = { tenant, agent };
  const inScope =
    <Values extends readonly unknown[], Result>(
      read: (session: Session, scope: Scope, ...values: Values) => Promise<Result>,
    ) =>
    (...values: Values) =>
      connections.read((session) => read(session, scope, ...values));
  const summary = inScope(findSummary);
  const messages = inScope(readMessages);
  const sources = inScope(readSources);
  return {
    scope,
    commit: (writes) => {
      const commit = () => connections.write((transaction) => runWrites(transaction, scope, writes));
      const [write, ...others] = writes;
      return write === undefined || others.length > 0
        ? commit()
        : queue.run(JSON.stringify([scope, addressOf(write)]), commit);
    },
    exclusively: (conversation, run) => exclusively(connections, scope, conversation, run),
    conversation: inScope(async (session, _, address: Address) => {
      const row = await findConversation(session, scope, address);
      return row === undefined ? undefined : toConversation(row);
    }),
    conversations: inScope(listConversations),
    messages,
    originals: inScope(readOriginals),
    contextItems: inScope(readContextItems),
    contextShape: inScope(readContextShape),
    contextWindow: inScope(readWindow),
    summary,
    summaries: inScope(readSummaries),
    summaryOutlines: inScope(readOutlines),
    lineage: inScope(async (session, _, conversation: string, of: LineageOf) =>
      unpackLineage(await readLineage(session, scope, conversation, of)),
    ),
    describeSummary: inScope(async (session, _, id: string) => {
      const found = await readDescribedSummary(session, scope, id);
      return found && unpackDescription(found);
    }),
    descend: (query) => descend({ summary, messages, sources }, query),
    missingSummaries: inScope(countMissingSummaries),
    similarSummaryIds: inScope(readSimilarIds),
    idsBeginning: inScope(readIdsBeginning),
    turns: inScope(readTurns),
    receipts: inScope(readReceipts),
    compactionEvents: inScope(readEvents),
    transcripts: inScope(readTranscripts),
    lostTranscripts: inScope(readLostTranscripts),
    conversationsWith: inScope(findConversationsWith),
    transcriptsAt: inScope(readTranscriptsAt),
    transcriptLines: inScope(readLines),
    searchIndex: inScope(readIndex),
    segmentDocuments: inScope(readSegmentDocuments),
    searchPages: inScope(readPages),
    documents: inScope(readDocuments),
    texts: inScope(readTexts),
    nearestMessages: (query) => nearestMessages(connections, indexes, scope, query),
    messageVectors: inScope(readMessageVectors),
    unembedded: inScope(readUnembedded),
    messageVectorCounts: inScope(countMessageVectors),
    file: inScope(findFile),
    files: inScope(listFiles),
    fileMarks: inScope(readFileMarks),
    fileLines: inScope(readFileLines),
    fileBytes: inScope(readFileBytes),
    putContent: (chunks) => putContent(connections, scope, chunks),
    auditLog: inScope(readAudit),
    auditMarks: inScope(readAuditMarks),
    uncleanedSince: inScope(uncleanedSince),
  };
}

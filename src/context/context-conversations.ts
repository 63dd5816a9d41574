/**
 * Operations on whole conversations: find, list, rename, archive, delete, import from a host's transcript and export
 * again; the record of compactions, and what the model saw at a turn.
 */
import { PalimpsestError } from "../errors.ts";
import { everyRow } from "../store/every-row.ts";
import type {
  CompactionEvent,
  ListedConversation,
  ScopedStore,
  StoredConversation,
  StoredSummary,
} from "../store/store.ts";
import { isoTime } from "../text/timestamps.ts";
import type { Conversation, ConversationRef, Part } from "../types.ts";
import type { AssembleDependencies } from "./assemble/assemble.ts";
import {
  type AtInput,
  type DiffInput,
  type DiffResult,
  diffTurns,
  type ReplayResult,
  replay,
} from "./assemble/replay.ts";
import { importDocument } from "./ingest/import-document.ts";
import { type EntriesInput, type EntriesReport, EntryImporter } from "./ingest/import-entries.ts";
import {
  FollowedTranscripts,
  type ImportDocument,
  type ImportOptions,
  type ImportReport,
  importTranscript,
} from "./ingest/import-transcript.ts";
import type { IngestDependencies } from "./ingest/ingest-dependencies.ts";
import { type ResetInput, resetConversation } from "./ingest/reset-conversation.ts";
import { type TranscriptInput, writeTranscript } from "./ingest/transcripts/write-transcript.ts";
import { toAddress } from "./read/address.ts";
import { familyOf } from "./read/family.ts";
import {
  type ConversationList,
  type ListConversationsInput,
  listConversations,
} from "./read/list-conversations.ts";
import { archivedLike } from "./read/not-found.ts";
import { conversationBy, nameOf, requireConversation } from "./read/read-messages.ts";
import { requireName } from "./read/require-name.ts";
import { requireInput } from "./require-input.ts";

/** One pass of a compaction, and its rendering as a part of the conversation. */
interface CompactionRecord extends CompactionEvent {
  readonly part: Extract<Part, { type: "compaction" }>;
}

interface ConversationsDependencies extends IngestDependencies {
  readonly settings: IngestDependencies["settings"] & { readonly newSessionRetainDepth: number };
}

export class ContextConversations {
  readonly #followed = new FollowedTranscripts();
  readonly #entries: EntryImporter;
  readonly #use: ConversationsDependencies;
  readonly #assembly: AssembleDependencies;
  readonly #arrivedIn: (conversation: string, messages: number) => Promise<void>;

  constructor(
    use: ConversationsDependencies,
    assembly: AssembleDependencies,
    arrivedIn: (conversation: string, messages: number) => Promise<void>,
  ) {
    this.#use = use;
    this.#entries = new EntryImporter(use);
    this.#assembly = assembly;
    this.#arrivedIn = arrivedIn;
  }

  get #store(): ScopedStore {
    return this.#use.store;
  }

  /** A conversation by id, session id or the id of one of its messages. */
  get(reference: ConversationRef): Promise<Conversation> {
    return conversationBy(this.#store, reference);
  }

  async list(input: ListConversationsInput = {}): Promise<ConversationList> {
    requireInput("conversations.list", input);
    return listConversations(this.#store, input, this.#use.clock());
  }

  /** The conversations of its session, and their forks and sub-agents in both directions, oldest first. */
  family(reference: ConversationRef): Promise<readonly ListedConversation[]> {
    return familyOf(this.#store, reference);
  }

  async rename(reference: ConversationRef, title: string): Promise<Conversation> {
    requireName("title", title);
    if (title.trim() === "") throw new PalimpsestError("invalid-input", "title must not be blank");
    return this.#update(reference, { title });
  }

  /** Archives a conversation; the next turn of its session opens a new one. */
  archive(reference: ConversationRef): Promise<Conversation> {
    return this.#update(reference, { archivedAt: isoTime(this.#use.clock()) });
  }

  /** A session names its only archived conversation, unless it has an active one. */
  async unarchive(reference: ConversationRef): Promise<Conversation> {
    const active = await this.#store.conversation(toAddress(reference));
    const archived = active === undefined ? await archivedLike(this.#store, nameOf(reference)) : [];
    const [only = null] = archived.length === 1 ? archived : [];
    return this.#update(only === null ? reference : only.id, { archivedAt: null });
  }

  /** Deletes a conversation with all its content. The audit log records that it existed. */
  async delete(
    reference: ConversationRef,
  ): Promise<{ readonly conversation: string; readonly messages: number }> {
    const { id } = await requireConversation(this.#store, reference);
    const at = isoTime(this.#use.clock());
    const audit = { at, action: "delete-conversation", conversation: id, detail: "{}" };
    const [result] = await this.#store.commit([{ kind: "delete-conversation", id, audit }]);
    return { conversation: id, messages: result?.kind === "delete-conversation" ? result.messages : 0 };
  }

  /** Every summary of a conversation, ordered by depth and then by the messages it covers. */
  async summaries(
    reference: ConversationRef,
  ): Promise<{ readonly conversation: Conversation; readonly summaries: readonly StoredSummary[] }> {
    const conversation = await requireConversation(this.#store, reference);
    const summaries: StoredSummary[] = [];
    for await (const summary of everyRow((from) => this.#store.summaries(conversation.id, { from })))
      summaries.push(summary);
    return { conversation, summaries };
  }

  /** The passes of all compactions, oldest first. */
  async compactions(
    reference: ConversationRef,
  ): Promise<{ readonly conversation: Conversation; readonly compactions: readonly CompactionRecord[] }> {
    const conversation = await requireConversation(this.#store, reference);
    const compactions: CompactionRecord[] = [];
    for await (const event of everyRow((from) => this.#store.compactionEvents(conversation.id, { from })))
      compactions.push({ ...event, part: compactionPart(event) });
    return { conversation, compactions };
  }

  /** Imports a host's transcript file, or its new lines. */
  async import(file: string, options: ImportOptions = {}): Promise<ImportReport> {
    requireImport("conversations.import", file, options);
    const [report] = await this.#import(file, options, true);
    if (report === undefined) throw noSessions(file);
    return report;
  }

  /** Imports every session in a file: exports and databases may contain many. */
  async importAll(file: string, options: ImportOptions = {}): Promise<readonly ImportReport[]> {
    requireImport("conversations.importAll", file, options);
    const reports = await this.#import(file, options, false);
    if (reports.length === 0 && options.follow !== true) throw noSessions(file);
    return reports;
  }

  async #import(file: string, options: ImportOptions, onlyOne: boolean): Promise<readonly ImportReport[]> {
    const document: ImportDocument = (state, format, followed) =>
      importDocument(state, format, {
        ...{ use: this.#use, entries: this.#entries, options, onlyOne },
        seen: followed?.sessionsIn(state.path) ?? null,
      });
    const reports = await importTranscript(file, this.#use, options, this.#followed, document);
    for (const { conversation, status, imported } of reports)
      if (conversation !== null && status !== "unchanged") await this.#arrivedIn(conversation, imported);
    return reports;
  }

  /** Imports entries of a host that does not keep its sessions in files. Stored entries are skipped. */
  async importEntries(input: EntriesInput): Promise<EntriesReport> {
    requireInput("conversations.importEntries", input);
    const report = await this.#entries.import(input);
    if (report.conversation !== null && report.imported > 0)
      await this.#arrivedIn(report.conversation, report.imported);
    return report;
  }

  /** The cursor of the last entries of a source; null if there is none. */
  async entriesCursor(conversation: ConversationRef, source: string): Promise<unknown> {
    if (typeof source !== "string")
      throw new PalimpsestError("invalid-input", "conversations.entriesCursor: source must be text");
    return this.#entries.cursor(conversation, source);
  }

  /** The host's transcript file, byte for byte. */
  transcript(input: TranscriptInput): AsyncIterable<Uint8Array> {
    requireInput("conversations.transcript", input);
    return writeTranscript(this.#store, input);
  }

  async reset(input: ResetInput): Promise<{ readonly conversation: string; readonly leftContext: number }> {
    requireInput("conversations.reset", input);
    const retainDepth = input.retainDepth ?? this.#use.settings.newSessionRetainDepth;
    return resetConversation({ ...input, retainDepth }, this.#use);
  }

  /** What the model saw before it generated a turn. */
  async at(input: AtInput): Promise<ReplayResult> {
    requireInput("conversations.at", input);
    return replay(input, this.#assembly);
  }

  /** The differences between what the model saw at two turns. */
  async diff(input: DiffInput): Promise<DiffResult> {
    requireInput("conversations.diff", input);
    return diffTurns(input, this.#assembly);
  }

  async #update(
    reference: ConversationRef,
    change: { title?: string; archivedAt?: string | null },
  ): Promise<StoredConversation> {
    const { id } = await requireConversation(this.#store, reference);
    const at = isoTime(this.#use.clock());
    const [result] = await this.#store.commit([{ kind: "update-conversation", id, ...change, at }]);
    if (result?.kind !== "update-conversation") throw new Error("the store confirmed a different write");
    return result.conversation;
  }
}

function requireImport(
  call: "conversations.import" | "conversations.importAll",
  file: string,
  options: ImportOptions,
): void {
  if (typeof file !== "string" || file === "")
    throw new PalimpsestError("invalid-input", `${call}: file must be a path`, {
      advice: `For example: ${call}("session.jsonl").`,
    });
  requireInput(call, options);
}

function noSessions(file: string): PalimpsestError {
  return new PalimpsestError("not-supported", `${file} contains no session`, {
    advice: "Import it once its host has written to it.",
  });
}

function compactionPart({
  summary,
  trigger,
  tokensBefore,
  tokensAfter,
}: CompactionEvent): CompactionRecord["part"] {
  const text = `${summary} brought the context from ${tokensBefore} to ${tokensAfter} tokens`;
  return { type: "compaction", auto: trigger !== "manual", text };
}

/**
 * What was said. The flow of one tenant and agent: turns and transcripts come in, are kept exactly, and can be
 * read back, checked, exported and, on request, erased. The stages are in the folders beside this file.
 */

import { PalimpsestError } from "../errors.ts";
import type { ScopedStore, StoredConversation } from "../store/store.ts";
import { isMessageId, parseMessageId } from "../text/identifiers.ts";
import { isoTime } from "../text/timestamps.ts";
import type { Conversation, ConversationRef, Message } from "../types.ts";
import { type EraseInput, type EraseReport, erase } from "./erase.ts";
import {
  type CommitTurnInput,
  type CommitTurnResult,
  commitTurn,
  type IngestDependencies,
} from "./ingest/commit-turn.ts";
import { type ImportOptions, type ImportReport, importTranscript } from "./ingest/import-transcript.ts";
import { requireName } from "./ingest/prepare-turn.ts";
import { type ReadInput, type ReadResult, readMessages, requireConversation, toMessage } from "./read.ts";
import { type ResetInput, reset } from "./reset.ts";
import { writeTranscript } from "./write-transcript.ts";

export interface ListConversationsInput {
  /** Include archived conversations. Default false. */
  readonly archived?: boolean;
  /** How many to skip: `next` of the page before. Default 0. */
  readonly from?: number;
  /** Most conversations in the answer. Default 1,000. */
  readonly limit?: number;
}

export class Context {
  readonly #use: IngestDependencies;

  constructor(use: IngestDependencies) {
    this.#use = use;
  }

  get #store(): ScopedStore {
    return this.#use.store;
  }

  /** Stores a turn, once: the same key again changes nothing, with other content it is refused. */
  commitTurn(input: CommitTurnInput): Promise<CommitTurnResult> {
    return commitTurn(input, this.#use);
  }

  /** Brings a host's transcript file in, or what is new in it. */
  importTranscript(file: string, options?: ImportOptions): Promise<ImportReport> {
    return importTranscript(file, this.#use, options);
  }

  read(input: ReadInput): Promise<ReadResult> {
    return readMessages(this.#store, input);
  }

  /** One message by its public id. */
  async readMessage(id: string): Promise<Message> {
    const { conversation, seq } = parseMessageId(id);
    const page = await this.#store.messages(conversation, { from: seq, to: seq, limit: 1 });
    const row = page.rows[0];
    if (row === undefined) throw new PalimpsestError("not-found", `there is no message ${id}`);
    return toMessage(conversation, row);
  }

  /** A conversation by id, session id or the id of one of its messages. */
  conversation(reference: ConversationRef): Promise<Conversation> {
    const isMessage = typeof reference === "string" && isMessageId(reference);
    return requireConversation(this.#store, isMessage ? parseMessageId(reference).conversation : reference);
  }

  async conversations(
    input: ListConversationsInput = {},
  ): Promise<{ readonly conversations: readonly Conversation[]; readonly next: number | null }> {
    const page = await this.#store.conversations(input);
    return { conversations: page.rows, next: page.next };
  }

  async rename(reference: ConversationRef, title: string): Promise<Conversation> {
    requireName("title", title);
    return this.#update(reference, { title });
  }

  /** Takes a conversation out of the way; the next turn of its session opens a new one. */
  archive(reference: ConversationRef): Promise<Conversation> {
    return this.#update(reference, { archivedAt: isoTime(this.#use.clock()) });
  }

  unarchive(reference: ConversationRef): Promise<Conversation> {
    return this.#update(reference, { archivedAt: null });
  }

  /** Removes a conversation with everything in it. The audit log says that it was there. */
  async delete(
    reference: ConversationRef,
  ): Promise<{ readonly conversation: string; readonly messages: number }> {
    const { id } = await requireConversation(this.#store, reference);
    const at = isoTime(this.#use.clock());
    const audit = { at, action: "delete-conversation", conversation: id, detail: "{}" };
    const [result] = await this.#store.commit([{ kind: "delete-conversation", id, audit }]);
    return { conversation: id, messages: result?.kind === "delete-conversation" ? result.messages : 0 };
  }

  erase(input: EraseInput): Promise<EraseReport> {
    return erase(this.#store, this.#use.clock, input);
  }

  reset(input: ResetInput): Promise<{ readonly conversation: string; readonly leftContext: number }> {
    return reset(this.#store, this.#use.clock, input);
  }

  /** The host's transcript file, byte for byte. */
  transcript(input: {
    readonly conversation: ConversationRef;
    readonly version?: number;
  }): AsyncIterable<Uint8Array> {
    return writeTranscript(this.#store, input);
  }

  async #update(
    reference: ConversationRef,
    change: { title?: string; archivedAt?: string | null },
  ): Promise<StoredConversation> {
    const { id } = await requireConversation(this.#store, reference);
    const at = isoTime(this.#use.clock());
    const [result] = await this.#store.commit([{ kind: "update-conversation", id, ...change, at }]);
    if (result?.kind !== "update-conversation") throw new Error("the store answered another write");
    return result.conversation;
  }
}

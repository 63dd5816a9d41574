/**
 * Finds changes of a store by any process since the last call. A call reads only the newest rows, so it costs
 * the same for every store size.
 */
import { type Engine, internalsOf } from "../../engine.ts";
import type { AuditMark } from "../../store/store.ts";
import type { Conversation } from "../../types.ts";
import { Appended } from "./appended.ts";
import { Newest } from "./newest.ts";

/** Maximum rows per kind. More changes between two calls are reported in part. */
const LOOKED_AT = 100;

export interface Change {
  readonly conversations: readonly ChangedConversation[];
  /** Ids of conversations that were deleted. */
  readonly deleted: readonly string[];
  /** Ids of conversations of which messages were erased. */
  readonly erased: readonly string[];
  /** Ids of memories that are new, or were revised, replaced, archived or erased. */
  readonly memories: readonly string[];
  /** Ids of new files. */
  readonly files: readonly string[];
}

type ChangedConversation = Pick<
  Conversation,
  "id" | "messageCount" | "contextItems" | "contextTokens" | "updatedAt" | "archivedAt" | "title"
>;

export class StoreChanges {
  readonly #engine: Engine;
  readonly #conversations = new Newest<ChangedConversation>(LOOKED_AT);
  readonly #memories = new Newest(LOOKED_AT);
  readonly #erasures = new Appended(LOOKED_AT);
  readonly #files = new Appended(LOOKED_AT);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The first call only records the existing rows; its result is meaningless. */
  async look(): Promise<Change> {
    const { conversations, memories } = internalsOf(this.#engine);
    const [newest, marks, changedMemories, files] = await Promise.all([
      conversations.conversations({ limit: LOOKED_AT, archived: true }),
      conversations.auditMarks(this.#erasures.after, LOOKED_AT),
      memories.changedMemories(LOOKED_AT),
      conversations.fileMarks(this.#files.after, LOOKED_AT),
    ]);
    // Updated after all reads, so that a failed read is repeated.
    const erasures = this.#erasures.news(marks);
    return {
      conversations: this.#conversations.changed(newest.rows.map(toChanged)),
      deleted: conversationsOf(erasures, "delete-conversation"),
      erased: conversationsOf(erasures, "erase"),
      memories: this.#memories.changed(changedMemories).map(({ id }) => id),
      files: this.#files.news(files).map(({ id }) => id),
    };
  }
}

function toChanged(conversation: Conversation): ChangedConversation {
  const { id, messageCount, contextItems, contextTokens, updatedAt, archivedAt, title } = conversation;
  return { id, messageCount, contextItems, contextTokens, updatedAt, archivedAt, title };
}

function conversationsOf(marks: readonly AuditMark[], wanted: string): string[] {
  const ids = marks.flatMap(({ action, conversation }) => (action === wanted ? (conversation ?? []) : []));
  return [...new Set(ids)];
}

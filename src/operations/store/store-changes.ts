/**
 * What changed in a store since it was looked at before, by whatever process. A look reads only what is newest, so it costs
 * the same whatever the store holds.
 */
import { type Engine, internalsOf } from "../../engine.ts";
import type { StoredFile } from "../../store/file-store.ts";
import type { AuditMark } from "../../store/store.ts";
import type { Conversation } from "../../types.ts";
import { Newest } from "./newest.ts";

/** Of each kind. What changes faster than it is looked at is told in part. */
const LOOKED_AT = 100;

export interface Change {
  readonly conversations: readonly ChangedConversation[];
  /** Ids of conversations that were deleted. */
  readonly deleted: readonly string[];
  /** Ids of conversations of which messages were erased. */
  readonly erased: readonly string[];
  /** Ids of memories that are new, or were revised, replaced, archived or erased. */
  readonly memories: readonly string[];
  /** Ids of files that are new or were described. */
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
  readonly #files = new Newest(LOOKED_AT);
  /** In the audit log; null before the first look. */
  #audited: number | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The first look only learns what is there, so its answer means nothing. */
  async look(): Promise<Change> {
    const { conversations, memories } = internalsOf(this.#engine);
    const [newest, marks, changedMemories] = await Promise.all([
      conversations.conversations({ limit: LOOKED_AT, archived: true }),
      conversations.auditMarks(this.#audited ?? 0, this.#audited === null ? 1 : LOOKED_AT),
      memories.changedMemories(LOOKED_AT),
    ]);
    this.#audited = marks[0]?.position ?? this.#audited ?? 0;
    const changed = this.#conversations.changed(newest.rows.map(toChanged));
    return {
      conversations: changed,
      deleted: conversationsOf(marks, "delete-conversation"),
      erased: conversationsOf(marks, "erase"),
      memories: this.#memories.changed(changedMemories).map(({ id }) => id),
      // A file comes with a change of its conversation, and so does its description.
      files: changed.length === 0 ? [] : await this.#changedFiles(),
    };
  }

  async #changedFiles(): Promise<string[]> {
    const { rows } = await internalsOf(this.#engine).conversations.files({ limit: LOOKED_AT });
    return this.#files.changed(rows.map(withTime)).map(({ id }) => id);
  }
}

function toChanged(conversation: Conversation): ChangedConversation {
  const { id, messageCount, contextItems, contextTokens, updatedAt, archivedAt, title } = conversation;
  return { id, messageCount, contextItems, contextTokens, updatedAt, archivedAt, title };
}

function withTime({ id, createdAt, described }: StoredFile) {
  return { id, updatedAt: described?.at ?? createdAt };
}

function conversationsOf(marks: readonly AuditMark[], wanted: string): string[] {
  const ids = marks.flatMap(({ action, conversation }) => (action === wanted ? (conversation ?? []) : []));
  return [...new Set(ids)];
}

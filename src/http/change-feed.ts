/**
 * Tells viewers which conversations changed, by whatever process. One reader looks at the newest conversations of a tenant
 * and agent twice a second for all of their viewers, and not at all while there are none. So a viewer costs nothing but
 * the bytes that it is sent, and both databases work alike.
 */
import type { Engine } from "../engine.ts";
import type { Conversation } from "../types.ts";

const PAUSE_MS = 500;
const LOOKED_AT = 100;

export interface Change {
  readonly conversations: readonly ChangedConversation[];
}

type ChangedConversation = Pick<
  Conversation,
  "id" | "messageCount" | "contextItems" | "contextTokens" | "updatedAt" | "archivedAt" | "title"
>;

/** Is given the event as it is sent, which is written once for all viewers. */
type Listener = (event: string) => void;

export class ChangeFeed {
  readonly #engine: Engine;
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #known = new Map<string, string>();

  constructor(engine: Engine, report: (error: unknown) => void) {
    this.#engine = engine;
    this.#report = report;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Resolves once later changes will be told. */
  async listen(listener: Listener): Promise<() => void> {
    if (this.#listeners.size === 0) await this.#look();
    this.#listeners.add(listener);
    this.#timer ??= setTimeout(() => this.#turn(), PAUSE_MS);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #turn(): Promise<void> {
    const own = this.#timer;
    try {
      const conversations = await this.#look();
      if (conversations.length > 0) this.#tell({ conversations });
    } catch (error) {
      // The next look may succeed; a store that is closed or busy says so to every other call as well.
      this.#report(error);
    }
    // Whoever left and came meanwhile has begun another round.
    if (own !== undefined && this.#timer === own) this.#timer = setTimeout(() => this.#turn(), PAUSE_MS);
  }

  #tell(change: Change): void {
    const event = `event: change\ndata: ${JSON.stringify(change)}\n\n`;
    for (const listener of this.#listeners) listener(event);
  }

  async #look(): Promise<ChangedConversation[]> {
    const query = { limit: LOOKED_AT, archived: true };
    const { conversations } = await this.#engine.context.conversations.list(query);
    const changed = conversations
      .map(toChanged)
      .filter((one) => this.#known.get(one.id) !== JSON.stringify(one));
    this.#known = new Map(conversations.map((one) => [one.id, JSON.stringify(toChanged(one))]));
    return changed;
  }
}

function toChanged(conversation: Conversation): ChangedConversation {
  const { id, messageCount, contextItems, contextTokens, updatedAt, archivedAt, title } = conversation;
  return { id, messageCount, contextItems, contextTokens, updatedAt, archivedAt, title };
}

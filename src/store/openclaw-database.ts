/** What is read of an OpenClaw agent's database, which is not a store of ours. What it means is decided in `src/host/openclaw`. */

export interface OpenclawSession {
  readonly sessionId: string;
  readonly sessionKey: string;
  /** The session that its key leads to now. */
  readonly isCurrent: boolean;
  /** OpenClaw has moved its events into an archive, or has not written any. */
  readonly isEmpty: boolean;
  /** False while OpenClaw rebuilds the active path. */
  readonly isReadable: boolean;
  /** Changes when events are rewritten. */
  readonly generation: string;
  /** Changes with every event. */
  readonly state: string;
}

export interface OpenclawEvent {
  /** The event's number, or the message's place on the active path. */
  readonly place: number;
  readonly event: Readonly<Record<string, unknown>>;
}

export interface OpenclawPage {
  readonly events: readonly OpenclawEvent[];
  readonly hasMore: boolean;
}

export interface OpenclawDatabase {
  /** The oldest first. */
  sessions(): readonly OpenclawSession[];
  /** Everything that `run` reads is of one moment. */
  snapshot<Value>(run: () => Promise<Value>): Promise<Value>;
  /** The folder that the session works in; undefined when it does not say. */
  folder(sessionId: string): string | undefined;
  /** Events after a number. */
  raw(sessionId: string, after: number): OpenclawPage;
  /** Messages on the active path after a place. */
  visible(sessionId: string, after: number): OpenclawPage;
  close(): void;
}

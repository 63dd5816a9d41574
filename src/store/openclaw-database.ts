/** The data read from an OpenClaw agent's database, which is not a Palimpsest store. `src/host/openclaw` interprets it. */

export interface OpenclawSession {
  readonly sessionId: string;
  readonly sessionKey: string;
  /** Its key currently refers to this session. */
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
  /** The event's number, or the message's position on the active path. */
  readonly place: number;
  readonly event: Readonly<Record<string, unknown>>;
}

interface OpenclawPage {
  readonly events: readonly OpenclawEvent[];
  readonly hasMore: boolean;
}

export interface OpenclawDatabase {
  /** The oldest first. */
  sessions(): readonly OpenclawSession[];
  /** Everything that `run` reads is from one snapshot. */
  snapshot<Value>(run: () => Promise<Value>): Promise<Value>;
  /** The working folder of the session; undefined if it is not recorded. */
  folder(sessionId: string): string | undefined;
  /** Events after a number. */
  raw(sessionId: string, after: number): OpenclawPage;
  /** Messages on the active path after a position. */
  visible(sessionId: string, after: number): OpenclawPage;
  close(): void;
}

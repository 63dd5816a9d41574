/** How transcripts of OpenClaw are read, version 2026.9: by the functions of its plugin SDK, or from its database. */

export interface HostMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly timestamp?: number;
}

/** Names a transcript for the host's readers. Paths differ between calls: they are passed on and never compared. */
export interface SessionTarget {
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly storePath?: string;
}

export interface VisibleEntry {
  readonly entryId: string;
  readonly message: HostMessage;
  readonly createdAt?: string;
}

interface NoPage {
  /** `missing`: no such transcript. `reset`: the cursor no longer applies. `unavailable`: the host rebuilds its index. */
  readonly kind: "missing" | "reset" | "unavailable";
}

interface Page {
  readonly kind: "page";
  readonly cursor: string;
  readonly hasMore: boolean;
}

export type VisiblePage = NoPage | (Page & { readonly entries: readonly VisibleEntry[] });

interface RawEvent {
  readonly type?: string;
  readonly id?: string;
  readonly timestamp?: string;
  readonly message?: HostMessage;
}

export type RawPage =
  | NoPage
  | (Page & {
      readonly events: readonly { readonly event: RawEvent }[];
    });

export interface HostSdk {
  /** The messages on the active path of a session's transcript, after a cursor. */
  readSessionTranscriptVisibleMessageDelta(
    params: SessionTarget & { readonly cursor?: string },
  ): Promise<VisiblePage>;
  /** Everything in a session's transcript, after a cursor. */
  readSessionTranscriptRawDelta(params: SessionTarget & { readonly cursor?: string }): Promise<RawPage>;
}

interface Anchor extends SessionTarget {
  readonly entryId: string;
}

export interface CommitTurn {
  readonly advancementKey: string;
  readonly admission: Anchor;
  readonly terminal: Anchor;
  readonly messages: readonly HostMessage[];
  readonly isHeartbeat?: boolean;
}

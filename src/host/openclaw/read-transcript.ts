/**
 * Reads a session's transcript from the host. OpenClaw keeps it in a database and returns the messages of the active path
 * after a cursor. `/new`, `/reset` and daily resets keep the session key, the session id and the transcript, and add an
 * event to it. That event is found only among the raw events, so both are read. A window is the part between two resets.
 */
import type { HostSdk, RawPage, SessionTarget, VisibleEntry, VisiblePage } from "./types.ts";

/** The position where reading continues. It is stored together with the entries. */
export interface Cursor {
  readonly sessionId: string;
  readonly visible: string | null;
  readonly raw: string | null;
  /** Resets up to `raw`. */
  readonly resets: number;
  /** The window of the last entry that was stored. */
  readonly window: number;
  /** The last message of the active path that was stored. */
  readonly last: string | null;
  /** That window is complete: later entries belong to another conversation. */
  readonly isEnded: boolean;
}

export interface WindowedEntry extends VisibleEntry {
  readonly window: number;
  /** The entry before it on the active path; null for the first; undefined when it is on the previous page. */
  readonly parentId: string | null | undefined;
}

export interface ReadPage {
  readonly entries: readonly WindowedEntry[];
  /** Messages that are not on the active path: failed turns and abandoned branches. */
  readonly hidden: readonly WindowedEntry[];
  /** Resets in the whole transcript. */
  readonly resets: number;
  readonly next: Cursor;
  readonly hasMore: boolean;
}

export function startOf(sessionId: string): Cursor {
  return { sessionId, visible: null, raw: null, resets: 0, window: 0, last: null, isEnded: false };
}

/** Null for any other stored cursor. */
export function parseCursor(value: unknown): Cursor | null {
  const { sessionId, visible, raw, resets, window, last, isEnded } = Object(value);
  if (typeof sessionId !== "string" || typeof resets !== "number" || typeof window !== "number") return null;
  const text = (cursor: unknown) => (typeof cursor === "string" ? cursor : null);
  const names = { visible: text(visible), raw: text(raw), last: text(last) };
  return { sessionId, ...names, resets, window, isEnded: isEnded === true };
}

export class TranscriptReader {
  readonly #sdk: HostSdk;
  readonly #target: SessionTarget;
  /** Messages among the raw events, until they are found on the active path. */
  readonly #unseen = new Map<string, VisibleEntry>();
  /** How many resets come before each message. */
  readonly #windows = new Map<string, number>();
  /** The position up to which raw events were read; null before. */
  #raw: Pick<Cursor, "raw" | "resets"> | null = null;

  constructor(sdk: HostSdk, target: SessionTarget) {
    this.#sdk = sdk;
    this.#target = target;
  }

  /** Null when the host has no such transcript. Throws while the host cannot read it. */
  async read(after: Cursor): Promise<ReadPage | null> {
    let from = after;
    let page = await this.#visible(from.visible);
    if (page.kind === "reset") {
      from = { ...after, visible: null, raw: null, resets: 0 };
      this.#raw = null;
      page = await this.#visible(null);
    }
    if (page.kind === "missing") return null;
    if (page.kind !== "page") throw new Error(`the host cannot read its transcript (${page.kind})`);
    const raw = await this.#readRaw(from);
    const before = from.visible === null ? null : (from.last ?? undefined);
    const entries = withParents(page.entries, before).map((entry) => this.#windowed(entry, from));
    for (const { entryId } of entries) this.#unseen.delete(entryId);
    const { cursor: visible, hasMore } = page;
    const unseen = hasMore ? [] : [...this.#unseen.values()];
    const hidden = unseen.map((entry) => this.#windowed({ ...entry, parentId: undefined }, from));
    // The raw events are ahead of the messages until the last page. Entries that wait for a message of the active path are read again.
    const isDone = !hasMore && (hidden.length === 0 || entries.length > 0);
    return {
      ...{ entries, hidden, hasMore, resets: raw.resets },
      next: { ...from, visible, ...(isDone ? raw : {}) },
    };
  }

  #windowed(entry: Omit<WindowedEntry, "window">, { window }: Cursor): WindowedEntry {
    return { ...entry, window: this.#windows.get(entry.entryId) ?? window };
  }

  async #visible(cursor: string | null): Promise<VisiblePage> {
    const given = cursor === null ? {} : { cursor };
    try {
      return await this.#sdk.readSessionTranscriptVisibleMessageDelta({ ...this.#target, ...given });
    } catch (error) {
      return emptyBehindFence(error, cursor);
    }
  }

  async #readRaw(from: Cursor): Promise<Pick<Cursor, "raw" | "resets">> {
    let { raw, resets } = this.#raw ?? from;
    for (let hasMore = true; hasMore; ) {
      const page = await this.#rawPage(raw);
      if (page.kind !== "page") break;
      for (const { event } of page.events) {
        if (event.type === "reset") resets++;
        else if (event.type === "message" && event.id !== undefined && event.message !== undefined) {
          this.#windows.set(event.id, resets);
          const createdAt = event.timestamp === undefined ? {} : { createdAt: event.timestamp };
          this.#unseen.set(event.id, { entryId: event.id, message: event.message, ...createdAt });
        }
      }
      raw = page.cursor;
      hasMore = page.hasMore;
    }
    this.#raw = { raw, resets };
    return this.#raw;
  }

  async #rawPage(cursor: string | null): Promise<RawPage> {
    try {
      return await this.#sdk.readSessionTranscriptRawDelta({
        ...this.#target,
        ...(cursor === null ? {} : { cursor }),
      });
    } catch (error) {
      return { ...emptyBehindFence(error, cursor), events: [] };
    }
  }
}

/** During a turn the host shows only earlier messages. A cursor after them has already read everything. */
function emptyBehindFence(error: unknown, cursor: string | null) {
  if (cursor === null || !(error instanceof Error) || error.name !== "SessionTranscriptReadFenceError")
    throw error;
  return { kind: "page" as const, cursor, hasMore: false, entries: [] };
}

/** The entries that the readable part of the transcript lacks. */
export async function missingIn(
  sdk: HostSdk,
  target: SessionTarget,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = new Set(ids);
  for (let cursor: string | undefined; missing.size > 0; ) {
    const given = cursor === undefined ? {} : { cursor };
    const page = await sdk.readSessionTranscriptRawDelta({ ...target, ...given }).catch(() => null);
    if (page?.kind !== "page") break;
    for (const { event } of page.events) missing.delete(event.id ?? "");
    if (!page.hasMore) break;
    ({ cursor } = page);
  }
  return missing;
}

function withParents(entries: readonly VisibleEntry[], before: string | null | undefined) {
  return entries.map((entry, i) => ({ ...entry, parentId: i === 0 ? before : entries[i - 1]?.entryId }));
}

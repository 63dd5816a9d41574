/**
 * The newest items of the context that fit: one statement finds them, and another reads the contents that the caller does not
 * hold. Items that do not fit are not read. Messages and summaries change only by an erasure, which removes them from the
 * context: those erased meanwhile are left out.
 */
import type { Scope } from "../../types.ts";
import { findSummaries } from "../reads/summaries.ts";
import {
  messageItem,
  openingMessages,
  openingWithin,
  type PlacedOpening,
  type PlacedSummary,
  summaryItem,
  type WindowContents,
  windowItems,
} from "../rules/window-items.ts";
import type { ContextWindow, StoredMessage, StoredSummary, WindowQuery } from "../store.ts";
import { END } from "../tables/pages.ts";
import { readMessagesAt } from "./messages.ts";
import { SELECT_WINDOW } from "./select-window.ts";
import type { Session } from "./session.ts";

type WindowRow = {
  /** Items before the window are old: if there are stubs at all, their tool results are stubs. */
  left_items: number;
  left_tokens: number;
  stubs: string | null;
  seqs: string | null;
  between: string | null;
  before: string | null;
  pinned: string | null;
  opening: string | null;
};

export async function readWindow(
  session: Session,
  scope: Scope,
  conversation: string,
  query: WindowQuery,
): Promise<ContextWindow> {
  const maxTokens = Math.max(0, Math.min(END, Math.floor(query.maxTokens)));
  const [row] = await session.rows<WindowRow>(
    SELECT_WINDOW,
    scope.tenant,
    scope.agent,
    conversation,
    maxTokens,
    Math.floor(query.summaryTokens ?? 0),
    Math.ceil(query.itemTokens ?? 0),
    query.stubs?.above ?? null,
    query.stubs?.freshTokens ?? null,
    query.stubs?.stepTokens ?? null,
    query.stubs?.freshItems ?? null,
    query.stubs?.fullAt ?? null,
    query.opening === undefined ? 0 : (query.opening.to ?? END),
  );
  const seqs = toNumbers(row?.seqs);
  const between = JSON.parse(row?.between ?? "[]") as PlacedSummary[];
  const before = JSON.parse(row?.before ?? "[]") as string[];
  const pinned = JSON.parse(row?.pinned ?? "[]") as number[];
  const opening = JSON.parse(row?.opening ?? "[]") as PlacedOpening[];
  const wanted = {
    seqs: [
      ...new Set([...seqs, ...pinned, ...(query.opening?.to === undefined ? openingWithin(opening) : [])]),
    ],
    stubs: new Set(toNumbers(row?.stubs)),
    ids: [...before, ...between.map(([, id]) => id)],
  };
  const contents = await readContents(session, scope, conversation, wanted, query);
  return {
    items: windowItems(seqs, between, contents),
    left: { items: row?.left_items ?? 0, tokens: row?.left_tokens ?? 0 },
    summaries: before.flatMap((id) => summaryItem(0, id, contents)),
    pinned: pinned.flatMap((seq) => messageItem(seq, contents)),
    opening: openingMessages(opening, contents),
  };
}

/** Parses an array in PostgreSQL's text format. */
function toNumbers(array: string | null | undefined): number[] {
  return JSON.parse(`[${array?.slice(1, -1) ?? ""}]`) as number[];
}

interface Wanted {
  readonly seqs: readonly number[];
  /** Those of them whose tool results are shown as stubs. */
  readonly stubs: ReadonlySet<number>;
  readonly ids: readonly string[];
}

/** The contents that the caller does not hold; null for those that it does. */
async function readContents(
  session: Session,
  scope: Scope,
  conversation: string,
  wanted: Wanted,
  { held }: WindowQuery,
): Promise<WindowContents> {
  const isStub = (seq: number) => wanted.stubs.has(seq);
  const [heldSeqs, heldStubs] = [new Set(held?.seqs), new Set(held?.stubs)];
  const isHeld = (seq: number) => (isStub(seq) ? heldStubs : heldSeqs).has(seq);
  const messages = new Map<number, StoredMessage | null>(
    wanted.seqs.filter(isHeld).map((seq) => [seq, null]),
  );
  const summaries = new Map<string, StoredSummary | null>((held?.summaries ?? []).map((id) => [id, null]));
  const seqs = wanted.seqs.filter((seq) => !messages.has(seq));
  const ids = wanted.ids.filter((id) => !summaries.has(id));
  const payloadsOf = (seq: number) => (isStub(seq) ? "stubs" : "context");
  for (const message of await readMessagesAt(session, scope, conversation, seqs, payloadsOf))
    messages.set(message.seq, message);
  for (const summary of await findSummaries(session, scope, ids)) summaries.set(summary.id, summary);
  return { isStub, message: (seq) => messages.get(seq), summary: (id) => summaries.get(id) };
}

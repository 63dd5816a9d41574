/**
 * Reads transcripts from OpenClaw's database as its plugin SDK does, so that both ways store the same entries. A cursor names
 * its origin: the SDK and this reader reject each other's cursor with `reset`, which starts again from the beginning.
 */
import type { OpenclawDatabase, OpenclawEvent, OpenclawSession } from "../../store/openclaw-database.ts";
import type { HostMessage, HostSdk, VisibleEntry } from "./types.ts";

interface Place {
  readonly generation: string;
  readonly after: number;
}

export function databaseSdk(database: OpenclawDatabase, session: OpenclawSession): HostSdk {
  const { sessionId, generation } = session;
  const read = (from: OpenclawDatabase["raw"], cursor: string | undefined) => {
    const place = cursor === undefined ? { generation, after: -1 } : parse(cursor);
    if (place?.generation !== generation) return null;
    const { events, hasMore } = from(sessionId, place.after);
    const next = { generation, after: events.at(-1)?.place ?? place.after };
    return { kind: "page" as const, cursor: `palimpsest ${JSON.stringify(next)}`, hasMore, events };
  };
  return {
    readSessionTranscriptVisibleMessageDelta: async ({ cursor }) => {
      const page = read(database.visible, cursor);
      return page === null ? { kind: "reset" } : { ...page, entries: page.events.flatMap(visibleEntry) };
    },
    readSessionTranscriptRawDelta: async ({ cursor }) => read(database.raw, cursor) ?? { kind: "reset" },
  };
}

function parse(cursor: string): Place | null {
  const json = /^palimpsest (\{.*\})$/.exec(cursor)?.[1];
  return json === undefined ? null : JSON.parse(json);
}

function visibleEntry({ event }: OpenclawEvent): VisibleEntry[] {
  const { type, id, message, timestamp } = event;
  if (type !== "message" || typeof id !== "string" || !isMessage(message)) return [];
  return [{ entryId: id, message, ...(typeof timestamp === "string" ? { createdAt: timestamp } : {}) }];
}

function isMessage(value: unknown): value is HostMessage {
  return typeof value === "object" && value !== null && typeof Object(value).role === "string";
}

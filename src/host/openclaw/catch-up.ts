/**
 * Imports missing entries of the host's transcript, under the host's own entry ids: committed turns, turns that
 * failed, announcements, and the history from before the installation. Reading again changes nothing. Every reset opens
 * another conversation under the same session key.
 */
import {
  type Engine,
  type EntriesInput,
  type EntriesReport,
  type HostSession,
  isPalimpsestError,
} from "../index.ts";
import {
  type Cursor,
  missingIn,
  parseCursor,
  type ReadPage,
  startOf,
  TranscriptReader,
  type WindowedEntry,
} from "./read-transcript.ts";
import type { CommitTurn, HostMessage, HostSdk, SessionTarget } from "./types.ts";

const SOURCE = "openclaw";
const HEARTBEAT = "HEARTBEAT_OK";

export interface CatchUp {
  readonly sdk: HostSdk;
  readonly session: HostSession;
  readonly target: SessionTarget;
  readonly project?: string | undefined;
  /** Stops between two pages. */
  readonly signal?: AbortSignal;
}

interface Run extends CatchUp {
  readonly engine: Engine;
  /** Entries of a turn that only acknowledges a poll: they stay out of the context. */
  readonly isQuiet: (entry: WindowedEntry) => boolean;
}

/** Returns the number of new messages, or null when the host has no such transcript. */
export async function catchUp(engine: Engine, given: CatchUp): Promise<number | null> {
  return follow({ ...given, engine, isQuiet: () => false });
}

/** Stores an accepted turn with everything before it. `duplicate` if the host's key is already stored. */
export async function commitTurn(
  engine: Engine,
  given: CatchUp,
  turn: CommitTurn,
): Promise<"committed" | "duplicate"> {
  const quiet = quietEntries(turn);
  const seen = new Set<string>();
  const isQuiet = (entry: WindowedEntry) => {
    seen.add(entry.entryId);
    return quiet(entry);
  };
  await follow({ ...given, engine, isQuiet });
  const { advancementKey, admission, terminal } = turn;
  const isComplete = seen.has(admission.entryId) && seen.has(terminal.entryId);
  const left = isComplete ? [] : await leftOfTurn(given, turn);
  const event = { type: "turn", admission: admission.entryId, terminal: terminal.entryId };
  const { events } = await store({ ...given, engine, isQuiet: quiet }, [
    ...left,
    { id: advancementKey, event },
  ]);
  return events === 0 ? "duplicate" : "committed";
}

/** The part of a turn that the transcript lacks. The host may have removed it and pass the only copy. */
export async function leftOfTurn({ sdk, target }: CatchUp, turn: CommitTurn) {
  const { admission, terminal, messages } = turn;
  const ends = [admission.entryId, terminal.entryId];
  const missing = await missingIn(sdk, target, ends);
  if (missing.size === 0) return [];
  return messages
    .map((message, i) => entryOf(turn, message, i))
    .filter(({ id }) => missing.has(id) || !ends.includes(id));
}

/** Records an event of a session, and opens its conversation if there is none. Returns its id. */
export async function openConversation(
  engine: Engine,
  conversation: HostSession,
  event: Readonly<Record<string, string>>,
  parent?: string,
): Promise<string | null> {
  const { conversation: id } = await engine.context.conversations.importEntries({
    conversation,
    source: SOURCE,
    entries: [{ id: Object.values(event).join(" "), event }],
    hostContext: { host: SOURCE, ...(parent === undefined ? {} : { parent, relation: "child" }) },
  });
  return id;
}

/** The host's session that was last read under this key; null when there is none. */
export async function storedSession(engine: Engine, session: HostSession): Promise<string | null> {
  const cursor = await engine.context.conversations.entriesCursor(session, SOURCE);
  return parseCursor(cursor)?.sessionId ?? null;
}

async function follow(run: Run): Promise<number | null> {
  const { engine, session, target, signal } = run;
  const stored = parseCursor(await engine.context.conversations.entriesCursor(session, SOURCE));
  const isOther = stored !== null && stored.sessionId !== session.sessionId;
  let cursor = stored === null || isOther ? startOf(session.sessionId) : stored;
  if (isOther || cursor.isEnded) await closeConversation(run);
  const reader = new TranscriptReader(run.sdk, target);
  let imported = 0;
  for (let hasMore = true; hasMore; ) {
    signal?.throwIfAborted();
    const page = await reader.read(cursor);
    if (page === null) return null;
    imported += await storePage(run, cursor, page);
    ({ hasMore } = page);
    cursor = afterPage(cursor, page);
    // After a reset the next message is not shown yet, but the context must be empty already.
    if (!hasMore && page.resets > cursor.window && !cursor.isEnded) await endWindow(run, cursor, page);
  }
  return imported;
}

function afterPage(before: Cursor, { entries, next }: ReadPage): Cursor {
  const last = entries.at(-1);
  if (last === undefined || last.window < before.window) return { ...next, window: before.window };
  const isEnded = before.isEnded && last.window === before.window;
  return { ...next, window: last.window, last: last.entryId, isEnded };
}

async function storePage(run: Run, before: Cursor, page: ReadPage): Promise<number> {
  const isNew = ({ window }: WindowedEntry) =>
    before.isEnded ? window > before.window : window >= before.window;
  // Entries that are not on the active path come first, so that the path ends with what the host shows.
  const shown = page.entries.length === 0 ? [] : [...page.hidden, ...page.entries].filter(isNew);
  const groups = [...Map.groupBy(shown, ({ window }) => window)].sort(([a], [b]) => a - b);
  let imported = 0;
  const [first] = groups;
  if (first !== undefined && first[0] > before.window && !before.isEnded) await endWindow(run, before, page);
  for (const [i, [window, entries]] of groups.entries()) {
    const isLast = i === groups.length - 1;
    const cursor = isLast ? afterPage(before, page) : { ...before, window, isEnded: true };
    imported += (
      await store(
        run,
        entries.map((entry) => toStored(run, entry)),
        cursor,
      )
    ).imported;
    if (!isLast) await closeConversation(run);
  }
  return imported;
}

/** Records that a window is complete before its conversation is archived, so that a crash in between is harmless. */
async function endWindow(run: Run, cursor: Cursor, { hidden }: ReadPage): Promise<void> {
  const left = hidden.filter(({ window }) => window === cursor.window);
  if (cursor.visible !== null)
    await store(
      run,
      left.map((entry) => toStored(run, entry)),
      { ...cursor, isEnded: true },
    );
  await closeConversation(run);
}

async function closeConversation({ engine, session }: Run): Promise<void> {
  const { conversations } = engine.context;
  await conversations.reset({ conversation: session, mode: "reset" }).catch((error: unknown) => {
    if (!isPalimpsestError(error, "not-found")) throw error;
  });
}

function store(run: Run, entries: EntriesInput["entries"], cursor?: Cursor): Promise<EntriesReport> {
  const { engine, session, project } = run;
  return engine.context.conversations.importEntries({
    conversation: session,
    source: SOURCE,
    entries,
    ...(cursor === undefined ? {} : { cursor }),
    hostContext: { host: SOURCE, ...(project === undefined ? {} : { project }) },
  });
}

function toStored({ isQuiet }: Run, entry: WindowedEntry): EntriesInput["entries"][number] {
  const { entryId: id, parentId, message, createdAt } = entry;
  if (isQuiet(entry)) return { id, event: message };
  return {
    id,
    message,
    ...(parentId === undefined ? {} : { parentId }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

/** The host reports ids of the first and the last message only. */
function entryOf(
  { advancementKey, admission, terminal, messages }: CommitTurn,
  message: HostMessage,
  i: number,
) {
  const isLast = i === messages.length - 1;
  const id = i === 0 ? admission.entryId : isLast ? terminal.entryId : `${advancementKey}#${i}`;
  return { id, message };
}

function quietEntries({ isHeartbeat, admission, terminal, messages }: CommitTurn) {
  const answer = JSON.stringify(messages.at(-1)?.content ?? "");
  if (isHeartbeat !== true || messages.length !== 2 || !answer.includes(HEARTBEAT)) return () => false;
  const ids = [admission.entryId, terminal.entryId];
  return ({ entryId }: WindowedEntry) => ids.includes(entryId);
}

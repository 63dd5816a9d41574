/** Imports the database of an OpenClaw agent, with the same ids that the plugin uses. */
import type { Engine } from "../../engine.ts";
import type { OpenclawDatabase, OpenclawSession } from "../../store/openclaw-database.ts";
import { catchUp, storedSession } from "./catch-up.ts";
import { databaseSdk } from "./database-sdk.ts";

interface ImportedSession {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly imported: number;
}

interface DatabaseImport {
  readonly database: OpenclawDatabase;
  readonly agent: string;
  /** The state of each session when it was last read: unchanged sessions are skipped. */
  readonly seen: Map<string, string>;
}

export async function* importDatabase(
  engine: Engine,
  { database, agent, seen }: DatabaseImport,
): AsyncGenerator<ImportedSession> {
  const byKey = Map.groupBy(database.sessions(), ({ sessionKey }) => sessionKey);
  for (const [sessionKey, sessions] of byKey) {
    const stored = await storedSession(engine, { sessionKey, sessionId: sessions[0]?.sessionId ?? "" });
    for (const { sessionId, state } of toFollow(sessions, stored)) {
      if (seen.get(sessionId) === state) continue;
      const session = { sessionId, sessionKey };
      const imported = await database.snapshot(() => importSession(engine, { database, agent, session }));
      // OpenClaw rebuilds the active path, which changes the database again. The rest waits for it.
      if (imported === null) break;
      seen.set(sessionId, state);
      yield { ...session, imported };
    }
  }
}

interface SessionImport extends Pick<DatabaseImport, "database" | "agent"> {
  readonly session: { readonly sessionId: string; readonly sessionKey: string };
}

async function importSession(
  engine: Engine,
  { database, agent, session }: SessionImport,
): Promise<number | null> {
  const found = database.sessions().find(({ sessionId }) => sessionId === session.sessionId);
  if (found?.isReadable !== true) return null;
  const target = { agentId: agent, ...session };
  const project = database.folder(session.sessionId);
  return catchUp(engine, { sdk: databaseSdk(database, found), session, target, project });
}

/** Sessions with one key are consecutive. Those before the last stored one are complete. */
function toFollow(sessions: readonly OpenclawSession[], stored: string | null): readonly OpenclawSession[] {
  const end = sessions.findLastIndex(({ isCurrent }) => isCurrent);
  const upToNow = end < 0 ? sessions : sessions.slice(0, end + 1);
  const from = upToNow.findIndex(({ sessionId }) => sessionId === stored);
  if (stored !== null && from < 0) return upToNow.slice(-1).filter(({ isEmpty }) => !isEmpty);
  return upToNow.slice(Math.max(0, from)).filter(({ isEmpty }) => !isEmpty);
}

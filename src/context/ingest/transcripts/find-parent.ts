/** The conversation that a host's session was forked from, if it is stored. */
import path from "node:path";
import type { SessionParent } from "../../../message/hosts/transcript-format.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { HostContext } from "../../../types.ts";

type Link = Pick<HostContext, "parent" | "relation">;

export const NO_LINK: Link = { parent: null, relation: null };

export async function findParent(store: ScopedStore, parent: SessionParent): Promise<Link> {
  const found = await find(store, parent);
  return found === undefined ? NO_LINK : { parent: found, relation: parent.relation };
}

async function find(store: ScopedStore, parent: SessionParent): Promise<string | undefined> {
  if ("path" in parent) return readFrom(store, parent.path);
  if ("sessionId" in parent) return newestOf(store, parent.sessionId);
  // The oldest conversation is the entry's origin; the others are forks like this one.
  return (await store.conversationsWith(parent.entryKey))[0];
}

async function readFrom(store: ScopedStore, file: string): Promise<string | undefined> {
  return (await store.transcriptsAt(path.resolve(file))).at(-1)?.conversation;
}

/** The session may have been archived since. */
async function newestOf(store: ScopedStore, session: string): Promise<string | undefined> {
  const active = await store.conversation({ sessionId: session, sessionKey: null });
  if (active !== undefined) return active.id;
  const { rows } = await store.conversations({ session, archived: true, limit: 1 });
  return rows[0]?.id;
}

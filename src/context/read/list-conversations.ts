import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { everyRow } from "../../store/every-row.ts";
import type { ConversationQuery, ListedConversation, ScopedStore } from "../../store/store.ts";
import { requirePointInTime } from "../../text/asked-time.ts";
import type { listConversationsInput } from "../inputs.ts";

export type ListConversationsInput = z.input<typeof listConversationsInput>;

export interface ConversationList {
  readonly conversations: readonly ListedConversation[];
  /** Null on the last page. */
  readonly next: number | null;
}

export async function listConversations(
  store: ScopedStore,
  { project, since, before, ...input }: ListConversationsInput,
  now: number,
): Promise<ConversationList> {
  const { rows, next } = await store.conversations({
    ...input,
    ...projectQuery(project),
    order: "active",
    since: since && requirePointInTime("since", since, now),
    before: before && requirePointInTime("before", before, now),
  });
  return { conversations: rows, next };
}

/** Ids of the conversations started in this folder or below it, including archived ones. */
export async function conversationsOf(store: ScopedStore, project: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const page = (from: number) => store.conversations({ archived: true, from, ...projectQuery(project) });
  for await (const { id } of everyRow(page)) ids.add(id);
  return ids;
}

/** Hosts report absolute folders. A folder that does not exist on this machine is compared by name only. */
function projectQuery(given: string | undefined): Pick<ConversationQuery, "project" | "realProject"> {
  if (given === undefined) return {};
  const project = path.resolve(given);
  return { project, realProject: existsSync(project) ? realpathSync(project) : project };
}

/** Changes the search index: adds a segment, and removes those that it was merged from. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { Port } from "../port.ts";
import type { IndexWrite, NewSegment } from "../search-store.ts";
import {
  type ConversationIds,
  findObstacles,
  insertSegment,
  lockConversations,
  removeSegments,
} from "../tables/search-segments.ts";

/** Returns the id of the new segment. */
export async function writeIndex(
  port: Port,
  scope: Scope,
  { replaces, segment }: IndexWrite,
): Promise<number | null> {
  const wanted = [...new Set(segment?.runs.map((run) => run.conversation))];
  const ids = await lockConversations(port, scope, wanted);
  if (wanted.some((id) => !ids.has(id))) throw overtaken("a conversation was deleted meanwhile");
  port.derived.lockIndex(scope);
  if ((await removeSegments(port, scope, replaces)) !== replaces.length)
    throw overtaken("one of its segments is not there any more");
  if (segment === null) return null;
  await requireFree(port, scope, segment, ids);
  return insertSegment(port, scope, segment, ids);
}

async function requireFree(
  port: Port,
  { tenant }: Scope,
  { runs }: NewSegment,
  ids: ConversationIds,
): Promise<void> {
  const obstacles = await findObstacles(port, tenant, runs, ids);
  obstacles.forEach(({ is_taken, erased }, place) => {
    if (is_taken) throw overtaken("another process has indexed this");
    const known = runs[place]?.erased;
    if (known !== undefined && erased !== known) throw overtaken("something was erased meanwhile");
  });
}

function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `the search index changed meanwhile: ${why}`, {
    advice: "Try again; nothing was written.",
  });
}

/** Refuses memories made from content that was erased at the same time. */
import type { MemoryRelation, MemorySource } from "../../memory-types.ts";
import type { Port } from "../port.ts";
import { deletedConversation, overtaken } from "../rules/overtaken.ts";
import { findObstacles } from "../tables/erased-origins.ts";

export async function requireUntouched(
  port: Port,
  tenant: string,
  sources: readonly MemorySource[],
  relations: readonly MemoryRelation[],
): Promise<void> {
  const found = await findObstacles(port, tenant, sources, relations);
  if (typeof found?.deleted === "string") throw deletedConversation(found.deleted);
  if (found?.messageErased) throw overtaken("a source message was erased");
  if (found?.memoryErased) throw overtaken("a source memory was erased");
}

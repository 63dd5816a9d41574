/** Sub-agents: their conversation is linked to their parent's before they start, and archived when they have ended. */

import { openConversation } from "../../src/host/openclaw/catch-up.ts";
import type { Bridges } from "./bridges.ts";
import type { ContextEngine } from "./types.ts";

type Spawn = Parameters<ContextEngine["prepareSubagentSpawn"]>[0];

export async function linkChild(bridges: Bridges, spawn: Spawn): Promise<void> {
  const { parentSessionKey, childSessionKey, parentSessionId, childSessionId } = spawn;
  const child = { sessionId: childSessionId ?? childSessionKey, sessionKey: childSessionKey };
  const parent = { sessionId: parentSessionId ?? parentSessionKey, sessionKey: parentSessionKey };
  await bridges.ofSession(child).attempt<void>("linking a sub-agent", undefined, async (engine) => {
    // The first turn of the parent may still be running and not be stored yet.
    const id = await openConversation(engine, parent, { type: "spawned", child: childSessionKey });
    if (id !== null)
      await openConversation(engine, child, { type: "spawned by", parent: parentSessionKey }, id);
  });
}

export function unlinkChild(bridges: Bridges, childSessionKey: string): Promise<void> {
  const child = { sessionId: childSessionKey, sessionKey: childSessionKey };
  return bridges.ofSession(child).changed(child, { reason: "reset" });
}

/**
 * The plugin for OpenCode. It reports events to the daemon, and the daemon imports OpenCode's database. Hints and
 * the digest after a compaction are added to the model's input, never to the session itself, so they are the
 * same in each request of a process but are not recorded. On any fault OpenCode continues as it would without the
 * plugin.
 */
import { type StoreVariables, setStore } from "../../src/config/daemon-address.ts";
import { tellDaemon } from "../../src/hooks/daemon/client.ts";
import type { HookAnswer } from "../../src/hooks/hook-event.ts";
import type { Hooks, ShownMessage } from "./types.ts";

/** `command`: the program and first arguments that run `lcm`. OpenCode does not run on Node. `store`: variables that name it. */
export function palimpsest(command: readonly string[], store: StoreVariables = []): () => Promise<Hooks> {
  setStore(store);
  const tell = async (
    hook_event_name: string,
    session_id: string,
    more: object = {},
  ): Promise<HookAnswer> => {
    const given = JSON.stringify({ hook_event_name, session_id, ...more });
    const answer = await tellDaemon("opencode", given, command).catch(() => "");
    return answer === "" ? {} : JSON.parse(answer);
  };
  /** Text added to a message, by its id. */
  const added = new Map<string, Promise<string | undefined>>();
  const addedTo = (id: string, find: () => Promise<HookAnswer>): Promise<string | undefined> => {
    const known = added.get(id) ?? find().then(({ context }) => context);
    added.set(id, known);
    return known;
  };
  const digest = async ({ id, sessionID }: ShownMessage["info"]) =>
    addedTo(id, () => tell("SessionStart", sessionID, { source: "compact" }));

  return async () => ({
    event: async ({ event: { type, properties } }) => {
      const session = properties?.sessionID;
      if (type === "session.idle" && session !== undefined) await tell("Stop", session);
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.map(({ text = "" }) => text).join("\n");
      await addedTo(message.id, () => tell("UserPromptSubmit", sessionID, { prompt }));
    },
    "tool.execute.after": async ({ sessionID, tool, callID }, result) => {
      const call = { tool_name: tool, tool_use_id: callID, tool_response: result.output };
      const { toolResult } = await tell("PostToolUse", sessionID, call);
      if (typeof toolResult === "string") result.output = toolResult;
    },
    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      const { instructions } = await tell("PreCompact", sessionID);
      if (instructions !== undefined) context.push(instructions);
    },
    "experimental.chat.messages.transform": async (_, { messages }) => {
      for (const { info, parts } of messages) {
        const isSummary = info.role === "assistant" && info.summary === true;
        const text = await (isSummary ? digest(info) : added.get(info.id));
        if (text !== undefined) parts.push({ type: "text", text });
      }
    },
  });
}

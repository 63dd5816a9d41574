/** The tools that messages call or answer. */
import type { ScopedStore, StoredMessage } from "../../store/store.ts";

/** Number of earlier messages that are searched for the tool names of a message's results. */
const LOOK_BACK = 64;

/** Most hosts name a tool only in the call; the result has the id of the call. */
export class ToolNames {
  readonly #byCall = new Map<string, string>();

  /** Reads the tools called shortly before a message. */
  static async before(store: ScopedStore, conversation: string, seq: number): Promise<ToolNames> {
    const names = new ToolNames();
    if (seq === 1) return names;
    const range = { from: Math.max(1, seq - LOOK_BACK), to: seq - 1, withoutContent: true };
    for (const message of (await store.messages(conversation, range)).rows) names.toolsOf(message);
    return names;
  }

  /** The tools that a message calls or answers. Pass the messages in order. */
  toolsOf({ parts }: Pick<StoredMessage, "parts">): string[] {
    const tools = new Set<string>();
    for (const { toolCallId, toolName } of parts) {
      if (toolCallId !== null && toolName !== null) this.#byCall.set(toolCallId, toolName);
      const name = toolName ?? this.#byCall.get(toolCallId ?? "");
      if (name !== undefined) tools.add(name);
    }
    return [...tools];
  }
}

/** For a single message. Earlier messages are read only if a result has no name. */
export async function toolsOfMessage(
  store: ScopedStore,
  conversation: string,
  message: StoredMessage,
): Promise<readonly string[]> {
  const isNamed = message.parts.every(({ toolCallId, toolName }) => toolCallId === null || toolName !== null);
  const names = isNamed ? new ToolNames() : await ToolNames.before(store, conversation, message.seq);
  return names.toolsOf(message);
}

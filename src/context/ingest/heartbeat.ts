/**
 * A heartbeat turn is a host's poll that the agent only acknowledged. Its messages are kept; with
 * `pruneHeartbeatOk` they stay out of the context.
 */
import type { Part, Role } from "../../types.ts";

export interface HeartbeatCandidate {
  readonly role: Role;
  readonly parts: readonly Part[];
}

const ACKNOWLEDGEMENT = "HEARTBEAT_OK";

export function isHeartbeatTurn(messages: readonly HeartbeatCandidate[]): boolean {
  const answers = messages.filter((message) => message.role === "assistant");
  const polls = messages.filter((message) => message.role === "user");
  return (
    answers.length === 1 &&
    polls.length === 1 &&
    messages.length === 2 &&
    answers.every((message) => plainText(message)?.trim() === ACKNOWLEDGEMENT) &&
    polls.every((message) => /heartbeat/i.test(plainText(message) ?? ""))
  );
}

/** The text of a message that is nothing but text. */
function plainText(message: HeartbeatCandidate): string | undefined {
  const texts: string[] = [];
  for (const part of message.parts) {
    if (part.type !== "text") return undefined;
    texts.push(part.text);
  }
  return texts.join("\n");
}

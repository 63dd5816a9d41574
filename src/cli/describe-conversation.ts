import { counted } from "./amounts.ts";
import type { CommandLine } from "./command-line.ts";
import { oneLine } from "./escape-controls.ts";

/** What a question says about the conversation that it concerns, so that a slip is noticed. */
export async function describeConversation(cli: CommandLine, id: string): Promise<string> {
  const { read } = await import("../operations/read.ts");
  const { conversation } = await cli.run(read, { id, limit: 1 });
  const name = oneLine(conversation.title ?? conversation.sessionId);
  return `${conversation.id} "${name}" with ${counted(conversation.messageCount, "message")}`;
}

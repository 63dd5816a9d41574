/** `/lcm` in a chat: shows stored data, and compacts, expands and checks it without a model. */
import { operations, runOperation, setUp } from "../../src/operations/index.ts";
import { count, counted } from "../../src/text/counted.ts";
import { type Bridges, isSubagent, sessionOf } from "./bridges.ts";
import { callTool } from "./call-tool.ts";
import type { CallContext } from "./types.ts";

const USAGE = [
  "/lcm status: show what is stored of this session",
  "/lcm compact: summarise older messages now",
  "/lcm expand <summary id>: show the sources of a summary",
  "/lcm doctor: check the installation",
].join("\n");

interface Call {
  readonly bridges: Bridges;
  readonly context: CallContext;
  readonly argument: string;
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<string>>> = {
  status,
  compact,
  expand,
  doctor,
};

export async function runCommand(bridges: Bridges, args: string, context: CallContext): Promise<string> {
  const [name = "status", argument = ""] = args.trim().split(/\s+/).filter(Boolean);
  const run = COMMANDS[name];
  if (run === undefined) return `/lcm has no command '${name}'.\n${USAGE}`;
  try {
    return await run({ bridges, context, argument });
  } catch (error) {
    return `Palimpsest: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function status({ bridges, context }: Call): Promise<string> {
  const engine = await bridges.ofSession(context).engine();
  const { version, location, conversations, messages, summaries, memory } = await runOperation(
    operations.status,
    engine,
    {},
  );
  const own = await engine.context.conversations.get(sessionOf(context)).catch(() => null);
  const session =
    own === null
      ? "This session: nothing is stored yet."
      : `This session: ${own.id}, ${counted(own.messageCount, "message")}, context of ${count(own.contextTokens)} tokens in ${counted(own.contextItems, "item")}.`;
  return [
    `Palimpsest ${version}, store ${location}`,
    `${counted(conversations, "conversation")}, ${counted(messages, "message")}, ${counted(summaries, "summary", "summaries")}, ${counted(memory.active, "memory", "memories")}.`,
    session,
  ].join("\n");
}

/** Commands get no model from the host: the configured one writes the summaries, or they are extracted. */
async function compact({ bridges, context }: Call): Promise<string> {
  const { context: conversations } = await bridges.ofSession(context).engine();
  const { tokensBefore, tokensAfter, passes } = await conversations.compact({
    conversation: sessionOf(context),
  });
  return passes.length === 0
    ? `Nothing to summarise: the context has ${count(tokensBefore)} tokens.`
    : `${counted(passes.length, "summary", "summaries")} written. Context: ${count(tokensBefore)} → ${count(tokensAfter)} tokens.`;
}

async function expand({ bridges, context, argument }: Call): Promise<string> {
  if (argument === "") return "Name a summary: /lcm expand sum_0123456789abcdef";
  const engine = await bridges.ofSession(context).engineFor(sessionOf(context), isSubagent(context));
  return callTool("lcm_expand", engine, { summary: argument });
}

async function doctor({ bridges }: Call): Promise<string> {
  const { findings } = await runOperation(operations.doctor, setUp({ options: bridges.host.settings }), {});
  const lines = findings.map(({ status: state, check, message, advice }) =>
    [`${state} ${check}: ${message}`, ...(advice === null ? [] : [`  ${advice}`])].join("\n"),
  );
  return lines.join("\n");
}

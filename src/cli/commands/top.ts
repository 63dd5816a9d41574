/** `lcm top`: shows the activity in the store, by any process, until Ctrl-C. */
import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { listConversations } from "../../operations/conversations/conversations-list.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { status } from "../../operations/status.ts";
import { bytes, count, counted } from "../../text/counted.ts";
import type { Look } from "../../text/terminal/look.ts";
import { bar, table } from "../../text/terminal/table.ts";
import type { CommandLine } from "../command-line.ts";

const LISTED = 15;
/** The minimum width of a terminal for whole bars. */
const WIDE = 120;
const NARROW_BAR = 8;
/** Moves the cursor to the upper left corner and clears the screen. */
const CLEAR = "\u001b[H\u001b[J";

interface Options {
  readonly every?: string;
  readonly once?: true;
}

interface Seen {
  readonly atMs: number;
  readonly messages: number;
}

export function addTop(program: Command, cli: CommandLine): void {
  program
    .command("top")
    .description("Show live activity: messages per second, sizes, and the conversations that change.")
    .option("--every <seconds>", "Seconds between updates. Default 1.")
    .option("--once", "Print once and exit.")
    .action(async ({ every, once }: Options) => {
      const pauseMs = pauseOf(every);
      const engine = await cli.engine();
      const isOnce = once === true || cli.json || !cli.terminal.isOutputShown;
      let before: Seen | null = null;
      for (;;) {
        const now = await read(engine);
        if (cli.json) return cli.writeJson(now);
        const drawn = draw(now, before, engine, cli.look());
        await cli.writeText(isOnce ? drawn : CLEAR + drawn);
        if (isOnce) return;
        before = { atMs: now.atMs, messages: now.status.messages };
        await wait(pauseMs, undefined, { signal: cli.signal }).catch(() => undefined);
        if (cli.signal.aborted) return;
      }
    });
}

async function read(engine: Engine) {
  const [found, { conversations }] = await Promise.all([
    runOperation(status, engine, {}),
    runOperation(listConversations, engine, { limit: LISTED }),
  ]);
  return { atMs: performance.now(), status: found, conversations };
}

type Read = Awaited<ReturnType<typeof read>>;

function draw(
  { atMs, status: now, conversations }: Read,
  before: Seen | null,
  engine: Engine,
  look: Look,
): string {
  const seconds = before === null ? 0 : (atMs - before.atMs) / 1_000;
  const perSecond = before === null ? 0 : (now.messages - before.messages) / seconds;
  const { contextBudget } = engine.config;
  const isWide = look.columns >= WIDE;
  const barOf = (tokens: number) => bar(tokens, contextBudget, isWide ? undefined : NARROW_BAR);
  const rows = conversations.map((one) => [
    look.time(one.lastAt ?? one.updatedAt),
    count(one.messageCount),
    `${barOf(one.contextTokens)} ${count(one.contextTokens)}`,
    one.host ?? "",
    one.title ?? one.sessionId,
  ]);
  const columns = [
    { title: "last" },
    { title: "messages", align: "right" },
    { title: isWide ? `context of ${count(contextBudget)} tokens` : "context" },
    { title: "host" },
    { title: "title", flexible: true },
  ] as const;
  return [
    look.style("bold", now.location),
    look.wrap(
      `${counted(now.messages, "message")}, ${perSecond.toFixed(1)}/s · ${counted(now.conversations, "conversation")} · ${counted(now.summaries, "summary", "summaries")} · ${counted(now.memories, "memory", "memories")} · ${bytes(now.bytesOnDisk)}`,
    ),
    "",
    table(columns, rows, look),
  ].join("\n");
}

function pauseOf(every: string | undefined): number {
  const seconds = Number(every ?? "1");
  if (seconds >= 0.1 && seconds <= 3_600) return seconds * 1_000;
  throw new PalimpsestError("invalid-input", `invalid --every value '${every}'`, {
    advice: "Use 0.1 to 3600 seconds.",
  });
}

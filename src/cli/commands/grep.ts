/** `lcm grep`: writes hits as they are found, if the search streams them. */
import {
  type FoundHit,
  type GrepArguments,
  type GrepOutput,
  grep,
  grepView,
} from "../../operations/retrieve/grep.ts";
import { closingOf, renderHit, renderHitCounts } from "../../operations/retrieve/grep-page.ts";
import { countedIn } from "../../text/counted.ts";
import { parseMessageId } from "../../text/identifiers.ts";
import { Call } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import type { Typed } from "../typed.ts";
import { writeAll } from "../write-all.ts";

/** The maximum page size of a search. */
const PAGE = 200;

type GrepCall = Awaited<ReturnType<typeof prepare>>;
const prepare = (cli: CommandLine, typed: Typed) => Call.prepare(cli, grep, typed);

export async function runGrep(cli: CommandLine, typed: Typed): Promise<void> {
  const call = await prepare(cli, typed);
  const { all, listConversations, count } = call.view.flags(grepView);
  if (listConversations === true || count === true) return writeCounts(call, count === true);
  const run: GrepCall["run"] = (onStep, signal) =>
    all === true ? runAll(call, onStep, signal) : call.run(onStep, signal);
  if (cli.json || call.input.scope === "files") return call.answer(await run(null));
  const output = await writeAll<FoundHit, GrepOutput>(cli, {
    run: (onHit, signal) =>
      run((step) => {
        if ("done" in step) cli.progress.show(`searching … ${countedIn(step.done, step.unit)}`);
        else onHit(step);
      }, signal),
    itemsOf: ({ hits }) => hits,
    render: renderHit,
    closing: (found) => closingOf(found, call.view),
  });
  if (output !== null) call.settle(output);
}

/** Every page of a search, as one answer. */
async function runAll(
  call: GrepCall,
  onStep: Parameters<GrepCall["run"]>[0],
  signal?: AbortSignal,
): Promise<GrepOutput> {
  const page = (cursor: string | undefined) => {
    const input: GrepArguments = { ...call.input, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    return new Call(call.cli, grep, call.typed, { on: call.on, input }).run(onStep, signal);
  };
  let output = await page(call.input.cursor);
  while (output.next !== null) {
    const { hits, fileHits, filesRead, bytesRead, opened } = output;
    const next = await page(output.next);
    output = {
      ...next,
      hits: [...hits, ...next.hits],
      fileHits: [...fileHits, ...next.fileHits],
      filesRead: filesRead + next.filesRead,
      bytesRead: bytesRead + next.bytesRead,
      opened: opened + next.opened,
    };
  }
  return output;
}

async function writeCounts(call: GrepCall, onlyTotal: boolean): Promise<void> {
  const { cli, view } = call;
  const output = await runAll(call, null);
  call.settle(output);
  const total = output.hits.length + output.fileHits.length;
  if (onlyTotal) return cli.json ? cli.writeJson({ count: total }) : cli.writeText(String(total));
  const conversations = conversationsWithHits(output);
  if (cli.json) return cli.writeJson({ conversations });
  await cli.writeText(total === 0 ? closingOf(output, view) : renderHitCounts(conversations, view.look));
}

interface HitCount {
  readonly conversation: string;
  readonly title: string | null;
  readonly hits: number;
}

/** Conversations with the most hits first. */
function conversationsWithHits({ hits, fileHits }: GrepOutput): HitCount[] {
  const counts = new Map<string, HitCount>();
  for (const { conversation, title } of [...hits, ...fileHits.map(conversationOfFile)]) {
    const before = counts.get(conversation)?.hits ?? 0;
    counts.set(conversation, { conversation, title, hits: before + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.hits - a.hits);
}

function conversationOfFile({ message }: GrepOutput["fileHits"][number]) {
  return { conversation: parseMessageId(message).conversation, title: null };
}

import type { Command } from "commander";
import type { ToolCall } from "../../context/delegate/granted-tools.ts";
import type { expandQuery } from "../../operations/retrieve/expand-query.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { adviceForTerminals } from "../../text/hints/advice-for-terminals.ts";
import { count, counted, countedIn } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import type { Look } from "../look.ts";
import { names, positiveNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";

type Output = OutputOf<typeof expandQuery>;

interface Options {
  readonly query?: string;
  readonly summary?: readonly string[];
  readonly conversation?: readonly string[];
  readonly maxTokens?: number;
  readonly tokenCap?: number;
  readonly timeout?: number;
}

export function addExpandQuery(program: Command, cli: CommandLine): void {
  program
    .command("expand-query <question...>")
    .alias("ask")
    .description("ask a question about what was said; the answer names its sources")
    .option("--query <words>", "what to search for first, where it is not the words of the question")
    .option("--summary <ids>", "look under these summaries (repeat or separate by comma)", names)
    .option("--conversation <names>", "only these conversations (repeat or separate by comma)", names)
    .option("--max-tokens <tokens>", "most tokens of the answer (2,000)", positiveNumber)
    .option("--token-cap <tokens>", "most tokens that may be read for it", positiveNumber)
    .option("--timeout <seconds>", "give up after this time", positiveNumber)
    .action(async (question: readonly string[], options: Options) => {
      const { expandQuery } = await import("../../operations/retrieve/expand-query.ts");
      const { query, summary, conversation, maxTokens, tokenCap, timeout } = options;
      const input = {
        prompt: question.join(" "),
        query,
        summaryIds: summary,
        conversations: conversation,
        maxTokens,
        tokenCap,
        timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      };
      cli.progress.show("asking …");
      const output = await cli.run(expandQuery, input, (call) => cli.progress.show(stepLine(call)));
      cli.exitCode = exitCodeOf(output);
      await cli.answer(output, (look) => render(output, look));
      if (!cli.json && output.citations[0] !== undefined)
        await cli.terminal.write(`\nnext: ${cli.suggest(nextOf(output.citations[0]))}\n`);
    });
}

function stepLine({ tool, done, unit }: ToolCall): string {
  return `asking … ${tool}, ${countedIn(done, unit)}`;
}

function nextOf({ kind, id }: Output["citations"][number]): string {
  return kind === "message" ? `read ${id}` : `expand ${id}`;
}

/** Passages are an answer, whatever became of the model. */
function exitCodeOf({ method, citations, failure }: Output): number {
  if (method === "model" || citations.length > 0) return 0;
  if (failure === null) return EXIT_CODES["not-found"];
  if (failure.code === "cancelled") return EXIT_CODES.cancelled;
  return failure.code === "busy" ? EXIT_CODES.busy : EXIT_CODES["model-unavailable"];
}

function render(output: Output, look: Look): string {
  const { answer, failure, removedCitations } = output;
  return [
    ...(failure === null
      ? []
      : [
          `${look.style("yellow", `⚠ ${failure.code}: ${failure.message}`)}\n  ${adviceForTerminals(failure.advice)}`,
        ]),
    ...(answer === "" ? [] : [escapeControls(answer)]),
    ...(removedCitations.length === 0
      ? []
      : [
          `⚠ taken out: ${removedCitations.map(({ id, why }) => `${escapeControls(id)} (${why})`).join(", ")}`,
        ]),
    look.style("dim", factsOf(output)),
  ].join("\n\n");
}

function factsOf({
  method,
  model,
  steps,
  tokensRead,
  tokenCap,
  citations,
  conversations,
  truncated,
}: Output) {
  const facts = [
    method === "model" ? `${model}, ${counted(steps, "call")}` : method,
    counted(citations.length, "source"),
    counted(conversations.length, "conversation"),
    ...(tokensRead === 0 ? [] : [`${count(tokensRead)} of ${counted(tokenCap, "token")} read`]),
    ...(truncated ? ["cut"] : []),
  ];
  return facts.join(" · ");
}

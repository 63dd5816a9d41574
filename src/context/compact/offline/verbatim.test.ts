import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { checkFidelity } from "../check-fidelity.ts";
import { EXPAND } from "../format-lines.ts";
import { NO_LIMITS, renderSource } from "../render-source.ts";
import type { SourceMessage, SummarySource } from "../source.ts";
import { summariseOffline } from "../summarise-offline.ts";
import { call, message, result } from "../testing/source-samples.ts";

const leaf = (messages: readonly SourceMessage[]): SummarySource => ({ kind: "leaf", messages });
const summarise = (source: SummarySource, targetTokens = 2_000) =>
  summariseOffline(source, { targetTokens, countTokens: estimateTokens, timezone: "UTC" });
const wholeText = (source: SummarySource) => renderSource(source, { timezone: "UTC", limits: NO_LIMITS });

const hash = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const name = fc.constantFrom("init", "query_docs", "context7", "settings", "main2", "user_id");
const word = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("login", "must", "never", "error", "fixed", "the", "port", "tests"),
  },
  hash(7),
  hash(40),
  name.map((one) => `__${one}__`),
  name.map((one) => `__${one}__.py`),
  fc.tuple(name, name).map(([one, two]) => `mcp__${one}__${two}-docs`),
  name.map((one) => `**${one}`),
  name.map((one) => `**${one}**`),
  name.map((one) => `\`**${one}\``),
  fc.constantFrom(
    "src/**/*.ts",
    "**/*.test.ts",
    "lib/**",
    "2**10",
    "a_b__c",
    "--no-verify",
    "v1.2.3",
    "1,220p",
  ),
  fc.constantFrom(
    "`__init__.py`",
    "`a**b**c`",
    "12.5",
    "2x4",
    "-5",
    "3dfx",
    ">=3",
    "12:30",
    "1.",
    "7)",
    "10.0.0.1",
  ),
);
const line = fc
  .tuple(
    fc.constantFrom("", "", "- ", "1. ", "12) ", "> ", "**Rule:** ", "    "),
    fc.array(word, { minLength: 4, maxLength: 12 }),
    fc.constantFrom("", ".", ":", ", **never** again."),
  )
  .map(([start, words, end]) => `${start}${words.join(" ")}${end}`);
const lines = fc.array(line, { minLength: 1, maxLength: 6 }).map((list) => list.join("\n"));
const command = fc
  .tuple(fc.constantFrom("git log --oneline", "sed -n '1,220p;230q'", "rg -g '**/*.py'"), word)
  .map((pieces) => pieces.join(" "));
const turns = fc.array(fc.tuple(lines, command, lines, lines), { minLength: 1, maxLength: 5 });

function messagesOf(list: readonly (readonly [string, string, string, string])[]): SourceMessage[] {
  return list.flatMap(([said, run, printed, answer], i) => [
    message(4 * i + 1, "user", said),
    message(4 * i + 2, "assistant", call(`c${i}`, "bash", { command: run })),
    message(4 * i + 3, "tool", result(`c${i}`, `${printed}\n`.repeat(i === 0 ? 12 : 1))),
    message(4 * i + 4, "assistant", answer),
  ]);
}

/** Lines that quote the source, without their speaker and time. */
function statementsOf(summary: string): string[] {
  return summary
    .split("\n")
    .filter((one) => /^\d\d:\d\d \w+: /.test(one) || one.startsWith(EXPAND))
    .map((one) => (one.startsWith(EXPAND) ? one.slice(EXPAND.length) : one.replace(/^\d\d:\d\d \w+: /, "")));
}

function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((one) => !/…[`;]*$/.test(one))
    .map((one) => one.replace(/^["'`*([{;:,.!?]+|["'`*)\]};:,.!?]+$/g, ""))
    .filter((one) => /[\d_/.-]/.test(one));
}

/** Not as part of a longer word. */
function occursIn(source: string, token: string): boolean {
  const quoted = token.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${quoted}(?!\\w)`).test(source);
}

describe("the words of an extractive summary", () => {
  it("are words of its source", () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 96, max: 2_000 }), (list, target) => {
        const source = leaf(messagesOf(list));
        const text = wholeText(source);
        const summary = summarise(source, target);
        const strange = statementsOf(summary)
          .flatMap(wordsOf)
          .filter((one) => !occursIn(text, one));
        expect(strange).toEqual([]);
        expect(checkFidelity(text, summary).invented).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("are not the rest of a line that was cut", () => {
    const printed = "src/login.ts:1234 must never import __settings__ again in this folder\n".repeat(400);
    const messages = [
      message(1, "assistant", call("a", "bash", { command: "cat notes" })),
      message(2, "tool", result("a", `${printed}${"x".repeat(9)}`)),
    ];
    const source = leaf(messages);
    const strange = wordsOf(statementsOf(summarise(source)).join(" "));
    expect(strange.filter((one) => !occursIn(wholeText(source), one))).toEqual([]);
  });

  it.each([
    "9b6bd9e fix the login error of yesterday",
    "868a77e add a failing test for the login error",
    "18879723b85cb81e58d0f9a27242bb3763ec556c fixes the error in the login of guests who came back after the weekend",
    "12.5 errors per hour are what remains",
    "12:30 the errors began on all machines",
    "-5 degrees is the error of the sensor",
  ])("begin a line that a tool printed: %j", (printed) => {
    const messages = [
      message(1, "assistant", call("a", "bash", { command: "cat notes" })),
      message(2, "tool", result("a", `${printed}${"\nnone".repeat(3)}`)),
    ];
    expect(summarise(leaf(messages))).toContain(printed);
  });

  it.each([
    "`__init__.py` must not import settings, use `**kwargs`.",
    "__init__.py must not import settings, use **kwargs, not *args.",
    "Never call mcp__context7__query-docs for src/**/*.ts and **/*.py in lib/**.",
    ">=3 errors must stop the run.",
  ])("hold no emphasis: %j", (said) => {
    expect(summarise(leaf([message(1, "user", said)]))).toContain(`user: ${said}`);
  });

  it.each([
    ["**Rule:** never write to `a**b`.", "Rule: never write to `a**b`."],
    ["1. You must **never (ever) do that**, Maren.", "You must never (ever) do that, Maren."],
    ["これは**絶対に**必要です。", "これは絶対に必要です。"],
  ])("lose emphasis: %j", (said, plain) => {
    expect(summarise(leaf([message(1, "user", said)]))).toContain(`user: ${plain}`);
  });

  it("stay whole in the last line, whatever it lists", () => {
    const commands = ["sed -n '1,220p' /srv/app/login.ts", "sed -n '1,5p; 9p' /srv/app/main.ts"];
    const messages = commands.flatMap((run, i) => [
      message(2 * i + 1, "assistant", call(`c${i}`, "bash", { command: run })),
      message(2 * i + 2, "tool", result(`c${i}`, "x = 1;\n".repeat(400 - i))),
    ]);
    expect(summarise(leaf(messages)).split("\n").at(-1)).toBe(
      `${EXPAND} \`${commands[0]}\`; \`sed -n '1,5p…`,
    );
  });
});

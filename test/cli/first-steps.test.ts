/** What people try in their first hour at the command line. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import type { GrepOutput } from "../../src/operations/retrieve/grep.ts";
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import { reply, startScriptedModel } from "../scripted-model.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { withEngine } from "./stores.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");
const DAY = 86_400_000;

const run = (...args: string[]) => lcm(["--data", data, ...args], { folder });
const runJson = <Answer>(...args: string[]) => lcmJson<Answer>(["--data", data, ...args], { folder });

beforeAll(async () => {
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const at = (days: number) => new Date(midnight - days * DAY + 1000).toISOString();
  await withEngine(data, async (engine) => {
    for (const [conversation, days] of [
      ["harbour", 0],
      ["bakery", 1],
      ["museum", 40],
    ] as const)
      await engine.context.commitTurn({
        conversation,
        key: "1",
        messages: [
          { role: "user", content: `Please plan the ${conversation} tour.`, createdAt: at(days) },
          { role: "assistant", content: `The ${conversation} tour is planned.`, createdAt: at(days) },
        ],
      });
  });
});

describe("errors about arguments", () => {
  it.each([
    [["ask", ""], "ask: question must not be empty"],
    [["memory", "recall", ""], "memory recall: question must not be empty"],
    [["memory", "store", ""], "memory store: text must not be empty"],
    [["memory", "store", "x", "--key", ""], "memory store: --key must not be empty"],
    [["read", "harbour", "--from", "20", "--to", "10"], "--from (20) is greater than --to (10)"],
    [
      ["grep", "x", "--since", "2026-02-01", "--before", "2026-01-01"],
      "--since must be earlier than --before",
    ],
    [["grep", "-e", "(?=x)"], "To search for literal text, use --exact."],
    [["grep", "--mode", "hybrid", "x"], "To search by words, omit --mode."],
    [["grep", "--mode", "hybrid", "--scope", "files", "x"], "Omit --mode, or use --regex or --exact."],
    [["setup"], "host: claude-code, codex, gemini, opencode or copilot."],
  ])("name them as they are typed: %j", async (args, expected) => {
    const refused = await run(...args);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(expected);
  });
});

describe("amounts, times and files as people write them", () => {
  it("takes 32k for a budget", async () => {
    expect(await runJson("context", "harbour", "--budget", "32k")).toMatchObject({ budget: 32_000 });
    const refused = await run("context", "harbour", "--budget", "32x");
    expect(refused.stderr).toContain("It must be a whole number of at least 1, such as 32000 or 32k.");
  });

  it("names values that it accepts, where it refuses one", async () => {
    const tokens = await run("ask", "which port", "--max-tokens", "50");
    expect(tokens.stderr).toContain("It must be a whole number from 100 to 20,000, such as 2000 or 2k.");
    const seconds = await run("ask", "which port", "--timeout", "100000");
    expect(seconds.stderr).toContain("It must be a whole number of seconds from 1 to 600.");
    expect((await run("ask", "--help")).stdout).toMatch(/--max-tokens <tokens>[^-]*2k means\s+2,000/);
    const until = await run("memory", "update", "--help");
    expect(until.stdout).toContain("End of its validity; none removes it.");
  });

  it("takes names of days for times", async () => {
    const totals = await Promise.all(
      ["today", "yesterday", "last year"].map(async (since) => {
        const { total } = await runJson<{ total: number }>("recent", "--since", since);
        return total;
      }),
    );
    expect(totals).toEqual([2, 4, 6]);
    expect(await runJson("recent", "--before", "yesterday")).toMatchObject({ total: 2 });
  });

  it("writes memories to a pipe, or to the file that -o names", async () => {
    await run("memory", "store", "The harbour opens at nine.");
    const piped = await run("memory", "export");
    const file = path.join(folder, "memories.jsonl");
    const written = await run("memory", "export", "-o", file);
    expect(written.stdout).toContain(`Export: ${file}`);
    const withoutHead = (text: string) => text.split("\n").slice(1).join("\n");
    expect(piped.stdout).toContain("The harbour opens at nine.");
    expect(withoutHead(piped.stdout)).toBe(withoutHead(readFileSync(file, "utf8")));
  });
});

describe("lcm grep", () => {
  it("names the conversation of each hit, for people and for models", async () => {
    const { hits } = await runJson<GrepOutput>("grep", "planned");
    const title = "Please plan the bakery tour.";
    expect(hits.map((hit) => hit.title)).toContain(title);
    const bakery = hits.find((hit) => hit.title === title)?.conversation;
    const { stdout } = await run("grep", "planned");
    expect(stdout).toContain(`\nin ${bakery} · ${title}\n`);
    expect((await run("recent", "--since", "yesterday")).stdout).toContain(`\nin ${bakery} · ${title}\n`);
    const shown = await withEngine(data, (engine) => callTool(engine, "lcm_grep", { pattern: "planned" }));
    expect(shown).toContain(`${bakery} "${title}"`);
  });

  it("lists conversations with -l, counts with -c, and shows every page with --all", async () => {
    const listed = await runJson<{ conversations: { conversation: string; hits: number }[] }>(
      ...["grep", "-l", "tour"],
    );
    expect(listed.conversations.map(({ hits }) => hits)).toEqual([2, 2, 2]);
    const table = await run("grep", "-l", "--exact", "harbour");
    expect(table.stdout).toMatch(
      /^conversation +hits +title\nconv_[0-9a-f]{16} +2 +Please plan the harbour tour\.\n$/,
    );
    expect((await run("grep", "-c", "--regex", "tour")).stdout).toBe("6\n");
    expect(await run("grep", "-c", "zebra")).toMatchObject({ code: 3, stdout: "0\n" });
    const all = await run("grep", "--all", "--limit", "1", "tour");
    expect(all.stdout.match(/^in conv_/gm)).toHaveLength(6);
    expect(all.stdout).not.toContain("There is more");
    expect((await runJson<GrepOutput>("grep", "--all", "--regex", "tour")).hits).toHaveLength(6);
  });
});

describe("what goes and what is shown", () => {
  it("names what an erasure removes before it asks", async () => {
    const { hits } = await runJson<GrepOutput>("grep", "museum", "--role", "user");
    const [hit] = hits;
    await withEngine(data, (engine) =>
      engine.memory.store({ text: "The museum tour is planned.", sources: [hit?.id ?? ""] }),
    );
    const asked = await run("erase", hit?.id ?? "");
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      `This permanently erases ${hit?.id} (user: "Please plan the museum tour.") from `,
    );
    expect(asked.stderr).toContain("It removes 1 message and 1 memory.");
    const erased = await run("erase", hit?.id ?? "", "--yes");
    expect(erased.stdout).toMatch(/^Erased 1 message, 0 summaries .*, and 1 memory derived from them\.$/m);
  });

  it("keeps a description within its token cap", async () => {
    const { hits } = await runJson<GrepOutput>("grep", "bakery");
    const id = hits[0]?.id ?? "";
    const [whole, capped] = [await run("describe", id), await run("describe", id, "--token-cap", "40")];
    expect(estimateTokens(whole.stdout)).toBeGreaterThan(40);
    expect(estimateTokens(capped.stdout.trimEnd())).toBeLessThanOrEqual(40);
    expect(capped.stdout).toMatch(/\(cut to 40 of \d+ tokens\)\n$/);
    const shown = await withEngine(data, (engine) => callTool(engine, "lcm_describe", { id, tokenCap: 40 }));
    expect(estimateTokens(shown)).toBeLessThanOrEqual(40);
  });

  it("quotes no two passages that are nearly the same", async () => {
    const sentence = (hour: number) =>
      `The lighthouse keeper counted every ship that passed the northern pier before the fog came in at ${hour}.`;
    await withEngine(data, (engine) =>
      engine.context.commitTurn({
        conversation: "log",
        key: "1",
        messages: [1, 2, 3].map((hour) => ({ role: "user", content: sentence(hour) })),
      }),
    );
    const { stdout } = await run("ask", "What did the lighthouse keeper count?");
    expect(stdout.match(/lighthouse keeper counted/g)).toHaveLength(1);
  });

  it("lists conversations to models", async () => {
    const shown = await withEngine(data, (engine) => callTool(engine, "lcm_conversations", { limit: 3 }));
    expect(shown).toMatch(/^3 conversations\./);
    expect(shown).toMatch(/\nconv_[0-9a-f]{16} \(\d{4}-.* \| 2 messages \| \d+ tokens\)\n> Please plan the /);
    expect(shown).toMatch(/There are more: call lcm_conversations with \{"limit":3,"from":3\}\.$/);
  });
});

describe("ids", () => {
  const idOf = async (session: string) => (await runJson<Read>("read", session)).conversation.id;

  it("may be short where they name one thing", async () => {
    const id = await idOf("harbour");
    const digits = id.slice("conv_".length);
    const named = await Promise.all(
      [digits.slice(0, 8), id.slice(0, 13), `msg_${digits.slice(0, 8)}_1`, `${digits.slice(0, 8)}_1`].map(
        async (short) => (await runJson<Read>("read", short)).conversation.id,
      ),
    );
    expect(named).toEqual([id, id, id, id]);
    const { memories } = await runJson<{ memories: { id: string }[] }>("memory", "list");
    const memory = memories[0]?.id ?? "";
    const shown = await run("memory", "show", memory.slice("mem_".length, 12));
    expect(shown.stdout).toContain(memory);
    // Three digits are enough here with a probability of 0.999; the other answer says so.
    const three = await run("read", id.slice(0, "conv_000".length));
    expect(three.stdout + three.stderr).toMatch(new RegExp(`${digits}_1|matches 2 ids`));
    expect((await run("read", "0123456")).stderr).toContain("there is no conversation 0123456");
  });

  it("are refused when they are too short to name one", async () => {
    const short = await run("read", "conv_c0");
    expect(short).toMatchObject({ code: 2, stdout: "" });
    expect(short.stderr).toContain("conv_c0 is too short for an id\nType at least 3 digits after conv_.");
    const twins = path.join(folder, "twins");
    let made = 0;
    const random = (size: number) => Uint8Array.of(0xab, 0xcd, ...Array(size - 3).fill(0), ++made % 256);
    const engine = await open({ store: twins, config: { tenant: "default", agent: "default" }, random });
    for (const conversation of ["one", "two"])
      await engine.context.commitTurn({
        conversation,
        key: "1",
        messages: [{ role: "user", content: "hi" }],
      });
    await engine.close();
    const refused = await lcm(["--data", twins, "read", "abcd"], { folder });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("abcd matches 2 ids");
    expect(refused.stderr).toMatch(/Type more digits: conv_abcd00\w+, conv_abcd00\w+/);
  });

  it("are completed from the store", async () => {
    const id = await idOf("harbour");
    expect((await run("complete-id", id.slice(0, 12))).stdout).toBe(`${id}\n`);
    expect((await run("complete-id")).stdout.split("\n")).toContain(id);
    const messages = await run("complete-id", id.slice(0, 12).replace("conv", "msg"));
    expect(messages.stdout).toBe(`${id.replace("conv", "msg")}_\n`);
    expect((await run("--help")).stdout).not.toContain("complete-id");
  });
});

describe("lcm config set and lcm model test", () => {
  const place = path.join(folder, "configured");
  const at = (...args: string[]) => lcm(["--data", place, ...args], { folder });
  const file = path.join(place, "config.json");

  it("change a setting, and refuse what does not fit without writing it", async () => {
    const set = await at("config", "set", "contextBudget", "32k");
    expect(set).toMatchObject({ code: 0, stdout: `contextBudget is now 32000 (${file}).\n` });
    const refused = [
      await at("config", "set", "contextBudget", "many"),
      await at("config", "set", "contextBudgt", "3"),
    ];
    expect(refused.map(({ code }) => code)).toEqual([2, 2]);
    expect(refused[0]?.stderr).toContain('contextBudget must be a number, not "many"');
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ contextBudget: 32_000 });
    const reset = await at("config", "set", "contextBudget");
    expect(reset.stdout).toBe(`contextBudget reset to its default, 128000 (${file}).\n`);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
  });

  it("call the configured model once, and tell time, tokens and cost", async () => {
    const none = await at("model", "test");
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("lcm config set summaryModel");
    const model = await startScriptedModel(reply("OK", { cost: 0.0012 }));
    await at("config", "set", "summaryModel", "openrouter/vendor/model");
    await at("config", "set", "modelBaseUrl", model.url);
    await at("config", "set", "modelApiKey", "key-of-nobody");
    const tested = await at("model", "test").finally(() => model.close());
    expect(tested.stdout).toMatch(/^openrouter\/vendor\/model answered "OK" in \d+\.\d s\.\n/);
    expect(tested.stdout).toMatch(/Input: \d+ tokens\. Output: \d+ tokens?\. Cost: \$0\.0012\.\n$/);
    expect(model.requests).toHaveLength(1);
    const silent = await startScriptedModel(reply(" "));
    await at("config", "set", "modelBaseUrl", silent.url);
    const empty = await at("model", "test").finally(() => silent.close());
    expect(empty).toMatchObject({ code: 7, stdout: "" });
    expect(empty.stderr).toContain("openrouter/vendor/model returned an empty answer\n");
  });
});

describe("tables", () => {
  it.each([
    ["conversations"],
    ["compact", "long", "--budget", "4k"],
    ["tree", "long"],
    ["files"],
    ["config"],
    ["context", "long", "--budget", "4k"],
    ["grep", "-l", "walk"],
    ["memory", "facts", "--key", "harbour", "--history"],
  ])("fit 80 columns: lcm %s %s", async (...args) => {
    await longConversation();
    const words = args.filter((word) => word !== undefined);
    const { stdout } = await lcm(["--data", data, ...words], { folder, columns: 80 });
    expect(stdout.length).toBeGreaterThan(20);
    expect(
      stdout.split("\n").filter((line) => [...line].length > 80 && !/^(add|next|There)/.test(line)),
    ).toEqual([]);
  });

  let written: Promise<void> | undefined;
  const longConversation = () =>
    (written ??= withEngine(data, async (engine) => {
      const said = (seq: number) =>
        `Walk ${seq}: we passed the pier, counted ships and wrote them down. `.repeat(12);
      const messages = Array.from({ length: 80 }, (_, seq) => ({
        role: seq % 2 === 0 ? "user" : "assistant",
        content: said(seq),
      }));
      await engine.context.commitTurn({ conversation: "long", key: "1", messages });
      const table = "ship,day\n".repeat(30_000);
      await engine.context.commitTurn({
        conversation: "long",
        key: "2",
        messages: [{ role: "user", content: `<file name="ships.csv" mime="text/csv">${table}</file>` }],
      });
      await engine.memory.store({ text: "The harbour opens at ten", factKey: "harbour" });
    }));
});

interface Read {
  readonly conversation: { readonly id: string };
}

async function callTool(engine: Engine, name: string, input: object): Promise<string> {
  const { MODEL_TOOLS } = await import("../../src/operations/index.ts");
  const tool = MODEL_TOOLS.find((one) => one.name === name);
  return (await tool?.call(engine, input)) ?? "";
}

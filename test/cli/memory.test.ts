import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/engine.ts";
import { explainRecall } from "../../src/operations/memory/memory-explain.ts";
import { importMemories } from "../../src/operations/memory/memory-import.ts";
import { listMemories } from "../../src/operations/memory/memory-list.ts";
import { recallMemories } from "../../src/operations/memory/memory-recall.ts";
import { reembedMemories } from "../../src/operations/memory/memory-reembed.ts";
import type { MemoryAnswer } from "../../src/operations/memory/memory-schema.ts";
import { showMemory } from "../../src/operations/memory/memory-show.ts";
import { sourceOfMemory } from "../../src/operations/memory/memory-source.ts";
import { memoryStats } from "../../src/operations/memory/memory-stats.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { startEmbeddings } from "../scripted-embeddings.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");
/** Without a model, which takes a while to load. */
const OFF = { environment: { LCM_EMBEDDING_MODEL: "off" } };
const OFFLINE = { embeddingModel: "off", logLevel: "silent" } as const;
const HOSTILE = "Never trust\u001b]0;owned\u0007 the screen\u202e";

const run = (...words: string[]) => lcm(["--data", data, "memory", ...words], OFF);
const runJson = <Answer>(...words: string[]) => lcmJson<Answer>(["--data", data, "memory", ...words], OFF);

interface Stored {
  readonly action: string;
  readonly memory: MemoryAnswer;
}

async function store(...words: string[]): Promise<MemoryAnswer> {
  return (await runJson<Stored>("store", ...words)).memory;
}

let message = "";
let helix: MemoryAnswer;
let zed: MemoryAnswer;

beforeAll(async () => {
  const engine = await open({
    store: data,
    background: "off",
    config: OFFLINE,
  });
  await engine.context.commitTurn({
    conversation: "tools",
    key: "1",
    messages: [
      { role: "user", content: "I have switched to Helix.\nRemember that we deploy on Tuesdays." },
      { role: "assistant", content: "Noted." },
    ],
  });
  message = (await engine.context.read({ conversation: "tools" })).messages[0]?.id ?? "";
  await engine.close();
  helix = await store(
    "The editor is Helix",
    "--key",
    "editor",
    "--category",
    "preferences",
    "--source",
    message,
  );
  zed = await store(
    "The editor is Zed",
    "--key",
    "editor",
    "--category",
    "preferences",
    "--tag",
    "tools,editor",
  );
}, 60_000);

describe("lcm memory store", () => {
  it("stores what comes through a pipe for -", async () => {
    const place = path.join(folder, "piped");
    const child = startLcm(["--data", place, "memory", "store", "-", "--json"], { ...OFF, input: "pipe" });
    child.stdin?.end("The harbour opens at nine.\n");
    const { code, stdout } = await outcomeOf(child);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { memory: { abstract: "The harbour opens at nine." } },
    ]);
  });

  it("begins a store, keeps a fact, and says which one is known already", async () => {
    const fresh = path.join(folder, "fresh");
    const first = await lcm(["--data", fresh, "memory", "store", "Tea is at four"], OFF);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^Stored:\n\w+ · agent:default · [\d: -]{16} · mem_[0-9a-f]{16}\n {2}Tea is at four\n$/,
    );
    const again = await lcm(["--data", fresh, "memory", "store", "Tea is at four"], OFF);
    expect(again.stdout).toMatch(/^Nothing was stored: the same fact is already known\.\n/);
  });

  it("puts another value of a fact in the place of the old one", () => {
    expect(zed).toMatchObject({ state: "active", supersedes: [helix.id], factKey: "preferences:editor" });
  });

  it("refuses what does not fit, with the reason", async () => {
    const outcome = await run("store", "x", "--importance", "2");
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain("It must be a number from 0 to 1.");
    expect((await run("store", "x", "--scope", "agent:somebody")).stderr).toContain(
      "no access to the memory scope",
    );
  });
});

describe("lcm memory list, show and source", () => {
  it("lists without a command, and goes on by the command that it names", async () => {
    const outcome = await lcm(["--data", data, "memory"], OFF);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain("The editor is Zed");
    expect(outcome.stdout).not.toContain("The editor is Helix");
    const all = await runJson<{ memories: MemoryAnswer[]; next: string | null }>(
      "list",
      "--state",
      "all",
      "--limit",
      "1",
    );
    expect(() => listMemories.output.parse(all)).not.toThrow();
    const page = await run("list", "--state", "all", "--limit", "1");
    expect(page.stdout).toMatch(
      /1 memory\.\nThere is more: lcm --data \S+ memory list --state all --limit 1 --cursor '[^']+'\n$/,
    );
    const rest = await run("list", "--state", "all", "--cursor", all.next ?? "");
    expect(rest.stdout).toContain("The editor is Helix");
    expect(rest.stdout).not.toContain("The editor is Zed");
  });

  it("lists by a key, or by how keys begin", async () => {
    for (const key of ["editor", "preferences:editor", "preferences:*", "preferences:ed*", "editor*"])
      expect((await run("list", "--key", key)).stdout).toContain("The editor is Zed");
    for (const key of ["preferences:ed", "entities:editor", "entities:*", "preferences:%"])
      expect((await run("list", "--key", key)).stdout).not.toContain("The editor is Zed");
  });

  it("shows a key with the category that its memory has, and finds it by that", async () => {
    const fresh = path.join(folder, "keys");
    const memory = (...typed: string[]) => lcm(["--data", fresh, "memory", ...typed], OFF);
    await memory("store", "The editor is Helix", "--key", "editor", "--category", "entities");
    await memory("store", "The editor is Zed", "--key", "editor", "--category", "preferences");
    for (const key of ["editor", "preferences:editor", "entities:editor"]) {
      const facts = await memory("facts", "--key", key);
      expect(facts).toMatchObject({ code: 0, stdout: expect.stringContaining("key editor") });
      const list = JSON.parse((await memory("list", "--key", key, "--json")).stdout);
      expect(list.memories).toMatchObject([{ abstract: "The editor is Zed", factKey: "preferences:editor" }]);
      const all = await memory("list", "--key", key, "--state", "all");
      expect(all.stdout).toContain("The editor is Helix");
    }
  });

  it("shows one whole, by the beginning of its id, with its versions and what was done to it", async () => {
    const { stdout } = await run("show", helix.id.slice(0, 12));
    expect(stdout).toMatch(new RegExp(`^${helix.id} preferences\n\nThe editor is Helix\n\nstate +replaced`));
    expect(stdout).toMatch(/versions, oldest first:\n +from +to +memory +text\n→ .*Helix\n {3}.*Zed/);
    expect(stdout).toMatch(/history:\nwhen +what +why\n[\d: -]{16} {2}created/);
    expect(stdout).toContain(`show its replacement with: lcm --data ${data} memory show ${zed.id}`);
    const shown = await runJson<object>("show", helix.id);
    expect(() => showMemory.output.parse(shown)).not.toThrow();
  });

  it("gives the exact words that a memory came from", async () => {
    const { stdout } = await run("source", helix.id);
    expect(stdout).toContain(`Derived from ${message}:`);
    expect(stdout).toContain("  I have switched to Helix.\n  Remember that we deploy on Tuesdays.");
    const source = await runJson<object>("source", helix.id);
    expect(() => sourceOfMemory.output.parse(source)).not.toThrow();
    expect((await run("source", zed.id)).stdout).toContain("Stored manually; no source message.");
  });

  it("is what other commands name when they are given the id of a memory", async () => {
    for (const command of ["read", "describe"]) {
      const { code, stderr } = await lcm(["--data", data, command, zed.id], OFF);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`lcm memory show ${zed.id}`),
      });
    }
    expect((await run("show", "mem_0000000000000000")).code).toBe(3);
    const slip = await run("recal", "editor");
    expect(slip).toMatchObject({
      code: 2,
      stderr: "error: lcm memory has no command 'recal'\nDid you mean recall?\n",
    });
  });
});

describe("lcm memory recall and explain", () => {
  it("gives what matters, best first, and says why", async () => {
    const { code, stdout } = await run("recall", "which editor");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^0\.\d\d {2}preferences · agent:default · .* · mem_\w+\n {2}The editor is Zed\n/);
    expect(stdout).toMatch(/1 of \d+ memories\.\n! .*embeddingModel is off/);
    expect(stdout).toMatch(/explain this ranking: lcm --data \S+ memory explain 'which editor'\n$/);
  });

  it("ends with 3 and names the search of what was said when nothing is remembered", async () => {
    const { code, stdout } = await run("recall", "zeppelin");
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /No memory matches; .*\n! .*\nTo search the messages themselves: lcm --data \S+ grep zeppelin\n$/,
    );
  });

  it("shows every stage and what made each score", async () => {
    const { stdout } = await run("explain", "editor");
    expect(stdout).toMatch(/^top 1 of \d+ \(recallMode: calibrated\), in [\d.]+ ms\./);
    expect(stdout).toMatch(/^stage +in +out +ms +effect$/m);
    expect(stdout).toMatch(/^1\. [01]\.\d{3} {2}preferences · /m);
    expect(stdout).toMatch(/^ {4}words +[█░]{20} {2}[01]\.\d{3}$/m);
    const explained = await runJson<object>("explain", "editor");
    expect(() => explainRecall.output.parse(explained)).not.toThrow();
  });

  it("shows control characters instead of sending them to the terminal", async () => {
    const { id } = await store(HOSTILE, "--category", "cases");
    const shown = [
      ["list"],
      ["recall", "trust the screen"],
      ["explain", "trust the screen"],
      ["show", id],
      ["forget", "editor screen"],
    ];
    for (const { stdout } of await Promise.all(shown.map((words) => run(...words)))) {
      expect(stdout).toContain("␛]0;owned␇ the screen<U+202E>");
      expect(stdout).not.toContain("\u001b");
    }
  });
});

describe("lcm memory facts", () => {
  it("tells what held, then and now, by the key or by words", async () => {
    const { stdout } = await run("facts", "--key", "editor", "--history");
    expect(stdout).toMatch(
      /^✓ preferences .*\n {2}The editor is Zed\n {2}key editor\n {2}from +to +memory +text\n.*Helix\n.*now +mem_\w+ +The editor is Zed\n/,
    );
    const byWords = await runJson<{ facts: { memory: MemoryAnswer; held: boolean }[] }>(
      "facts",
      "which editor",
    );
    expect(byWords.facts.map(({ memory, held }) => [memory.id, held])).toEqual([[zed.id, true]]);
    expect((await run("facts", "--key", "editor", "--at", "2020-01-01")).code).toBe(3);
    expect((await run("facts")).stderr).toContain("give words or --key");
  });
});

it.each([
  ["Alex prefers Neovim", "preferences"],
  ["We use pnpm, never npm", "preferences"],
  ["The user's name is Bob", "profile"],
])("lcm memory store and lcm memory capture sort %s into %s", async (said, category) => {
  expect(await store(said)).toMatchObject({ category });
  const other = path.join(folder, category, said.slice(0, 4));
  const engine = await open({ store: other, background: "off", config: OFFLINE });
  const messages = [{ role: "user", content: said }];
  await engine.context.commitTurn({ conversation: "said", key: "1", messages });
  await engine.close();
  const { stored } = await lcmJson<{ stored: MemoryAnswer[] }>(
    ["--data", other, "memory", "capture", "said"],
    OFF,
  );
  expect(stored).toMatchObject([{ abstract: said, category }]);
});

it("does not show a planned value that was replaced before it began as one that ended before it began", async () => {
  const place = path.join(folder, "planned");
  const call = (...words: string[]) => lcm(["--data", place, "memory", ...words], OFF);
  await call("store", "The editor is Helix", "--key", "editor", "--from", "2090-01-01");
  await call("store", "The editor is Zed", "--key", "editor");
  const { stdout } = await call("facts", "--key", "editor", "--history");
  expect(stdout).toMatch(/2090-01-01 00:00 +never valid +mem_\w+ +The editor is Helix/);
  expect(stdout).toMatch(/ now +mem_\w+ +The editor is Zed/);
});

it("shows the time at which a captured memory was said, and keeps that of its capture in JSON", async () => {
  const other = path.join(folder, "said");
  const engine = await open({ store: other, background: "off", config: OFFLINE });
  for (const [conversation, createdAt, shell] of [
    ["new", "2025-09-30T10:00:00Z", "zsh"],
    ["old", "2025-03-02T10:00:00Z", "fish"],
  ] as const) {
    const message = { role: "user", content: `Remember that the login shell of the build box is ${shell}.` };
    await engine.context.commitTurn({ conversation, key: "1", messages: [{ message, createdAt }] });
    await engine.memory.capture({ conversation });
  }
  const tool = recallMemories.tool?.text;
  const query = "login shell of the build box";
  const recalled = await runOperation(recallMemories, engine, { query });
  const forModel = tool?.(recalled, { query }) ?? "";
  await engine.close();
  const asked = (...words: string[]) => lcm(["--data", other, "memory", ...words], OFF);
  expect((await asked()).stdout).toMatch(/said 2025-03-02[^\n]*\n[^\n]*fish/);
  const { stdout } = await asked("recall", query);
  expect(stdout).toMatch(/said 2025-09-30.*zsh.*said 2025-03-02.*fish/s);
  expect(forModel).toMatch(/said 2025-09-30.*zsh.*said 2025-03-02.*fish/s);
  const { memories } = await lcmJson<{ memories: { memory: MemoryAnswer }[] }>(
    ["--data", other, "memory", "recall", query],
    OFF,
  );
  expect(memories.map(({ memory }) => memory.saidAt)).toEqual([
    "2025-09-30T10:00:00.000Z",
    "2025-03-02T10:00:00.000Z",
  ]);
  for (const { memory } of memories) expect(memory.createdAt > memory.saidAt).toBe(true);
  expect((await asked("show", memories[1]?.memory.id ?? "")).stdout).toMatch(
    /said by user, 2025-03-02 [\d:]+, captured 20/,
  );
});

describe("lcm memory update and forget", () => {
  it("makes a new version of other words, and notes what is only known better", async () => {
    const { id } = await store("The port is 8080", "--category", "entities");
    const changed = await run("update", id, "The port is 9090");
    expect(changed.stdout).toMatch(
      new RegExp(`^Changed: this is the new version of ${id}, which is kept on record\\.\n`),
    );
    const again = await run("update", id, "The port is 1");
    expect(again.code).toBe(4);
    expect(again.stderr).toMatch(/mem_\w+ is active instead: change that one\./);
  });

  it("merges memories into one", async () => {
    const [one, two] = [await store("Deploys are on Tuesdays"), await store("Deploys are on Fridays")];
    const merged = await run("update", one.id, "Deploys are on Tuesdays and Fridays", "--merge", two.id);
    expect(merged.stdout).toContain(`Merged: this replaces ${one.id}, ${two.id}, which are kept on record.`);
    expect((await run("show", two.id)).stdout).toContain("superseded");
  });

  it("sets aside and brings back, and asks before it erases", async () => {
    const { id } = await store("The office is in Lisbon", "--category", "entities");
    const aside = await run("forget", id);
    expect(aside.stdout).toMatch(
      new RegExp(
        `^Archived, and no longer recalled:\n\n.* · ${id}\n  The office is in Lisbon\n[^]*\nRestore it with: lcm --data \\S+ memory update ${id} --restore\n$`,
      ),
    );
    expect((await run("update", id, "--restore")).code).toBe(0);
    expect(await run("forget", id, "--erase")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect((await run("forget", "Lisbon", "--erase", "--yes")).stderr).toContain(
      "erasing needs the id of a memory",
    );
    const erased = await run("forget", id, "--erase", "--yes");
    expect(erased.stdout).toMatch(
      new RegExp(`^Erased ${id}\\.\nThe store's files no longer contain the text\\.\n`),
    );
    expect(readFileSync(path.join(data, "palimpsest.db")).includes("The office is in Lisbon")).toBe(false);
    expect((await run("show", id)).stdout).toContain("(erased)");
  });

  it("is reached by lcm erase as well", async () => {
    const { id } = await store("The vault is in Porto", "--category", "entities");
    const erased = await lcm(["--data", data, "erase", id, "--yes"], OFF);
    expect(erased.stdout).toMatch(new RegExp(`^Erased ${id}\\.\n`));
  });

  it("forgets nothing when it is not clear what was meant", async () => {
    for (const day of ["Monday", "Friday"])
      await store(`Standup is on ${day}`, "--category", "events", "--force");
    const { code, stdout } = await run("forget", "standup");
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Nothing was forgotten: it is not clear which memory is meant\. Closest:/);
    expect(stdout).toMatch(/Choose one by its id: lcm --data \S+ memory forget mem_/);
  });

  it.each([
    ["one word that only it has", "marmalade"],
    ["one word of it among others", "purple zebra marmalade"],
    ["nearly all of its words", "marmalade jar shelf cellar"],
  ])("forgets nothing without asking for %s", async (_, words) => {
    const own = path.join(folder, `unclear-${words.length}`);
    const on = (...more: string[]) => lcm(["--data", own, "memory", ...more], OFF);
    await on("store", "The marmalade jar is on the upper shelf");
    const { code, stdout } = await on("forget", words);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Nothing was forgotten: it is not clear which memory is meant\. Closest:/);
    expect(stdout.match(/marmalade jar/g)).toHaveLength(1);
    expect((await on("list")).stdout).toContain("marmalade jar");
    expect((await on("forget", "the marmalade jar")).stdout).toContain(
      "  The marmalade jar is on the upper shelf\n",
    );
  });
});

describe("an agent that is nobody's name", () => {
  const as = (agent: string, ...words: string[]) =>
    lcm(["--data", data, "--agent", agent, "memory", ...words], OFF);

  it.each(["undefined", "null", "a b"])("%s: what is advised can be done", async (agent) => {
    const listed = await as(agent, "list");
    expect(listed.stdout).toMatch(
      /^This agent name has no access to memories\. Set another with --agent or LCM_AGENT/,
    );
    expect(listed.stdout).not.toContain("memory store");
    for (const scope of [[], ["--scope", "global"]]) {
      const refused = await as(agent, "store", "Likes milk", ...scope);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/this agent name has no access to memories/);
      expect(refused.stderr).toMatch(/Use another agent name \(letters and digits, .* LCM_AGENT/);
      expect(refused.stderr).not.toContain("memoryAccess");
    }
    expect((await as("somebody", "list")).stdout).toMatch(
      /Store one with: lcm .*--agent somebody memory store/,
    );
  });

  it("names scopes that it may write to, where its own is not open to an agent", async () => {
    const config = path.join(folder, "access.json");
    writeFileSync(config, JSON.stringify({ memoryAccess: { narrow: ["project:web"] } }));
    const there = ["--data", path.join(folder, "narrow"), "--config", config, "--agent", "narrow"];
    const narrow = [...there, "memory", "store", "Likes milk"];
    const refused = await lcm(narrow, OFF);
    expect(refused.stderr).toContain("Use one of: project:web");
    expect((await lcm([...narrow, "--scope", "project:web"], OFF)).code).toBe(0);
  });
});

describe("lcm memory capture, decisions, consolidate, reembed and stats", () => {
  it("takes out of a conversation what was asked to be remembered, and says why", async () => {
    const { code, stdout } = await run("capture", "tools");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The rules found 1 memory in messages 1 to 2 of conv_\w+\.\n/);
    expect(stdout).toMatch(/We deploy on Tuesdays/i);
    expect((await run("capture", "tools")).stdout).toMatch(
      /^All messages of conv_\w+ have been read already\.\n$/,
    );
    expect((await run("decisions")).stdout).toMatch(/^create · dedup · .*\n[\s\S]*1 decision\.\n$/);
    expect((await run("decisions", "--verdict", "create,skip")).stdout).toContain("1 decision.");
    const unknown = await run("decisions", "--verdict", "foo");
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/verdict value .foo.\nAllowed: .* rejected, create,/),
    });
    expect((await run("capture", "nowhere")).code).toBe(3);
  });

  it("tells what would be set aside, and what there is no model for", async () => {
    expect((await run("consolidate", "--dry-run")).stdout).toMatch(/^Would archive \d+ of \d+ memories;/);
    const { code, stderr } = await run("reembed");
    expect(code).toBe(2);
    expect(stderr).toContain("no embedding model is configured");
  });

  it("counts them, also in status and doctor", async () => {
    const stats = await runJson<{ total: number; byState: { active: number } }>("stats");
    expect(() => memoryStats.output.parse(stats)).not.toThrow();
    const status = await lcm(["--data", data, "status"], OFF);
    expect(status.stdout).toContain(
      `memories       ${stats.total} (${stats.byState.active} active for this agent), searched by words`,
    );
    const doctor = await lcm(["--data", data, "doctor"], OFF);
    expect(doctor.stdout).toMatch(/✓ memories +\d+ memories, searched by words: embeddingModel is off/);
  });
});

describe("lcm memory export and import", () => {
  const other = path.join(folder, "other");
  const elsewhere = (...words: string[]) => lcm(["--data", other, "memory", ...words], OFF);

  it("carries memories with their versions to another store, once", async () => {
    const file = path.join(folder, "memories.jsonl");
    expect((await run("export", "--output", file)).stdout).toMatch(
      /^Export: .*\n\d+ memories, [\d.]+ kB\.\n/,
    );
    expect((await run("export", "--output", file)).stderr).toContain(file);
    const dry = await elsewhere("import", file, "--dry-run");
    expect(dry.stdout).toMatch(/memories would be stored, 0 already stored/);
    expect(dry.stdout).toMatch(/Nothing was stored\. Import with: lcm --data \S+ memory import \S+\n$/);
    const first = await lcmJson<{ totals: { created: number } }>(
      ["--data", other, "memory", "import", file],
      OFF,
    );
    expect(() => importMemories.output.parse(first)).not.toThrow();
    expect((await elsewhere("import", file)).stdout).toContain(
      `0 memories stored, ${first.totals.created} already stored`,
    );
    expect((await elsewhere("facts", "--key", "editor", "--history")).stdout).toMatch(
      /Helix\n.*now +mem_\w+ +The editor is Zed/,
    );
  });

  it("takes back what a person changed by hand", async () => {
    const file = path.join(folder, "memories.md");
    await run("export", "--output", file, "--state", "active");
    writeFileSync(file, readFileSync(file, "utf8").replace("- The editor is Zed", "- The editor is Emacs"));
    const { stdout } = await elsewhere("import", file);
    expect(stdout).toMatch(/1 memory stored \(1 replaces an older value\)/);
    expect((await elsewhere("facts", "--key", "editor")).stdout).toContain("The editor is Emacs");
  });

  it("finds MEMORY.md and daily notes in a folder, and says what it passed over, by line", async () => {
    const workspace = path.join(folder, "workspace");
    mkdirSync(path.join(workspace, "memory"), { recursive: true });
    writeFileSync(
      path.join(workspace, "MEMORY.md"),
      "# Preferences\n\n- Likes oolong tea\n\n```\ncode\n```\n",
    );
    writeFileSync(path.join(workspace, "memory", "2026-11-01.md"), "- Met Dana about the launch\n");
    writeFileSync(path.join(workspace, "README.md"), "- No memory at all\n");
    const { code, stdout } = await elsewhere("import", workspace, "--scope", "global");
    expect(code).toBe(0);
    expect(stdout).toContain("line 5: is a block of code");
    expect(stdout).toMatch(/Total: 2 memories stored, 0 already stored, 1 skipped\./);
    const { memories } = await lcmJson<{ memories: MemoryAnswer[] }>(
      ["--data", other, "memory", "list", "--scope", "global"],
      OFF,
    );
    expect(memories.map(({ abstract }) => abstract).toSorted()).toEqual([
      "Likes oolong tea",
      "Met Dana about the launch",
    ]);
  });

  it("says what to do about scopes that are not open, and about vectors that are missing", async () => {
    const file = path.join(folder, "mem0.json");
    const rows = ["tea", "milk"].map((drink) => ({ id: drink, memory: `Likes ${drink}`, user_id: "alice" }));
    writeFileSync(file, JSON.stringify(rows));
    const there = ["--data", path.join(folder, "mem0"), "memory", "import", file];
    const closed = await lcm(there, OFF);
    expect(closed.code).toBe(2);
    expect(closed.stdout).toMatch(
      /line 1, row 2: this agent has no access to user:alice: .* --scope, or add it to memoryAccess/,
    );
    const { code, stdout } = await lcm([...there, "--scope", "global"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n2 memories have no embeddings yet .* Create them with: lcm .* memory reembed\n$/,
    );
  });

  it("makes no store for what holds no memories", async () => {
    const file = path.join(folder, "other.json");
    writeFileSync(file, '{"a":1}');
    const nowhere = path.join(folder, "nowhere");
    const { code, stderr } = await lcm(["--data", nowhere, "memory", "import", file], OFF);
    expect(code).toBe(2);
    expect(stderr).toContain("Set the format with --format: palimpsest-jsonl");
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe("with the model on this machine", () => {
  it("makes the vectors that are missing, and recalls by what is meant", { timeout: 120_000 }, async () => {
    const made = await lcm(["--data", data, "memory", "reembed"]);
    expect(made.stdout).toMatch(/^\d+ memories now have embeddings \(local\/\S+\); 0 missing\.\n$/);
    expect((await lcm(["--data", data, "memory", "reembed"])).stdout).toMatch(
      /^Every memory has embeddings \(local/,
    );
    const { memories } = await lcmJson<{ memories: { memory: MemoryAnswer }[] }>([
      "--data",
      data,
      "memory",
      "recall",
      "when do we ship a release",
    ]);
    expect(memories[0]?.memory.abstract).toMatch(/deploy on Tuesdays/i);
  });
});

describe("after a change of the embedding model", () => {
  const place = path.join(folder, "changed-model");
  let server: Awaited<ReturnType<typeof startEmbeddings>>;
  beforeAll(async () => {
    server = await startEmbeddings();
  });
  afterAll(() => server.close());

  const withModel = (model: string, ...words: string[]) => {
    const config = path.join(folder, `${model}.json`);
    const embeddings = { embeddingModel: `openai-compatible/${model}`, embeddingBaseUrl: `${server.url}/v1` };
    writeFileSync(config, JSON.stringify(embeddings));
    return ["--data", place, "--config", config, "memory", ...words];
  };

  it("removes what the former one made only when asked to, and tells how much", async () => {
    for (const text of ["Likes tea", "Has a dog"]) await lcm(withModel("former", "store", text));
    const made = await lcm(withModel("present", "reembed"));
    expect(made.stdout).toMatch(
      /^2 memories now have embeddings \(openai-compatible\/present\S*\); 0 missing\.\n/,
    );
    expect(made.stdout).toMatch(
      /\n2 embeddings of other models are kept\. Remove with: lcm .* memory reembed --prune\n$/,
    );
    const pruned = await lcmJson(withModel("present", "reembed", "--prune"));
    expect(reembedMemories.output.parse(pruned)).toMatchObject({ made: 0, pruned: 2, others: 0, missing: 0 });
    const { stdout } = await lcm(withModel("present", "stats"));
    expect(stdout.match(/^embeddings .*/gm)).toEqual([expect.stringContaining("openai-compatible/present")]);
    expect((await lcm(withModel("present", "reembed", "--prune"))).stdout).toMatch(
      /^Every memory has embeddings \(\S+\)\.\n0 embeddings of other models removed\.\n$/,
    );
  });
});

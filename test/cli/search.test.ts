import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/engine.ts";
import { describe as describeItem } from "../../src/operations/retrieve/describe.ts";
import { grep } from "../../src/operations/retrieve/grep.ts";
import { recent } from "../../src/operations/retrieve/recent.ts";
import { lcm, lcmJson, startLcm, temporaryFolder } from "./lcm.ts";

type Found = Awaited<ReturnType<typeof grep.run>>;
type Recent = Awaited<ReturnType<typeof recent.run>>;
type Description = Awaited<ReturnType<typeof describeItem.run>>;

const folder = temporaryFolder();
const data = path.join(folder, "data");
const HOSTILE = "first line\nthe needle\u001b]0;owned\u0007 here\nlast line\u202e";
const MESSAGES = 260;
let summary = "";

const run = (...words: string[]) => lcm(["--data", data, ...words]);
const runJson = <Answer>(...words: string[]) => lcmJson<Answer>(["--data", data, ...words]);

/** The command that an answer suggests, as words of a shell. */
async function follow(stdout: string) {
  const command = /There is more: lcm (.*)$/m.exec(stdout)?.[1] ?? "";
  const words = execFileSync("bash", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" });
  return lcm(words.split("\0").slice(0, -1));
}

const idsIn = (stdout: string) =>
  [...stdout.matchAll(/(?:msg|sum)_[0-9a-f]{16}(?:_\d+)?$/gm)].map(([id]) => id);

beforeAll(async () => {
  const config = {
    ...{ freshTailCount: 4, leafChunkTokens: 600, leafMinFanout: 2, condensedMinFanout: 2 },
    ...{ tenant: "default", agent: "default" },
  };
  const engine = await open({ store: data, background: "off", config });
  for (let turn = 0; turn < MESSAGES / 2; turn++)
    await engine.context.commitTurn({
      conversation: "chat",
      key: `t${turn}`,
      messages: [
        { role: "user", content: `What about item-${turn}? ${"We walked along the quay. ".repeat(4)}` },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: `c${turn}`, name: "shell", input: { command: `show ${turn}` } }],
        },
      ],
    });
  await engine.context.compact({ conversation: "chat", budget: 2_000 });
  await engine.context.commitTurn({
    conversation: "hostile",
    key: "1",
    messages: [{ role: "user", content: HOSTILE }],
  });
  const { summaries } = await engine.context.conversations.summaries("chat");
  summary = summaries.at(-1)?.id ?? "";
  await engine.context.index.build();
  await engine.close();
}, 180_000);

describe("lcm grep", () => {
  it("finds words, tells how many there are, and goes on by the command that it names", async () => {
    const [first, answer] = await Promise.all([
      run("grep", "quay", "--kind", "message", "--limit", "100"),
      runJson<Found>("grep", "quay", "--kind", "message", "--limit", "100"),
    ]);
    expect(first.code).toBe(0);
    expect(() => grep.output.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ total: MESSAGES / 2 });
    expect(idsIn(first.stdout)).toEqual(answer.hits.map(({ id }) => id));
    expect(first.stdout).toMatch(
      /100 of 130 found in \d+ messages and summaries\.\nThere is more: lcm --data /,
    );
    const second = await follow(first.stdout);
    expect(idsIn(second.stdout)).toHaveLength(30);
    expect(second.stdout).toMatch(/30 of 130 found in \d+ messages and summaries\.\n$/);
    expect(new Set([...idsIn(first.stdout), ...idsIn(second.stdout)]).size).toBe(MESSAGES / 2);
  });

  it("finds every match of a pattern, newest first, in tools as well", async () => {
    const { stdout } = await run(
      "grep",
      "--regex",
      "show (1|2)0?\\b",
      "--role",
      "assistant",
      "--tool",
      "shell",
    );
    expect(idsIn(stdout).map((id) => Number(id.split("_")[2]))).toEqual([42, 22, 6, 4]);
    expect(stdout).toContain("assistant · shell · ");
    expect(stdout).toMatch(/^4 found in \d+ messages and summaries\.$/m);
  });

  it("shows whole lines around a match, and control characters instead of obeying them", async () => {
    const { stdout } = await run("grep", "-F", "NEEDLE", "-i", "-C", "1", "--conversation", "hostile");
    expect(stdout).toContain("  first line\n  the needle␛]0;owned␇ here\n  last line<U+202E>\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("ends with 3 when nothing matches, and says how much was searched", async () => {
    const [text, json] = await Promise.all([run("grep", "zebra"), run("grep", "zebra", "--json")]);
    expect(text).toMatchObject({ code: 3, stderr: "" });
    expect(text.stdout).toMatch(/^No matches in \d+ messages and summaries\.\n$/);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ hits: [], total: 0 });
  });

  it("says what is wrong with a question", async () => {
    const [broken, words, twice, sort, since] = await Promise.all([
      run("grep", "--regex", "(open"),
      run("grep", "foo.*bar"),
      run("grep", "--regex", "--exact", "x"),
      run("grep", "--regex", "x", "--sort", "relevance"),
      run("grep", "x", "--since", "tomorrowish"),
    ]);
    for (const { code, stdout } of [broken, words, twice, sort, since])
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(words.stderr).toContain("looks like a regular expression");
    expect(twice.stderr).toContain("only one of");
    expect(since.stderr).toContain("invalid --since value 'tomorrowish'");
    expect(since.stderr).toContain("today, yesterday, 'last week'");
  });

  it("names the tool that may have been meant when nothing is found with another", async () => {
    const [searched, recently, refused] = await Promise.all([
      run("grep", "show", "--tool", "Shell"),
      run("recent", "--tool", "shel"),
      run("grep", "quay", "--cursor", (await runJson<Found>("grep", "walked", "--limit", "1")).next ?? ""),
    ]);
    expect(searched.code).toBe(3);
    expect(searched.stdout).toContain("No tool is called Shell there; did you mean shell?");
    expect(recently.stdout).toContain("No tool is called shel there; did you mean shell?");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("leave all other arguments unchanged"),
    });
  });

  it("says how a pattern is given that begins with a dash", async () => {
    const [refused, found] = await Promise.all([run("grep", "-F", "-x y"), run("grep", "-F", "--", "-129")]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("unknown option '-x y'");
    expect(refused.stderr).toContain("put -- before it: lcm grep -- '-x y'");
    expect(found.stdout).toContain("item-129");
  });

  it("ends quietly when its reader has seen enough", async () => {
    const child = startLcm(["--data", data, "grep", "--regex", ".", "--limit", "200", "-C", "50"]);
    const errors: Buffer[] = [];
    child.stderr?.on("data", (piece: Buffer) => errors.push(piece));
    child.stdout?.once("data", () => child.stdout?.destroy());
    const [code, signal] = await once(child, "close");
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(Buffer.concat(errors).toString()).toBe("");
  });
});

describe("lcm recent", () => {
  it("tells what was said last, and goes on by the command that it names", async () => {
    const [first, answer, none] = await Promise.all([
      run("recent", "--conversation", "chat", "--limit", "2", "--role", "user"),
      runJson<Recent>("recent", "--since", "1h"),
      run("recent", "--before", "2020-01-01"),
    ]);
    expect(first.stdout).toMatch(/item-129\?[\s\S]*item-128\?/);
    expect(() => recent.output.parse(answer)).not.toThrow();
    expect(answer.total).toBe(MESSAGES + 1);
    expect(answer.entries[0]?.opening).toBe(HOSTILE);
    expect((await follow(first.stdout)).stdout).toMatch(/item-127\?[\s\S]*item-126\?/);
    expect(none).toMatchObject({
      code: 0,
      stdout: "No entries match. Filters: --before 2020-01-01 00:00\n",
    });
  });
});

describe("lcm describe", () => {
  it("shows a summary, what it was made from and what was made from it", async () => {
    const [{ stdout }, answer] = await Promise.all([
      run("describe", summary, "--token-cap", "1000"),
      runJson<Description>("describe", summary, "--token-cap", "1000"),
    ]);
    expect(() => describeItem.output.parse(answer)).not.toThrow();
    if (answer.type !== "summary") throw new Error("not a summary");
    expect(stdout).toMatch(new RegExp(`^${summary} condensed summary, depth ${answer.summary.depth}\n`));
    for (const { id } of answer.madeFrom) expect(stdout).toContain(`\n${id}  `);
    expect(stdout).toContain("top level");
    expect(stdout).toContain("more than --token-cap");
    const source = answer.madeFrom[0]?.id ?? "";
    const below = await run("describe", source);
    expect(below.stdout).toMatch(new RegExp(`summaries above it, nearest first:\n.*\n${summary} `));
  });

  it("shows a message with its neighbours, and control characters as signs", async () => {
    const found = await runJson<Found>("grep", "needle", "--conversation", "hostile");
    const { stdout } = await run("describe", found.hits[0]?.id ?? "");
    expect(stdout).toContain("[words, ");
    expect(stdout).toMatch(/^context +in the context, word for word$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("shows a mistyped id and what was meant, in every command that takes it", async () => {
    const slip = `${summary.slice(0, -1)}x`;
    for (const command of ["read", "describe", "expand"]) {
      const { code, stderr } = await run(command, slip);
      expect({ command, code, stderr }).toEqual({
        ...{ command, code: 3 },
        stderr: `error: there is no summary ${slip}\nDid you mean ${summary}?\n`,
      });
    }
    expect((await run("read", "sum_zzz")).stderr).toMatch(/^error: there is no summary sum_zzz\n/);
    const message = (await runJson<Found>("grep", "needle")).hits[0]?.id ?? "";
    const wrong = message.replace(/._(\d+)$/, "x_$1");
    expect((await run("read", wrong)).stderr).toBe(
      `error: there is no message ${wrong}\nDid you mean ${message}?\n`,
    );
    expect((await run("describe", wrong)).stderr).toContain(wrong);
    expect((await run("expand", wrong)).stderr).toContain(
      `${wrong} looks like the id of a message, not of a summary`,
    );
  });

  it("names what was meant, and the command for other ids", async () => {
    const slip = `${summary.slice(0, -1)}${summary.endsWith("0") ? "1" : "0"}`;
    const found = await runJson<Found>("grep", "needle");
    const message = found.hits[0]?.id ?? "";
    const [near, stranger, other, file, past] = await Promise.all([
      run("describe", slip),
      run("--agent", "other", "describe", slip),
      run("expand", message),
      run("describe", "file_0123456789abcdef"),
      run("describe", message.replace(/_1$/, "_99")),
    ]);
    expect(near).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining(`Did you mean ${summary}?`),
    });
    expect(stranger.code).toBe(3);
    expect(stranger.stderr).not.toContain(summary);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining(`lcm read ${message}`) });
    expect(file).toMatchObject({ code: 3, stderr: expect.stringContaining("lcm files list") });
    expect(past).toMatchObject({ code: 3, stderr: expect.stringContaining("has messages 1 to 1.") });
  });
});

describe("lcm completion", () => {
  const complete = (script: string, ...words: string[]) =>
    execFileSync(
      "bash",
      [
        "-c",
        `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lcm; printf '%s\\n' "\${COMPREPLY[@]}"`,
        "-",
        script,
        ...words,
      ],
      { encoding: "utf8", cwd: folder },
    )
      .split("\n")
      .filter((word) => word !== "");

  it("gives bash the commands, the options of each, and the values that are known", async () => {
    const { code, stdout } = await run("completion", "bash");
    expect(code).toBe(0);
    const script = path.join(folder, "completion.bash");
    writeFileSync(script, stdout);
    execFileSync("bash", ["-n", script]);
    expect(complete(script, "lcm", "gr")).toEqual(["grep"]);
    expect(complete(script, "lcm", "--data", "x", "conversations", "")).toEqual([
      "list",
      "rename",
      "archive",
      "family",
      "delete",
    ]);
    expect(complete(script, "lcm", "conversations", "list", "--ar")).toEqual(["--archived"]);
    expect(complete(script, "lcm", "grep", "--mode", "")).toEqual(["full_text", "regex", "exact", "hybrid"]);
    expect(complete(script, "lcm", "read", "--role", "")).toEqual(["system", "user", "assistant", "tool"]);
    expect(complete(script, "lcm", "grep", "--re")).toEqual(["--regex"]);
    expect(complete(script, "lcm", "grep", "--limit", "")).toEqual([]);
    expect(complete(script, "lcm", "import", "comp")).toEqual(["completion.bash"]);
    expect(complete(script, "lcm", "completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(complete(script, "lcm", "status", "--js")).toEqual(["--json"]);
    const stub = path.join(folder, "lcm-stub");
    writeFileSync(stub, '#!/bin/sh\necho "conv_12 conv_34 $2"\n', { mode: 0o755 });
    expect(complete(script, stub, "read", "conv_")).toEqual(["conv_12", "conv_34", "conv_"]);
    expect(complete(script, stub, "grep", "--conversation", "conv_3")).toEqual(["conv_34", "conv_3"]);
  });

  it.each(["zsh", "fish"])("gives %s every command and option, in syntax that it reads", async (shell) => {
    const [{ stdout }, help] = await Promise.all([run("completion", shell), run("--help")]);
    const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? "");
    const named = commands.filter((name) => name !== "help" && name !== "lcm");
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(stdout).toMatch(new RegExp(`['" ]${name}[':" ]`));
    expect(stdout).toContain(shell === "zsh" ? "'--ignore-case:" : "-l ignore-case");
    const script = path.join(folder, `completion.${shell}`);
    writeFileSync(script, stdout);
    if (isInstalled(shell)) execFileSync(shell, ["-n", script]);
  });

  function isInstalled(shell: string): boolean {
    try {
      execFileSync(shell, ["-c", "true"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }
});

import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/engine.ts";
import type { GrepOutput } from "../../src/operations/retrieve/grep.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";

const folder = temporaryFolder();
const LINES = 60_000;
/** About 1.6 MB: line n is told by its number. */
const log = Array.from({ length: LINES }, (_, i) => `${i + 1} the pump ran at ${i % 97} bar`).join("\n");
const logFile = path.join(folder, "pump.log");
writeFileSync(logFile, `${log}\n`);
const binaryFile = path.join(folder, "noise.bin");
writeFileSync(binaryFile, Buffer.concat([randomBytes(300_000), Buffer.from([0, 10, 255])]));

interface Added {
  readonly status: string;
  readonly id: string;
  readonly message: string;
}

describe("lcm files", () => {
  const data = path.join(folder, "data");
  const run = (...args: string[]) => lcm(["--data", data, ...args]);
  const json = <Answer>(...args: string[]) => lcmJson<Answer>(["--data", data, ...args]);
  let text: Added;
  let binary: Added;

  beforeAll(async () => {
    const session = ["--conversation", "plant"];
    text = await json<Added>("files", "add", logFile, ...session, "--mime", "text/plain");
    const child = startLcm(
      ["--data", data, "files", "add", "-", ...session, "--name", "noise.bin", "--json"],
      { input: "pipe" },
    );
    createReadStream(binaryFile).pipe(child.stdin ?? process.stdout);
    binary = JSON.parse((await outcomeOf(child)).stdout);
  });

  it("refuses what cannot be read, and makes no store for it", async () => {
    const nowhere = path.join(folder, "none");
    const { code, stderr } = await lcm(["--data", nowhere, "files", "add", "no.txt", "--conversation", "x"]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no such file");
    expect(existsSync(nowhere)).toBe(false);
  });

  it("says of a pipe how what comes through it is added, without waiting for it", async () => {
    const pipe = path.join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { code, stderr } = await run("files", "add", pipe, "--conversation", "x");
    expect(code).toBe(2);
    expect(stderr).toContain("it is a pipe or device, not a file");
    expect(stderr).toContain("standard input as -");
  });

  it("keeps nothing of standard input behind", () => {
    const left = readdirSync(os.tmpdir()).filter((name) => /^palimpsest-[A-Za-z0-9]{6}$/.test(name));
    const holding = left.filter((name) => existsSync(path.join(os.tmpdir(), name, "input")));
    expect(holding).toEqual([]);
  });

  it("lists them, newest first, in pages and by kind", async () => {
    const { stdout } = await run("files");
    const [, first, second] = stdout.split("\n");
    expect(first).toMatch(new RegExp(`^${binary.id} +file +noise.bin +300.0 kB .* ${binary.message} `));
    expect(second).toMatch(new RegExp(`^${text.id} +file +pump.log +1.\\d MB +60,000 `));
    const page = await run("files", "list", "plant", "--limit", "1");
    const [more] = /files list plant --limit 1 --from \d+/.exec(page.stdout) ?? [""];
    expect((await run(...more.split(" "))).stdout).toContain(text.id);
    expect((await run("files", "list", "--kind", "tool-output")).stdout).toContain("There is no tool-output");
  });

  it("shows what one is, and says what a mistyped id may have meant", async () => {
    const { stdout } = await run("files", "show", text.id);
    expect(stdout).toContain("pump.log");
    expect(stdout).toMatch(/60,000 lines/);
    expect(stdout).toContain(`files cat ${text.id}`);
    const slip = `${text.id.slice(0, -1)}${text.id.endsWith("0") ? "1" : "0"}`;
    const wrong = await run("files", "show", slip);
    expect(wrong).toMatchObject({ code: 3, stdout: "" });
    expect(wrong.stderr).toContain(`Did you mean ${text.id}?`);
    expect((await run("files", "cat", text.message)).stderr).toContain("is a message, not a file");
  });

  it("writes exact bytes, of text and of anything else, whole or in part", async () => {
    expect((await run("files", "cat", text.id)).bytes.equals(readFileSync(logFile))).toBe(true);
    const noise = readFileSync(binaryFile);
    expect((await run("files", "cat", binary.id)).bytes.equals(noise)).toBe(true);
    const part = await run("files", "cat", binary.id, "--bytes", "262000-263001");
    expect(part.bytes.equals(noise.subarray(262_000, 263_001))).toBe(true);
    const lines = await run("files", "cat", text.id, "--lines", "50000-50001");
    expect(lines.stdout).toBe(`${log.split("\n").slice(49_999, 50_001).join("\n")}\n`);
    const past = await run("files", "cat", binary.id, "--bytes", "400000-");
    expect(past.stderr).toContain("byte 400000 is after the end: the file has 300,003 bytes");
    const behind = await run("files", "cat", text.id, "--lines", "60001-");
    expect(behind.stderr).toContain("line 60001 is after the end: the file has 60,000 lines");
    const copy = path.join(folder, "copy.bin");
    expect((await run("files", "cat", binary.id, "--output", copy)).stdout).toContain("300,003 bytes");
    expect(readFileSync(copy).equals(noise)).toBe(true);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect((await run("files", "cat", binary.id, "--output", copy)).stderr).toContain("already exists");
  });

  it("shows what is text in another encoding as text, and says where its bytes are", async () => {
    const file = path.join(folder, "latin.txt");
    const words = "Die Größe der Straße.\n".repeat(40);
    writeFileSync(file, Buffer.from(words, "latin1"));
    const other = ["--data", path.join(folder, "latin")];
    const { id } = await lcmJson<Added>([...other, "files", "add", file, "--conversation", "plant"]);
    const { stdout } = await lcm([...other, "describe", id, "--bytes", "0-22"]);
    expect(stdout).toContain("bytes 0–22 of 880, read as Latin (Windows-1252):\nDie Größe der Straße.\n");
    expect(stdout).toMatch(
      new RegExp(`not valid UTF-8; its exact bytes: .*files cat ${id}, or base64 in --json`),
    );
    const { content } = await lcmJson<{ content: object }>([...other, "describe", id, "--bytes", "0-9"]);
    const base64 = Buffer.from("Die Größe", "latin1").toString("base64");
    expect(content).toMatchObject({ text: "Die Größe", encoding: "windows-1252", base64 });
    expect((await run("describe", binary.id, "--bytes", "0-300")).stdout).toContain(
      "binary: shown as base64",
    );
  });

  it.each([
    [["files", "cat", "ID", "--lines", "5-3"], "invalid --lines value '5-3'\nThe end is before"],
    [["files", "cat", "ID", "--bytes", "5-3"], "invalid --bytes value '5-3'\nThe end is before"],
    [["describe", "ID", "--lines", "5-3"], "invalid --lines value '5-3'\nThe end is before"],
    [
      ["files", "cat", "ID", "--lines", "1-2", "--bytes", "1-2"],
      "option '--lines <range>' cannot be used with option '--bytes <range>'",
    ],
    [["describe", "ID", "--max-bytes", "512001"], "invalid --max-bytes value '512001'\nIt must"],
  ])("refuses %j by the names of its options", async (words, problem) => {
    const { code, stderr } = await run(...words.map((word) => (word === "ID" ? text.id : word)));
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/startLine|endLine|startByte|endByte|maxBytes/);
  });

  it.each([
    [["files", "cat", "x", "--bogus"], "See: lcm files cat --help\n"],
    [["files", "add", "x"], "See: lcm files add --help\n"],
    [["files", "--bogus"], "See: lcm files --help\n"],
    [["files", "list", "cat", "--bogus"], "See: lcm files list --help\n"],
  ])("says after %j where help is", async (words, advice) => {
    expect((await run(...words)).stderr).toContain(advice);
  });

  it("ends quietly when its reader has seen enough", async () => {
    const child = startLcm(["--data", data, "files", "cat", text.id]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const [code] = await once(child, "close");
    expect(code).toBe(0);
  });

  it("gives one JSON document, from which all of it can be read", async () => {
    let read = "";
    let range: string[] = [];
    do {
      const { content } = await json<{ content: Slice }>("files", "cat", text.id, ...range);
      read += content.text;
      range = content.next === null ? [] : ["--lines", `${content.next.startLine}-`];
    } while (range.length > 0);
    expect(hash(read)).toBe(hash(readFileSync(logFile)));
  });

  it("describes one, with any lines of it beyond the first half megabyte", async () => {
    const { stdout } = await run("describe", text.id, "--lines", "59998-60000");
    expect(stdout).toContain("59998 the pump ran at");
    const pasted = `[LCM File: ${text.id} | pump.log | text/plain | 1,600,000 bytes]`;
    const bytes = await json<{ content: Slice }>("describe", pasted, "--bytes", "600000-600100");
    expect(bytes.content).toMatchObject({ startByte: 600_000, endByte: 600_100, next: null });
    expect(bytes.content.text).toBe(readFileSync(logFile).subarray(600_000, 600_100).toString());
    const cut = await run("describe", text.id, "--expand-file", "--max-bytes", "100");
    expect(cut.stdout).toMatch(/there is more: .* describe file_\w+ --lines 5-/);
    expect((await run("describe", text.message)).stdout).toContain(text.id);
    expect((await run("describe", text.message, "--lines", "1-2")).stderr).toContain("applies only to files");
  });

  it("finds lines inside of them, page by page, and says where they were not looked for", async () => {
    const found: number[] = [];
    let cursor: string[] = [];
    do {
      const args = ["grep", "--scope", "files", "--regex", "^59\\d{3} .* 7 bar$", "--limit", "6", ...cursor];
      const { fileHits, next } = await json<GrepOutput>(...args);
      for (const { line, id, snippet } of fileHits) {
        expect({ id, starts: snippet.text.startsWith(`${line} `) }).toEqual({ id: text.id, starts: true });
        found.push(line);
      }
      cursor = next === null ? [] : ["--cursor", next];
    } while (cursor.length > 0);
    const expected = Array.from({ length: 1_000 }, (_, i) => 59_000 + i).filter((n) => (n - 1) % 97 === 7);
    expect(found).toEqual(expected);
    const shown = await run("grep", "--scope", "files", "--exact", "59999 the pump");
    expect(shown.stdout).toContain(`${text.id}:59999`);
    expect(shown.stdout).toMatch(/Read around the first hit: lcm .*describe file_\w+ --lines 59979-60019\n/);
    const nothing = await run("grep", "submarine");
    expect(nothing.stdout).toContain("There are also 2 files");
    expect(nothing.stdout).toContain("grep submarine --scope files");
    // Files are not searched by project.
    expect((await run("grep", "submarine", "--project", "/plant")).stdout).not.toContain("--scope files");
    expect((await run("grep", "--scope", "files", "x", "--role", "user")).stderr).toContain(
      "roles does not apply to files",
    );
  });

  it("recognises a file that is added again", async () => {
    const again = await json<Added>("files", "add", logFile, "--conversation", "plant");
    expect(again).toMatchObject({ status: "duplicate", id: text.id, message: text.message });
  });

  it("has every command explain itself", async () => {
    for (const name of ["list", "show", "cat", "add", "migrate", "gc", "explore"])
      expect((await run("files", name, "--help")).stdout).toContain(`Usage: lcm files ${name}`);
    expect((await run("files", "ad", "x")).stderr).toMatch(/Did you mean|too many/i);
  });

  it("is sound, and erases a file with its message when that is asked for", async () => {
    expect((await run("verify")).stdout).toContain("all hashes, orders and links are correct");
    const erased = await json("erase", binary.id, "--yes");
    expect(erased).toMatchObject({ message: binary.message, messages: 1, alsoIn: [] });
    expect((await run("files", "show", binary.id)).code).toBe(3);
    expect(await json("files", "gc", "--dry-run")).toMatchObject({ contents: 0 });
    expect((await run("verify")).code).toBe(0);
  });
});

interface Slice {
  readonly text: string | null;
  readonly startByte: number;
  readonly endByte: number;
  readonly next: { readonly startLine?: number; readonly startByte?: number } | null;
}

interface Report {
  readonly messages: number;
  readonly files: number;
  readonly bytes: number;
  readonly tokens: number;
  readonly dryRun: boolean;
}

describe("lcm files migrate", () => {
  const data = path.join(folder, "old");
  const RESULTS = 2_000;
  const migrate = (...args: string[]) => lcmJson<Report>(["--data", data, "files", "migrate", ...args]);
  let before: string;

  beforeAll(async () => {
    // As an earlier version stored them: nothing is kept apart.
    const engine = await open({
      store: data,
      background: "off",
      config: { logLevel: "silent", toolOutputStubBytes: 1_000_000_000 },
    });
    for (let from = 0; from < RESULTS; from += 100) await commitResults(engine, from, from + 100);
    await engine.close();
    before = await said();
  });

  /** What was said, as `read` gives it. */
  async function said(): Promise<string> {
    const engine = await open({ store: data, background: "off", config: { logLevel: "silent" } });
    const all = createHash("sha256");
    for (let from: number | null = 1; from !== null; ) {
      const page: Awaited<ReturnType<Engine["context"]["read"]>> = await engine.context.read({
        conversation: "old",
        from,
      });
      for (const message of page.messages) all.update(`${message.id} ${String(message.original)}\n`);
      from = page.next;
    }
    await engine.close();
    return all.digest("hex");
  }

  it("tells what it would do, and changes nothing", async () => {
    expect(await migrate("--dry-run")).toMatchObject({ files: RESULTS, messages: RESULTS, dryRun: true });
    expect(kept(data)).toBe(0);
  });

  it("can be killed in the middle, and goes on", async () => {
    const child = startLcm(["--data", data, "files", "migrate"]);
    const outcome = outcomeOf(child);
    await waitFor(() => kept(data) > 0);
    child.kill("SIGKILL");
    await outcome;
    const done = kept(data);
    expect(done).toBeLessThan(RESULTS);
    expect(await said()).toBe(before);
    expect((await migrate()).files).toBe(RESULTS - done);
    expect(kept(data)).toBe(RESULTS);
    expect(await said()).toBe(before);
  });

  it("has nothing to do when it is run again", async () => {
    expect(await migrate()).toMatchObject({ files: 0, messages: 0, bytes: 0 });
    const { stdout } = await lcm(["--data", data, "files", "migrate"]);
    expect(stdout).toContain("Nothing to externalise: 1 conversation, 4,000 messages checked.");
  });

  it("puts everything back on request, and can be told to stop", async () => {
    expect(await migrate("old", "--revert", "--dry-run")).toMatchObject({ files: RESULTS });
    expect(await migrate("old", "--revert")).toMatchObject({ files: RESULTS, dryRun: false });
    expect(kept(data)).toBe(0);
    expect(await said()).toBe(before);
    const child = startLcm(["--data", data, "files", "migrate"]);
    const outcome = outcomeOf(child);
    await waitFor(() => kept(data) > 0);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    const done = kept(data);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain(`${done.toLocaleString("en")} messages changed so far`);
    expect(stderr).toContain(`Resume with: lcm --data ${data} files migrate`);
    expect((await migrate()).files).toBe(RESULTS - done);
    expect((await lcm(["--data", data, "verify"])).code).toBe(0);
  });

  it("leaves contents that nothing refers to for collecting", async () => {
    await migrate("--revert");
    const counted = await lcmJson<{ contents: number }>(["--data", data, "files", "gc", "--dry-run"]);
    const removed = await lcmJson<{ contents: number }>(["--data", data, "files", "gc"]);
    expect(removed.contents).toBe(counted.contents);
    expect(await lcmJson(["--data", data, "files", "gc"])).toMatchObject({ contents: 0, dryRun: false });
    expect(await said()).toBe(before);
  });
});

async function commitResults(engine: Engine, from: number, to: number): Promise<void> {
  const messages = Array.from({ length: to - from }, (_, index) => from + index).flatMap((number) => [
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: `call_${number}`, name: "read_log", input: { path: `${number}.log` } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: `call_${number}`,
          content: `entry ${number} is fine\n`.repeat(600),
        },
      ],
    },
  ]);
  await engine.context.commitTurn({ conversation: "old", key: `t${from}`, messages });
}

/** How many files a store has, seen from outside while another process writes. */
function kept(data: string): number {
  const database = new DatabaseSync(path.join(data, "palimpsest.db"), { readOnly: true, timeout: 5_000 });
  try {
    return Number(database.prepare("SELECT count(*) AS files FROM large_files").get()?.files);
  } finally {
    database.close();
  }
}

async function waitFor(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 5_000; tries++) {
    if (isSo()) return;
    await sleep(4);
  }
  throw new Error("it did not come to it");
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

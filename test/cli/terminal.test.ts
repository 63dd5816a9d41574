/** What only a terminal shows: questions and colours. `script` of util-linux lends one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { spawnLcm, temporaryFolder } from "./lcm.ts";
import { longConversation, SMALL_CHUNKS } from "./long-conversations.ts";
import { contentOf, importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

const SCRIPT = "/usr/bin/script";
const COMMAND = fileURLToPath(new URL("../../bin/lcm.mjs", import.meta.url));
const COLUMNS = 80;
const folder = temporaryFolder();
const data = path.join(folder, "data");

/** Runs on a terminal and answers the first question. */
async function onTerminal(
  args: readonly string[],
  answer: string,
  environment: Readonly<Record<string, string>> = {},
  typedAhead = "",
): Promise<{ code: unknown; shown: string }> {
  const words = [process.execPath, COMMAND, "--data", data, ...args].map((word) => `'${word}'`);
  const command = `stty cols ${COLUMNS}; ${words.join(" ")}`;
  const child = spawn(SCRIPT, ["-qec", command, "/dev/null"], {
    env: { PATH: process.env.PATH, HOME: folder, TERM: "xterm", LCM_PAGER: "", ...environment },
  });
  let shown = "";
  // It may have ended without reading the answer.
  child.stdin.on("error", () => {});
  child.stdin.write(typedAhead);
  child.stdout.on("data", (piece: Buffer) => {
    if (typedAhead === "" && !shown.includes("[y/N]") && piece.includes("[y/N]"))
      child.stdin.write(/\p{Cc}/u.test(answer) ? answer : `${answer}\n`);
    if (/Stop\s+it\s+with\s+Ctrl-C/.test(piece.toString())) child.stdin.write("\u0003");
    shown += piece.toString();
  });
  const [code] = await once(child, "close");
  return { code, shown };
}

describe.runIf(existsSync(SCRIPT))("on a terminal", () => {
  beforeAll(async () => {
    const file = path.join(folder, "notes.jsonl");
    writeFileSync(file, neutral("notes", [said("user", "\u001b[2Jcleared?", "n1")]));
    await importInto(data, file);
  });

  it("shows lines that fit, broken at spaces and never within a word", async () => {
    const transcripts = path.join(folder, "transcripts");
    mkdirSync(transcripts);
    const name = `${"a-long-name-".repeat(5)}end.jsonl`;
    writeFileSync(path.join(transcripts, name), '{"needle":1}\n');
    writeFileSync(
      path.join(transcripts, "good.jsonl"),
      neutral("good", [
        said("user", "I always prefer the slow night train to the sea, with a window seat and a book.", "g1"),
      ]),
    );
    const place = ["--data", path.join(folder, "narrow")];
    const shownBy = async (...args: string[]) => {
      const { shown } = await onTerminal([...place, ...args], "");
      return stripVTControlCharacters(shown).split("\r\n");
    };
    const imported = await shownBy("import", transcripts);
    const refused = imported.indexOf(`✗ ${name}`);
    expect(imported[refused + 1]).toBe("    unknown transcript format");
    expect(imported.join("\n")).toMatch(/^✓ good\.jsonl +1 message /m);
    const text = "The lighthouse keeper writes the name of every passing ship into a green book. "
      .repeat(3)
      .trim();
    await shownBy("memory", "store", text);
    await shownBy("memory", "capture", "good");
    for (const args of [
      ["memory", "list"],
      ["memory", "explain", "lighthouse"],
      ["memory", "stats"],
      ["memory", "decisions"],
      ["doctor"],
    ]) {
      const lines = await shownBy(...args);
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.filter((line) => line.length > COLUMNS && line.trim().includes(" "))).toEqual([]);
      if (args[1] === "list") expect(lines.map((line) => line.trim()).join(" ")).toContain(text);
    }
  });

  it("asks before it deletes, naming what it is about, and takes no for an answer", async () => {
    const { code, shown } = await onTerminal(["conversations", "delete", "notes"], "n");
    expect(shown).toMatch(/Delete conv_[0-9a-f]{16} "The notes session" \(1 message\)\? \[y\/N\]/);
    expect(shown).toMatch(/^Cancelled; nothing was changed\.\r$/m);
    expect(code).toBe(1);
    expect(await contentOf(data)).toContain("cleared?");
  });

  it("takes Ctrl-D for a no, also one that was typed before the question, and Ctrl-C for an interruption", async () => {
    const command = ["conversations", "delete", "notes"];
    const early = await onTerminal(command, "", {}, "\u0004");
    const [ended, interrupted] = await Promise.all([
      onTerminal(command, "\u0004"),
      onTerminal(command, "\u0003"),
    ]);
    for (const { code, shown } of [early, ended]) {
      expect(shown).toMatch(/^Cancelled; nothing was changed\./m);
      expect(code).toBe(1);
    }
    expect(interrupted.code).toBe(130);
    expect(interrupted.shown).toMatch(/^Cancelled; nothing was changed\./m);
    expect(interrupted.shown).not.toContain("error");
    expect(await contentOf(data)).toContain("cleared?");
  });

  it("asks nothing without a terminal, and says what --yes would confirm", async () => {
    const { code, stdout, stderr } = await spawnLcm(["--data", data, "erase", "notes"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("confirmation required but no terminal; pass --yes\n--yes confirms this: This ");
    expect(stderr).not.toContain("?");
  });

  it("shows what a search matched in colour, and obeys nothing in it", async () => {
    const { code, shown } = await onTerminal(["grep", "--exact", "cleared"], "");
    expect(code).toBe(0);
    expect(shown).toContain("␛[2J\u001b[1m\u001b[31mcleared");
    expect(shown).not.toContain("\u001b[2Jcleared");
  });

  it("says what an MCP server waits for, and how an agent is connected", async () => {
    const { shown } = await onTerminal(["mcp"], "");
    for (const line of shown.split("\r\n").filter((one) => !one.includes("lcm setup")))
      expect(line.length).toBeLessThanOrEqual(COLUMNS);
    expect(shown).toContain("This is an MCP server. It is waiting for an agent on standard input");
    expect(shown).toContain("lcm setup claude-code");
  });

  it("asks before it replaces a store, and does not ask where there is none", async () => {
    const [backup, place] = [path.join(folder, "backup.jsonl"), path.join(folder, "new")];
    writeFileSync(backup, await contentOf(data));
    const [over, beside] = await Promise.all([
      onTerminal(["restore", backup], "n"),
      onTerminal(["--data", place, "restore", backup], "n"),
    ]);
    expect(over.shown).toMatch(
      /Replace 1 conversation in\s+.*palimpsest\.db with\s+.*backup\.jsonl\? \[y\/N\]/,
    );
    expect(beside.shown).not.toContain("[y/N]");
    expect([over.code, beside.code]).toEqual([1, 0]);
    expect(await contentOf(place)).toBe(await contentOf(data));
  });

  it("shows originals in colour-free safety with --raw, and messages in colour", async () => {
    const [raw, coloured, plain] = await Promise.all([
      onTerminal(["read", "notes", "--raw"], ""),
      onTerminal(["read", "notes"], ""),
      onTerminal(["read", "notes", "--no-color"], ""),
    ]);
    expect(raw.shown).not.toContain("\u001b");
    expect(coloured.shown).toContain("\u001b[32m#1 user");
    expect(coloured.shown).toContain("␛[2Jcleared?");
    expect(plain.shown).not.toContain("\u001b");
  });

  it("shows how a compaction goes on, and its result in colour", async () => {
    const file = path.join(folder, "long.jsonl");
    writeFileSync(file, neutral("long", longConversation(60)));
    await importInto(data, file);
    const { code, shown } = await onTerminal(["compact", "long"], "", SMALL_CHUNKS);
    expect(code).toBe(0);
    // A pass that is over at once shows nothing before its row.
    expect(shown.split("\u001b[2K").filter((line) => /^pass \d+ … /.test(line))).not.toEqual([]);
    expect(shown).toContain("\u001b[2mpass  kind ");
    expect(shown).toContain("\u001b[32m✓");
    const tree = await onTerminal(["tree", "long"], "");
    expect(tree.shown).toContain("\u001b[1msum_");
  });

  it("shows what is read in the person's pager, in colour, and nothing else", async () => {
    const paged = (name: string) => path.join(folder, name);
    const through = (name: string, ...args: string[]) =>
      onTerminal(args, "", { LCM_PAGER: `tee ${paged(name)}` });
    const [read] = await Promise.all([
      through("read", "read", "notes"),
      through("plain", "read", "notes", "--no-pager"),
      through("json", "read", "notes", "--json"),
      through("status", "status"),
    ]);
    expect(read.code).toBe(0);
    expect(readFileSync(paged("read"), "utf8")).toContain("\u001b[32m#1 user");
    expect(read.shown).toContain("␛[2Jcleared?");
    expect(["plain", "json", "status"].filter((name) => existsSync(paged(name)))).toEqual([]);
  });

  it("shows it without a pager where that cannot be started, and stops when it is closed", async () => {
    const [missing, closed] = await Promise.all([
      onTerminal(["read", "notes"], "", { LCM_PAGER: "no-such-pager-anywhere" }),
      onTerminal(["read", "long"], "", { LCM_PAGER: "head -n 1" }),
    ]);
    expect(missing).toMatchObject({ code: 0, shown: expect.stringContaining("cleared?") });
    expect(closed.code).toBe(0);
    expect(closed.shown.trim().split("\n")).toHaveLength(1);
  });

  it("tells what is wrong after the pager, not beneath it", async () => {
    const { code, shown } = await onTerminal(["read", "nobody"], "", { LCM_PAGER: "sed s/^/PAGED/" });
    expect(code).toBe(3);
    expect(shown).not.toContain("PAGED");
    expect(shown).toContain("error:");
  });

  it("deletes after a yes", async () => {
    const { code, shown } = await onTerminal(["conversations", "delete", "notes"], "y");
    expect(shown).toContain("is deleted, with 1 message.");
    expect(code).toBe(0);
    expect(await contentOf(data)).not.toContain("cleared?");
  });
});

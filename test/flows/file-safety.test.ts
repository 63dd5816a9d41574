/** Files beside the database: who may read them, and what happens when somebody tampers with them. */
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PLANTED_SECRETS } from "../../src/context/files/explore/testing/planted-secrets.ts";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { prometheusMetrics } from "../../src/metrics/prometheus.ts";
import { temporaryFolder } from "../temporary-store.ts";

const LARGE = "a line that is long enough to be told from others\n".repeat(20_000);

describe("files beside the database", () => {
  let folder: string;
  let engine: Engine;
  let id: string;
  let umask: number;

  const attach = async (key: string, text: string) => {
    const content = `<file name="${key}.txt">${text}</file>`;
    await engine.context.commitTurn({ conversation: "c", key, messages: [{ role: "user", content }] });
    const [file] = (await engine.context.files.list({})).files;
    return file?.id ?? "";
  };
  const stored = () => globSync("files/*/*.zst", { cwd: folder }).map((name) => path.join(folder, name));

  beforeEach(async () => {
    umask = process.umask(0);
    folder = temporaryFolder();
    engine = await open({ store: folder, background: "off", config: { logLevel: "silent" } });
    id = await attach("first", LARGE);
  });

  afterEach(async () => {
    process.umask(umask);
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("may be read by their owner alone, whatever the process allows otherwise", () => {
    const [file = ""] = stored();
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    for (const place of [
      path.dirname(file),
      path.join(folder, "files"),
      path.join(folder, "files/unfinished"),
    ])
      expect(lstatSync(place).mode & 0o777).toBe(0o700);
    expect(lstatSync(path.join(folder, "palimpsest.db")).mode & 0o777).toBe(0o600);
    expect(globSync("files/unfinished/*", { cwd: folder })).toEqual([]);
    expect(path.basename(file)).toMatch(/^[0-9a-f]{64}\.zst$/);
  });

  it.each(["file_../../../../etc/passwd", "file_%2e%2e%2fpalimpsest", "file_", "../files", "/etc/passwd"])(
    "are not reached by the id %s",
    async (odd) => {
      await expect(engine.context.files.read({ id: odd })).rejects.toThrow(/no file|is a|not/);
    },
  );

  it("are not read through a link, in the place of the file or of a folder", async () => {
    const [file = ""] = stored();
    const secret = path.join(temporaryFolder(), "secret.zst");
    writeFileSync(secret, readFileSync(file));
    renameSync(file, `${file}.away`);
    symlinkSync(secret, file);
    await expect(engine.context.files.read({ id })).rejects.toThrow(".zst is a link");
    rmSync(file);
    renameSync(`${file}.away`, file);
    expect((await engine.context.files.read({ id, endByte: 6 })).text).toBe("a line");
    const inside = path.dirname(file);
    renameSync(inside, `${inside}-away`);
    symlinkSync(`${inside}-away`, inside);
    await expect(engine.context.files.read({ id })).rejects.toThrow("is not a folder but a link");
  });

  it("stay what they were when a link is put there again and again while they are read", async () => {
    const [file = ""] = stored();
    const other = path.join(temporaryFolder(), "other.zst");
    await attach("other", LARGE.replaceAll("line", "LINE"));
    writeFileSync(other, readFileSync(stored().find((one) => one !== file) ?? ""));
    let isDone = false;
    const swapping = (async () => {
      for (let i = 0; i < 300 && !isDone; i++) {
        renameSync(file, `${file}.away`);
        symlinkSync(other, file);
        await new Promise((resolve) => setImmediate(resolve));
        rmSync(file);
        renameSync(`${file}.away`, file);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let i = 0; i < 60; i++) {
      const read = await engine.context.files
        .read({ id, startByte: i * 10_000 })
        .catch((error: Error) => error);
      if (read instanceof Error) expect(read.message).toContain("cannot be read");
      else expect(read.text).not.toContain("LINE");
    }
    isDone = true;
    await swapping;
  });

  it("are named with their message when they are damaged or gone, and nothing else is lost", async () => {
    await attach("second", LARGE.toUpperCase());
    await engine.context.index.build();
    const [file = ""] = stored().filter((one) => one.includes(hashOf(id)));
    truncateSync(file, 10);
    await expect(engine.context.files.read({ id })).rejects.toThrow("too short");
    await expect(engine.context.read({ conversation: "c" })).rejects.toThrow(id);
    expect((await engine.context.read({ conversation: "c", from: 2 })).messages).toHaveLength(1);
    const report = await checkIntegrity(engine.store);
    // What is missing from the text is missed by the index as well.
    const problems = report.problems.filter(({ check }) => check !== "search");
    expect(problems.map(({ check, seq }) => [check, seq])).toEqual([
      ["chain", 1],
      ["files", 1],
    ]);
    rmSync(file);
    await expect(engine.context.files.read({ id })).rejects.toThrow("is missing");
    const assembled = await engine.context.assemble({ conversation: "c" });
    expect(JSON.stringify(assembled.messages)).toContain(id);
  });

  it("are brought back when the same content comes again, and do not hide what is in others", async () => {
    const [file = ""] = stored();
    const second = await attach("second", LARGE.toUpperCase());
    for (const harm of [
      () => rmSync(file),
      () =>
        writeFileSync(
          file,
          readFileSync(file).map((byte) => byte ^ 1),
        ),
    ]) {
      harm();
      const found = await engine.context.files.grep({ pattern: "A LINE", mode: "exact", limit: 1 });
      expect(found.hits.map((hit) => hit.id)).toEqual([second]);
      const damaged = await engine.context.files.grep({ pattern: "nowhere", mode: "exact" });
      expect(damaged.unreadable).toHaveLength(1);
      await engine.context.commitTurn({
        conversation: "again",
        key: `${Math.random()}`,
        messages: [{ role: "user", content: `<file name="first.txt">${LARGE}</file>` }],
      });
      expect((await engine.context.files.read({ id, endByte: 6 })).text).toBe("a line");
      expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    }
  });

  it("are told from others when a row was changed to point elsewhere", async () => {
    const second = await attach("second", LARGE.toUpperCase());
    await engine.close();
    const database = new DatabaseSync(path.join(folder, "palimpsest.db"));
    database
      .prepare(
        "UPDATE large_files SET content_hash = (SELECT content_hash FROM large_files WHERE file_id = ?) WHERE file_id = ?",
      )
      .run(second, id);
    expect(() => database.exec("UPDATE file_contents SET content_hash = x'2e2e2f2e2e'")).toThrow("CHECK");
    database.close();
    engine = await open({ store: folder, background: "off", config: { logLevel: "silent" } });
    const { problems } = await checkIntegrity(engine.store);
    expect(problems.map(({ check, seq }) => [check, seq])).toContainEqual(["chain", 1]);
  });

  it("are removed when they are erased, and when an interruption left them to nobody", async () => {
    expect(stored()).toHaveLength(1);
    await engine.context.erase({ conversation: "c", from: 1 });
    expect(stored()).toEqual([]);
    const left = path.join(folder, "files/ab", `${"ab".repeat(32)}.zst`);
    mkdirSync(path.dirname(left), { recursive: true });
    writeFileSync(left, "left by a process that was killed");
    writeFileSync(path.join(folder, "files/unfinished", "0f".repeat(16)), "half");
    const others = [
      "files/note.txt",
      "files/ab/note.txt",
      "files/unfinished/note",
      "files/kept/note.zst",
    ].map((name) => path.join(folder, name));
    mkdirSync(path.join(folder, "files/kept"));
    // In a folder that is not its own: whoever put it there wants it there.
    others.push(path.join(folder, "files/kept", `${"ab".repeat(32)}.zst`));
    for (const file of others) writeFileSync(file, "somebody else's");
    expect(await engine.store.collectGarbage({ dryRun: true })).toEqual({ contents: 2, bytes: 37 });
    expect(existsSync(left)).toBe(true);
    expect(await engine.store.collectGarbage({ dryRun: false })).toEqual({ contents: 2, bytes: 37 });
    expect(existsSync(left)).toBe(false);
    expect(others.filter((file) => !existsSync(file))).toEqual([]);
  });

  // Nothing is forbidden to root.
  it.skipIf(process.getuid?.() === 0)(
    "say what is wrong when they cannot be written, and nothing is stored",
    async () => {
      chmodSync(path.join(folder, "files/unfinished"), 0o500);
      await expect(attach("third", LARGE.slice(1))).rejects.toThrow(/cannot be written|permission/);
      expect((await engine.context.conversations.get("c")).messageCount).toBe(1);
    },
  );

  it("and results show no credential in any stub, description, log or metric", async () => {
    expect(PLANTED_SECRETS.length).toBeGreaterThanOrEqual(100);
    const log = path.join(temporaryFolder(), "log.jsonl");
    await engine.close();
    const metrics = prometheusMetrics();
    engine = await open({
      store: folder,
      background: "off",
      observe: metrics.observe,
      config: { logLevel: "debug", logFile: log },
    });
    const shown: string[] = [];
    for (const [index, { text }] of PLANTED_SECRETS.entries()) {
      const input = {
        command: `deploy --token ${text}`,
        url: `https://user:${text}@example.com/?key=${text}`,
        headers: { Authorization: `Bearer ${text}` },
        env: { API_KEY: text },
        body: JSON.stringify({ password: text }),
        path: `src/${index}.ts`,
      };
      await engine.context.commitTurn({
        conversation: "secrets",
        key: `t${index}`,
        messages: [
          { role: "assistant", content: [{ type: "tool_use", id: `c${index}`, name: "run", input }] },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: `c${index}`,
                content: `${text}\n`.repeat(400).padEnd(9_000, "."),
              },
            ],
          },
        ],
      });
    }
    const everything = PLANTED_SECRETS.map(({ text }, i) => `SETTING_${i}=${text}\n`)
      .join("")
      .repeat(60);
    await attach("environment", everything);
    for (const { description } of (await engine.context.files.list({})).files) shown.push(description);
    const { items, messages } = await engine.context.assemble({
      conversation: "secrets",
      budget: 40_000,
      format: "anthropic",
    });
    expect(items.some(({ reason }) => reason === "stub of an old tool result")).toBe(true);
    for (const stub of JSON.stringify(messages).matchAll(/\[LCM Tool Output:.*?to read it\./g))
      shown.push(stub[0]);
    shown.push(readFileSync(log, "utf8"), await metrics.text());
    const all = shown.join("\n");
    expect(PLANTED_SECRETS.filter(({ secret }) => all.includes(secret))).toEqual([]);
    expect(all).toContain("path=src/7.ts");
  });

  /** Of the content, as its file is named. */
  function hashOf(file: string): string {
    const database = new DatabaseSync(path.join(folder, "palimpsest.db"), { readOnly: true });
    const row = database
      .prepare("SELECT lower(hex(content_hash)) AS hash FROM large_files WHERE file_id = ?")
      .get(file);
    database.close();
    return String(row?.hash);
  }
});

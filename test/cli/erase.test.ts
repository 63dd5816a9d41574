import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { erase } from "../../src/operations/erase.ts";
import { backup } from "../../src/operations/store/backup.ts";
import { freshDatabase } from "../start-postgres.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { contentOf, importInto, withEngine } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Report = Awaited<ReturnType<typeof erase.run>>;

const SECRET = "the-secret-word-48151623";
const folder = temporaryFolder();
const data = path.join(folder, "data");
const file = path.join(folder, "private.jsonl");

/** Whether the word stands in any of the store's own files, backups aside. */
function isOnDisk(word: string): boolean {
  const names = readdirSync(data).filter((name) => name.startsWith("palimpsest.db"));
  return names.some((name) => readFileSync(path.join(data, name)).includes(word));
}

describe("lcm erase", () => {
  beforeAll(async () => {
    const messages = [
      said("user", `my password is ${SECRET}`, "p1"),
      said("assistant", "thank you", "p2"),
      said("user", `again: my password is ${SECRET}`, "p3"),
    ];
    writeFileSync(file, neutral("private", messages));
    await importInto(data, file);
    await withEngine(data, (engine) => backup.run(engine, {}, {}));
  });

  it("asks for a yes first", async () => {
    expect(isOnDisk(SECRET)).toBe(true);
    expect(await lcm(["--data", data, "erase", "private"])).toMatchObject({ code: 2, stdout: "" });
    expect(await contentOf(data)).toContain(SECRET);
  });

  it("looks whether the words are there before it asks", async () => {
    const [nobody, beyond, reversed] = await Promise.all([
      lcm(["--data", data, "erase", "conv_0123456789abcdef"]),
      lcm(["--data", data, "erase", "private", "--from", "99"]),
      lcm(["--data", data, "erase", "private", "--from", "3", "--to", "1"]),
    ]);
    expect(nobody).toMatchObject({ code: 3, stdout: "" });
    expect(nobody.stderr).toContain("there is no conversation conv_0123456789abcdef");
    expect(beyond).toMatchObject({ code: 3, stdout: "" });
    for (const { stderr } of [
      beyond,
      await lcm(["--data", data, "erase", "private", "--from", "99", "--yes"]),
      await lcm(["--data", data, "erase", "private", "--from", "99", "--dry-run"]),
    ])
      expect(stderr).toMatch(/ has no message 99\nIt has messages 1 to 3\.\n$/);
    expect(beyond.stderr).toMatch(/has no message 99\nIt has messages 1 to 3\./);
    expect(reversed).toMatchObject({ code: 2, stdout: "" });
    expect(reversed.stderr).toContain("--from (3) is greater than --to (1)");
  });

  it("removes the words from the store's files and names everything that still holds them", async () => {
    const options = ["--from", "1", "--reason", "a slip", "--yes"];
    const one = await lcm(["--data", data, "erase", "private", ...options]);
    expect(one).toMatchObject({ code: 0, stderr: "" });
    expect(one.stdout).toMatch(
      /^Erased 1 message, 0 summaries and 0 transcript lines from conv_[0-9a-f]{16}\.$/m,
    );
    expect(one.stdout).toContain("The store's files no longer contain the text.\n");
    expect(one.stdout).toMatch(
      /Earlier backups that still contain it:\n {2}.*\/backups\/palimpsest-.*\.jsonl\.zst/,
    );
    expect(one.stdout).toContain(`Files of the host, which were not changed:\n  ${file}\n`);
    const repeating =
      /Copies of the text that stay: 1 exact copy\n {2}(msg_[0-9a-f]{16}_3)/.exec(one.stdout)?.[1] ?? "";
    expect(isOnDisk(SECRET)).toBe(true);

    // Another process has the store open, so that closing does not tidy up by itself.
    const rest = await withEngine(data, async ({ store }) => {
      await store.info();
      const report = await lcmJson<Report>(["--data", data, "erase", repeating, "--yes"]);
      expect(isOnDisk(SECRET)).toBe(false);
      return report;
    });
    expect(() => erase.output.parse(rest)).not.toThrow();
    expect(rest).toMatchObject({ messages: 1, filesCleaned: true, problem: null, alsoIn: [] });
    expect(isOnDisk(SECRET)).toBe(false);
  });

  it("says on PostgreSQL where the server keeps the words for a while", async () => {
    const database = await freshDatabase(inject("postgresUrl"));
    try {
      await importInto(database.url, file);
      const { stdout } = await lcm(["--database-url", database.url, "erase", "private", "--yes"]);
      expect(stdout).toContain("The text is removed from the tables");
      expect(stdout).toContain("write-ahead log contains it until it is recycled");
      expect(stdout).not.toContain("gone from the store's own files");
    } finally {
      await database.drop();
    }
  });

  it("leaves tombstones with a valid chain, an audit record, and nothing to erase twice", async () => {
    const [shown, verified, audit] = await Promise.all([
      lcm(["--data", data, "read", "private"]),
      lcm(["--data", data, "verify"]),
      lcm(["--data", data, "audit"]),
    ]);
    expect(shown.stdout).toMatch(/^#1 user · .*\n\(erased \d{4}-\d\d-\d\d \d\d:\d\d\)$/m);
    expect(shown.stdout).toContain("thank you");
    expect(verified.code).toBe(0);
    expect(audit.stdout).toMatch(
      /erase +conv_[0-9a-f]{16} +messages 1–1, 1 message erased, 0 transcript lines, reason: a slip/,
    );
    expect(audit.stdout).not.toContain(SECRET);
    const [again, beyond] = await Promise.all([
      lcm(["--data", data, "erase", "private", "--from", "1", "--yes"]),
      lcm(["--data", data, "erase", "private", "--from", "99", "--yes"]),
    ]);
    expect(again.stdout).toMatch(/^Nothing to erase in conv_/);
    expect(beyond.code).toBe(3);
  });

  it("lists copies in a dry run, names them in the question, and erases them with --also", async () => {
    const words = "the harbour master keeps the ledger under the third stair";
    const copies = path.join(folder, "copies.jsonl");
    writeFileSync(copies, neutral("copies", [said("user", words, "c1"), said("user", `So ${words}!`, "c2")]));
    await importInto(data, copies);
    const dry = await lcm(["--data", data, "erase", "copies", "--from", "1", "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toMatch(/^This would erase 1 message from conv_[0-9a-f]{16}\.$/m);
    expect(dry.stdout).toMatch(/Copies found: 1 exact copy\n {2}msg_[0-9a-f]{16}_2 \(exact copy\)/);
    expect(dry.stdout).toContain("lcm --data");
    const asked = await withEngine(data, async (engine) =>
      erase.command.question?.(engine, { id: "copies", from: 1, also: true }),
    );
    expect(asked).toMatch(
      /^These copies are erased as well: 1 exact copy\n {2}msg_[0-9a-f]{16}_2 \(exact copy\)\nThis permanently erases message 1 \(user: "[^"]+"\) from conv_.*\.\nIt removes 2 messages\.\nErase it permanently\?$/,
    );
    const done = await lcm(["--data", data, "erase", "copies", "--from", "1", "--also", "--yes"]);
    expect(done.stdout).toMatch(/^Erased 2 messages/);
    expect(done.stdout).toMatch(/Copies that were also erased: 1 exact copy\n {2}msg_[0-9a-f]{16}_2/);
    expect(done.stdout).toMatch(/Searched for copies in \d+ conversations, .* Certificate: [0-9a-f]{64}$/m);
    expect(isOnDisk("third stair")).toBe(false);
    const verified = await lcm(["--data", data, "verify", "--erasure"]);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toMatch(/\d+ erasure certificates checked: erased content is gone/);
  });

  it("counts many copies by kind, names the first ten, and asks directly below what is erased", async () => {
    const words = "the lighthouse keeper writes the tide tables in green ink";
    const copies = Array.from({ length: 12 }, (_, i) => said("user", `Day ${i}: ${words}.`, `m${i + 1}`));
    const many = path.join(folder, "many.jsonl");
    writeFileSync(many, neutral("many", [said("user", words, "m0"), ...copies]));
    await importInto(data, many);
    const one = ["--data", data, "erase", "many", "--from", "1"];
    const [asked, dry] = [
      await withEngine(data, async (engine) => erase.command.question?.(engine, { id: "many", from: 1 })),
      await lcm([...one, "--dry-run"]),
    ];
    expect(asked).toMatch(
      /^These copies stay unless you add --also; erasing again later does not find them: 12 exact copies\n( {2}msg_.* \(exact copy\)\n){10} {2}… and 2 more; --dry-run lists all\nThis permanently erases message 1 .*\nIt removes 1 message\.\nErase it permanently\?$/,
    );
    expect(dry.stdout).toMatch(
      /Copies found: 12 exact copies\n( {2}msg_.* \(exact copy\)\n){12}Erase it with: /,
    );
    const done = await lcm([...one, "--yes"]);
    expect(done.stdout).toMatch(
      /Copies of the text that stay: 12 exact copies\n( {2}msg_.*\n){10} {2}… and 2 more; only --json lists all\nErase a message or memory of these with: lcm .*erase <id>\n/,
    );
    const again = await lcmJson<Report>([...one, "--also", "--yes"]);
    expect(again).toMatchObject({ messages: 0, copies: [] });
  });

  it("does not bring the words back when the transcript is imported again", async () => {
    writeFileSync(file, `${readFileSync(file, "utf8")}${JSON.stringify(said("user", "one more", "p4"))}\n`);
    await importInto(data, file);
    const content = await contentOf(data);
    expect(content).toContain("one more");
    expect(content).not.toContain(SECRET);
    expect(isOnDisk(SECRET)).toBe(false);
  });

  it("does not count what was erased as kept off the active path", async () => {
    const { totals } = await lcmJson<{ totals: { offPath: number } }>(["--data", data, "import", file]);
    expect(totals.offPath).toBe(0);
  });
});

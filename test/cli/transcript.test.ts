import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { transcript } from "../../src/operations/transcript.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");
const file = path.join(folder, "notes.jsonl");
const invalid = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a]);
const original = Buffer.concat([
  Buffer.from(neutral("notes", [said("user", "é", "n1")])),
  invalid,
  Buffer.from("{}"),
]);

describe("lcm transcript", () => {
  beforeAll(async () => {
    writeFileSync(file, original);
    await importInto(data, file);
  });

  it("gives the host's file back byte for byte, on standard output and as a file", async () => {
    const copy = path.join(folder, "copy.jsonl");
    const [streamed, written] = await Promise.all([
      lcm(["--data", data, "transcript", "notes"]),
      lcm(["--data", data, "transcript", "notes", "--output", copy]),
    ]);
    expect(streamed.bytes.equals(original)).toBe(true);
    expect(readFileSync(copy).equals(original)).toBe(true);
    expect(written.stdout).toBe(`Wrote ${copy} (${original.length} bytes).\n`);
    const again = await lcm(["--data", data, "transcript", "notes", "--output", copy]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toBe(
      `error: ${copy} already exists\nChoose another name, or remove the file first.\n`,
    );
    expect(readFileSync(copy).equals(original)).toBe(true);
    const nowhere = path.join(folder, "nowhere", "copy.jsonl");
    const lost = await lcm(["--data", data, "transcript", "notes", "--output", nowhere]);
    expect(lost).toMatchObject({ code: 2, stdout: "" });
    expect(lost.stderr).toContain(
      `${nowhere} cannot be written: the folder ${path.dirname(nowhere)} does not exist\n`,
    );
  });

  it("takes - for standard output, which JSON wants too", async () => {
    const streamed = await lcm(["--data", data, "transcript", "notes", "-o", "-"], { folder });
    expect([streamed.code, streamed.bytes.equals(original)]).toEqual([0, true]);
    expect(existsSync(path.join(folder, "-"))).toBe(false);
    const both = await lcm(["--data", data, "transcript", "notes", "-o", "-", "--json"], { folder });
    expect(both).toMatchObject({ code: 2, stdout: expect.stringContaining("both write to standard output") });
  });

  it("lists versions and unreadable lines", async () => {
    writeFileSync(file, neutral("notes", [said("user", "rewritten", "n9")]));
    await importInto(data, file);
    const [shown, answer] = await Promise.all([
      lcm(["--data", data, "transcript", "notes", "--versions", "--unreadable"]),
      lcmJson<Awaited<ReturnType<typeof transcript.run>>>(["--data", data, "transcript", "notes"]),
    ]);
    expect(() => transcript.output.parse(answer)).not.toThrow();
    expect(answer.versions.map(({ number, path: from }) => [number, from])).toEqual([
      [1, file],
      [2, file],
    ]);
    expect(answer.unreadable).toEqual([{ version: 1, line: 3, problem: expect.any(String) }]);
    expect(shown.stdout).toMatch(/^version +lines +size +shared lines +read +file\n +1 +4 /);
    expect(shown.stdout).toMatch(/\n +1 +3 {2}\S/);
    const first = await lcm(["--data", data, "transcript", "notes", "--number", "1"]);
    expect(first.bytes.equals(original)).toBe(true);
  });

  it("says when there is no such conversation or version", async () => {
    const [nobody, version] = await Promise.all([
      lcm(["--data", data, "transcript", "nobody"]),
      lcm(["--data", data, "transcript", "notes", "--number", "9"]),
    ]);
    expect(nobody.code).toBe(3);
    expect(version).toMatchObject({ code: 3, stdout: "" });
    expect(version.stderr).toMatch(/has no version 9 of its transcript\nOn record: 1, 2\. .*--versions\n$/);
  });
});

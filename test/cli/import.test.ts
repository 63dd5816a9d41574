import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { importPath } from "../../src/operations/store/import.ts";
import { DOCUMENTS } from "../session-documents.ts";
import { lcm, lcmJson, type Outcome, spawnLcm, temporaryFolder } from "./lcm.ts";
import { withEngine } from "./stores.ts";
import { neutral, said, writeFolder } from "./transcripts.ts";

type Report = Awaited<ReturnType<typeof importPath.run>>;

const folder = temporaryFolder();
const data = path.join(folder, "data");
const sessions = writeFolder(folder);

describe("lcm import", () => {
  let first: Outcome;
  beforeAll(async () => {
    first = await lcm(["--data", data, "import", sessions]);
  });

  it("brings in every transcript below a folder and names what it does not take", () => {
    // The file that is not a transcript does not count.
    expect(first.code).toBe(0);
    expect(first.stderr).toBe("");
    const lines = first.stdout.split("\n");
    expect(lines.find((line) => line.includes("rollout.jsonl"))).toMatch(
      /^✓ deep\/rollout\.jsonl +3 messages {2}Codex$/,
    );
    expect(lines.find((line) => line.includes("pi.jsonl"))).toMatch(/2 messages {2}pi or OpenClaw$/);
    expect(lines.find((line) => line.includes("notes.jsonl"))).toMatch(
      /2 messages {2}Palimpsest JSONL, 1 unreadable line$/,
    );
    const refused = lines.findIndex((line) => line.includes("trace.json"));
    expect(lines.slice(refused, refused + 2)).toEqual([
      "✗ trace.json",
      "    an OpenClaw trajectory, a log of runs without messages, which cannot be imported",
    ]);
    expect(first.stdout).not.toContain("readme.txt");
  });

  it("sums up what was imported, kept aside and unreadable, and says what to do next", () => {
    expect(first.stdout).toMatch(/^14 new messages from 4 files in \d+\.\d s$/m);
    expect(first.stdout).toMatch(/events +5 non-message lines kept/);
    expect(first.stdout).toMatch(/unreadable +1 line, kept unchanged\n +notes\.jsonl line 3: /);
    expect(first.stdout).toMatch(/abandoned branches +1 message, kept on record\n +conv_[0-9a-f]{16}: #5$/m);
    expect(first.stdout).toMatch(/not imported +1 file/);
    expect(first.stdout).toContain(`next: lcm --data ${data} read conv_`);
  });

  it("imports nothing twice, and says so in JSON that fits the operation's schema", async () => {
    const report = await lcmJson<Report>(["--data", data, "import", sessions]);
    expect(() => importPath.output.parse(report)).not.toThrow();
    expect(report.totals).toMatchObject({ imported: 0, alreadyThere: 14, refused: 1 });
    expect(
      report.files.map((file) => (file.kind === "store-export" ? file.kind : file.status)).toSorted(),
    ).toEqual(["refused", "unchanged", "unchanged", "unchanged", "unchanged"]);
    expect((await withEngine(data, ({ store }) => store.info())).messages).toBe(14);
  });

  it("goes on where a file has grown, and names the conversation of a single file", async () => {
    const file = path.join(folder, "growing.jsonl");
    writeFileSync(file, neutral("growing", [said("user", "one", "g1")]));
    const before = await lcm(["--data", data, "import", file]);
    expect(before.stdout).toMatch(/conversation +conv_[0-9a-f]{16} {2}The growing session/);
    writeFileSync(file, `${readFileSync(file, "utf8")}${JSON.stringify(said("assistant", "two", "g2"))}\n`);
    const after = await lcm(["--data", data, "import", file]);
    expect(after.stdout).toMatch(
      /^✓ growing\.jsonl +1 message {3}Palimpsest JSONL, 1 already stored, continues a known file$/m,
    );
  });

  it("keeps a message with a role that nobody knows, and reports its line", async () => {
    const file = path.join(folder, "roles.jsonl");
    writeFileSync(
      file,
      neutral("roles", [
        said("user", "one", "r1"),
        said("robot", "two", "r2"),
        said("assistant", "three", "r3"),
      ]),
    );
    const { code, stdout } = await lcm(["--data", data, "import", file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 new messages in /m);
    expect(stdout).toMatch(/events +1 non-message line kept$/m);
    expect(stdout).toContain(
      "    roles.jsonl line 3: its role is not one of system, user, assistant, tool\n",
    );
    const written = await lcm(["--data", data, "transcript", "roles"]);
    expect(written.bytes.equals(readFileSync(file))).toBe(true);
  });

  it("takes several paths, each file once, and gives one report", async () => {
    const places = [
      path.join(sessions, "deep"),
      path.join(sessions, "notes.jsonl"),
      path.join(sessions, "trace.json"),
    ];
    const place = path.join(folder, "several");
    const again = path.join(sessions, "deep", "rollout.jsonl");
    const text = await lcm(["--data", place, "import", ...places, again]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toMatch(/^✓ deep\/rollout\.jsonl +3 messages/m);
    expect(text.stdout).toMatch(/^✗ trace\.json\n {4}an OpenClaw/m);
    expect(text.stdout).toMatch(/^7 new messages from 3 files in /m);
    const report = await lcmJson<Report>(["--data", place, "import", ...places]);
    expect(() => importPath.output.parse(report)).not.toThrow();
    expect(report).toMatchObject({ folder: sessions, totals: { imported: 0, alreadyThere: 7, refused: 1 } });
    const slip = await lcm(["--data", place, "import", places[0] ?? "", path.join(folder, "nowhere")]);
    expect(slip).toMatchObject({ code: 3, stdout: "" });
  });

  it("imports the rest of a folder if a subfolder or a file cannot be read, and exits with 6", async () => {
    const partly = path.join(temporaryFolder(), "partly");
    const closed = [path.join(partly, "locked"), path.join(partly, "open", "secret.jsonl")];
    for (const one of ["locked", "open"]) mkdirSync(path.join(partly, one), { recursive: true });
    for (const one of ["ok.jsonl", "locked/unseen.jsonl", "open/secret.jsonl"])
      writeFileSync(path.join(partly, one), neutral(one, [said("user", "one", "p1")]));
    chmodSync(path.dirname(partly), 0o777);
    for (const one of closed) chmodSync(one, 0o000);
    const place = path.join(path.dirname(partly), "store");
    const run = (...args: string[]) => spawnLcm(["--data", place, ...args], { ordinaryUser: true });
    try {
      const { code, stdout, stderr } = await run("import", partly);
      expect({ code, stderr }).toEqual({ code: 6, stderr: "" });
      expect(stdout).toMatch(/^✗ locked\/ +cannot be read: permission denied \(EACCES\)$/m);
      expect(stdout).toMatch(/^✗ open\/secret\.jsonl +cannot be read: permission denied \(EACCES\)$/m);
      expect(stdout).toMatch(/^✓ ok\.jsonl +1 message/m);
      expect(stdout).toMatch(/not imported +1 file and 1 folder \(✗ above\)$/m);
      const json = JSON.parse((await run("import", partly, "--json")).stdout);
      expect(() => importPath.output.parse(json)).not.toThrow();
      expect(json.totals.refused).toBe(2);
      const alone = await run("import", closed[0] ?? "");
      expect(alone).toMatchObject({ code: 2, stdout: "" });
      expect(alone.stderr).toContain(`${closed[0]} cannot be read: permission denied (EACCES)`);
      const memories = await run("memory", "import", partly);
      expect(memories.stderr).toBe("");
      expect(memories.stdout).toContain("locked/ cannot be read: permission denied (EACCES)");
    } finally {
      for (const one of closed) chmodSync(one, 0o755);
    }
  });

  it("says in its help that an incomplete import does not succeed", async () => {
    const { stdout } = await lcm(["import", "--help"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("the exit code is 6");
  });

  it("makes no store for files that give nothing, and says why", async () => {
    const none = path.join(folder, "none");
    mkdirSync(none);
    const empty = path.join(none, "empty.jsonl");
    writeFileSync(empty, "\n");
    const place = path.join(folder, "unmade");
    const one = await lcm(["--data", place, "import", empty]);
    expect(one).toMatchObject({ code: 2, stdout: "" });
    expect(one.stderr).toContain(`${empty} is empty\nImport it once its host has written to it.`);
    writeFileSync(path.join(none, "trace.json"), '{"traceSchema":"openclaw-trajectory","seq":1}\n');
    const several = await lcm(["--data", place, "import", none]);
    expect(several).toMatchObject({ code: 2, stdout: "" });
    expect(several.stderr).toContain(
      `none of the 2 files in ${none} can be imported\nempty.jsonl is empty\n`,
    );
    expect((await lcm(["--data", place, "import", path.join(folder, "nowhere")])).code).toBe(3);
    expect(existsSync(place)).toBe(false);
    expect((await lcm(["--data", data, "import", none])).stdout).toMatch(/^✗ empty\.jsonl +empty$/m);
  });

  it("dates an old rollout by its header, for its lines have no time", async () => {
    const file = path.join(folder, "old-rollout.jsonl");
    const said = {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "an old question" }],
    };
    const header = { id: "old", timestamp: "2025-08-06T18:02:11.000Z", instructions: null };
    writeFileSync(file, [header, said].map((line) => `${JSON.stringify(line)}\n`).join(""));
    await lcm(["--data", data, "import", file]);
    const { messages } = await lcmJson<{ messages: { createdAt: string }[] }>([
      "--data",
      data,
      "read",
      "old",
    ]);
    expect(messages.map(({ createdAt }) => createdAt)).toEqual([header.timestamp]);
  });

  it("refuses a single unsupported file by name, and a path that is not there", async () => {
    const [unsupported, missing, asJson] = await Promise.all([
      lcm(["--data", data, "import", path.join(sessions, "trace.json")]),
      lcm(["--data", data, "import", path.join(folder, "nowhere")]),
      lcm(["--data", data, "import", path.join(sessions, "trace.json"), "--json"]),
    ]);
    expect(unsupported).toMatchObject({ code: 2, stdout: "" });
    expect(unsupported.stderr).toMatch(
      /^error: .*trace\.json is an OpenClaw trajectory, .*which cannot be imported\n\S/,
    );
    expect(missing).toMatchObject({ code: 3, stdout: "" });
    expect(missing.stderr).toContain(`no such file or folder: ${path.join(folder, "nowhere")}`);
    expect(asJson).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(asJson.stdout).error).toMatchObject({ code: "not-supported" });
  });

  it("imports files of whole sessions, with a report for each session", async () => {
    const place = path.join(folder, "documents");
    const files = path.join(folder, "files");
    mkdirSync(files);
    for (const sample of DOCUMENTS) sample.write(files, true);
    const text = await lcm(["--data", place, "import", files]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toMatch(/^✓ kettle__1\.traj +5 messages {2}SWE-agent$/m);
    expect(text.stdout).toMatch(/^✓ opencode\.db +3 messages {2}OpenCode$/m);
    expect(text.stdout).toMatch(/ from 10 sessions in 8 files in /);
    const report = await lcmJson<Report>(["--data", place, "import", files]);
    expect(() => importPath.output.parse(report)).not.toThrow();
    expect(report.totals).toMatchObject({ imported: 0, refused: 0 });
    const listed = await lcm(["--data", place, "conversations", "--host", "gemini-cli"]);
    expect(listed.stdout).toContain("tea: Tea shelves");
    expect((await lcm(["--data", place, "verify"])).code).toBe(0);
  });
});

import { once } from "node:events";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { read } from "../../src/operations/retrieve/read.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";
import { importInto } from "./stores.ts";
import { claudeCode, neutral, said } from "./transcripts.ts";

type Page = Awaited<ReturnType<typeof read.run>>;

const folder = temporaryFolder();
const data = path.join(folder, "data");
const session = "11111111-2222-4333-8444-555555555555";
const file = path.join(folder, `${session}.jsonl`);
const hostile = "\u001b]0;owned\u0007\u001b[2J wörd\u202e\u009b31m\ttab\r\nline";

describe("lcm read", () => {
  beforeAll(async () => {
    writeFileSync(file, claudeCode());
    writeFileSync(path.join(folder, "hostile.jsonl"), neutral("hostile", [said("user", hostile, "h1")]));
    const long = Array.from({ length: 3000 }, (_, index) =>
      said("user", `message ${index} `.repeat(20), `l${index}`),
    );
    writeFileSync(path.join(folder, "long.jsonl"), neutral("long", long));
    await importInto(data, folder);
  });

  it("shows who said what and when, tools as arrows, and what is on an abandoned branch", async () => {
    const { code, stdout } = await lcm(["--data", data, "read", session], {
      environment: { LCM_TIMEZONE: "Asia/Tokyo" },
    });
    expect(code).toBe(0);
    const id = /msg_[0-9a-f]{16}_/.exec(stdout)?.[0];
    expect(stdout).toContain(`#1 user · 2026-03-01 19:01 · 7 tokens · ${id}1\nPlease read the main file\n`);
    expect(stdout).toContain("[reasoning] Hm.");
    expect(stdout).toContain('→ read_file {"path":"src/main.ts"}');
    expect(stdout).toContain("← line one\n  line two\n");
    expect(stdout).toMatch(/^#5 user · .* · on an abandoned branch\nan abandoned question$/m);
  });

  it("goes on by the command that it names, with everything that was asked for", async () => {
    const { conversation } = await lcmJson<Page>(["--data", data, "read", "long", "--limit", "1"]);
    const asked = ["--role", "user,tool", "--limit", "1", "--to", "9"];
    const { stdout } = await lcm(["--data", data, "read", `[${conversation.id}]`, ...asked]);
    expect(stdout).toContain(
      `There is more: lcm --data ${data} read ${conversation.id} --to 9 --role user,tool --limit 1 --from 2\n`,
    );
  });

  it("gives ranges, roles and limits, and tells where to go on", async () => {
    const page = await lcmJson<Page>(["--data", data, "read", session, "--from", "2", "--limit", "2"]);
    expect(() => read.output.parse(page)).not.toThrow();
    expect(page.messages.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(page.next).toBe(4);
    const [byRole, one] = await Promise.all([
      lcmJson<Page>(["--data", data, "read", session, "--role", "assistant,tool", "--to", "4"]),
      lcmJson<Page>(["--data", data, "read", page.messages[1]?.id ?? ""]),
    ]);
    expect(byRole.messages.map(({ role }) => role)).toEqual(["assistant", "assistant", "tool"]);
    expect(one.messages.map(({ seq }) => seq)).toEqual([3]);
  });

  it("prints the exact original of each message with --raw", async () => {
    const { bytes } = await lcm(["--data", data, "read", session, "--raw"]);
    const messages = claudeCode().split("\n").slice(1).join("\n");
    expect(bytes.toString()).toBe(messages);
  });

  it("shows control characters instead of obeying them; JSON is exact", async () => {
    const [shown, exact] = await Promise.all([
      lcm(["--data", data, "read", "hostile"]),
      lcmJson<Page>(["--data", data, "read", "hostile"]),
    ]);
    expect(shown.stdout).toContain("␛]0;owned␇␛[2J wörd<U+202E><U+009B>31m\ttab\nline\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(shown.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(exact.messages[0]?.parts).toEqual([{ type: "text", text: hostile }]);
  });

  it("writes a conversation of many pages as one JSON document", async () => {
    const page = await lcmJson<Page>(["--data", data, "read", "long"]);
    expect(page.messages.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 3000 }, (_, index) => index + 1),
    );
    expect(page.next).toBeNull();
  });

  it("ends quietly when its reader has seen enough", async () => {
    const child = startLcm(["--data", data, "read", "long"]);
    const errors: Buffer[] = [];
    child.stderr?.on("data", (piece: Buffer) => errors.push(piece));
    child.stdout?.once("data", () => child.stdout?.destroy());
    const [code, signal] = await once(child, "close");
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(Buffer.concat(errors).toString()).toBe("");
  });

  it.skipIf(!existsSync("/dev/full"))(
    "says that its output could not be written, without a stack",
    async () => {
      const full = openSync("/dev/full", "w");
      try {
        for (const args of [
          ["read", "long"],
          ["read", session, "--json"],
          ["export", "-o", "-"],
          ["grep", "message"],
          ["import", folder],
          ["--help"],
          ["--version"],
        ]) {
          const child = startLcm(["--data", data, ...args], { output: full });
          const { code, stderr } = await outcomeOf(child);
          expect({ args, code, stderr }).toEqual({
            ...{ args, code: 5 },
            stderr:
              "error: cannot write to standard output: the disk is full (ENOSPC)\nThe output is incomplete. Free some space, or write to another disk.\n",
          });
        }
      } finally {
        closeSync(full);
      }
    },
  );

  it("says plainly what is not there or makes no sense", async () => {
    const { conversation } = await lcmJson<Page>(["--data", data, "read", session, "--limit", "1"]);
    const beyond = `msg_${conversation.id.slice("conv_".length)}_99`;
    const [missing, mixed, wrong, reversed, noMessage, noId, elsewhere, zero, past] = await Promise.all([
      lcm(["--data", data, "read", "nobody"]),
      lcm(["--data", data, "read", "msg_0123456789abcdef_1", "--from", "2", "--json"]),
      lcm(["--data", data, "read", session, "--role", "robot"]),
      lcm(["--data", data, "read", session, "--from", "5", "--to", "3"]),
      lcm(["--data", data, "read", beyond]),
      lcm(["--data", data, "read", "msg_x"]),
      lcm(["--data", data, "transcript", beyond]),
      lcm(["--data", data, "read", session, "--from", "0"]),
      lcm(["--data", data, "read", session, "--from", "9999"]),
    ]);
    expect(missing).toMatchObject({ code: 3, stdout: "" });
    expect(missing.stderr).toBe(
      "error: there is no conversation nobody\nList conversations with: lcm conversations\n",
    );
    expect(mixed).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(mixed.stdout).error.message).toContain("is one message");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("Allowed: system, user, assistant, tool.");
    expect(reversed).toMatchObject({ code: 2, stdout: "" });
    expect(reversed.stderr).toContain("--from (5) is greater than --to (3)");
    expect(zero).toMatchObject({ code: 2, stdout: "" });
    expect(zero.stderr).toContain("invalid --from value '0'\nIt must be a whole number of at least 1.");
    expect(past).toMatchObject({ code: 3, stdout: "" });
    expect(past.stderr).toContain("has no message 9999\nIt has messages 1 to 7.");
    expect(noMessage).toMatchObject({ code: 3, stdout: "" });
    expect(noMessage.stderr).toContain(`${conversation.id} has messages 1 to 7.`);
    expect(noId).toMatchObject({ code: 3, stdout: "" });
    expect(noId.stderr).toContain("lcm read <conversation> --from 42");
    expect(elsewhere).toMatchObject({ code: 3, stdout: "" });
    expect(elsewhere.stderr).toContain(`lcm read ${conversation.id} --from 99`);
  });
});

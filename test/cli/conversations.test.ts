import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listConversations } from "../../src/operations/conversations/conversations-list.ts";
import { ENGINES, temporaryPlace } from "../temporary-store.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { importInto, withEngine } from "./stores.ts";
import { neutral, pi, said } from "./transcripts.ts";

type List = Awaited<ReturnType<typeof listConversations.run>>;

const folder = temporaryFolder();
const data = path.join(folder, "data");
const count = (archived: boolean) =>
  withEngine(
    data,
    async ({ context }) => (await context.conversations.list({ archived })).conversations.length,
  );

describe("lcm conversations", () => {
  beforeAll(async () => {
    writeFileSync(path.join(folder, "a.jsonl"), neutral("alpha", [said("user", "words to lose", "a1")]));
    writeFileSync(path.join(folder, "pi.jsonl"), pi());
    await importInto(data, folder);
  });

  it("lists them in aligned columns, and in JSON that fits the operation's schema", async () => {
    const [shown, answer] = await Promise.all([
      lcm(["--data", data, "conversations"]),
      lcmJson<List>(["--data", data, "conversations", "list", "--limit", "1"]),
    ]);
    const [head, ...rows] = shown.stdout.trimEnd().split("\n");
    expect(head).toMatch(/^conversation +first +last +messages +tokens +context +host +project: title$/);
    const dates = "\\d{4}-\\d\\d-\\d\\d  \\d{4}-\\d\\d-\\d\\d";
    expect(rows.toSorted((a, b) => a.slice(46).localeCompare(b.slice(46)))).toEqual([
      expect.stringMatching(new RegExp(`^conv_[0-9a-f]{16}  ${dates} {9}1 {7}4 {8}4 +The alpha session$`)),
      expect.stringMatching(
        new RegExp(`^conv_[0-9a-f]{16}  ${dates} {9}2 {6}12 {7}12  pi    tmp: 你好，世界$`),
      ),
    ]);
    expect(() => listConversations.output.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ conversations: [{}], next: 1 });
  });

  it("leaves room for the title beside a long project, in 80 columns", async () => {
    const store = path.join(folder, "narrow-store");
    const file = path.join(folder, "narrow.jsonl");
    writeFileSync(file, pi().replace('"/tmp"', '"/srv/a-project-with-quite-a-long-name"'));
    await importInto(store, file);
    await lcm([
      "--data",
      store,
      "conversations",
      "rename",
      "pi-session-1",
      "Fix the flaky tests of the parser",
    ]);
    const narrow = await lcm(["--data", store, "conversations"], { columns: 80 });
    const [, row = ""] = narrow.stdout.split("\n");
    expect(row).toMatch(/ pi +a-projec…: Fix the flaky tes…$/);
    expect(row.length).toBeLessThanOrEqual(80);
    const wide = await lcm(["--data", store, "conversations"], { columns: 180 });
    expect(wide.stdout).toContain("a-project-with-quite-a-long-name: Fix the flaky tests of the parser\n");
  });

  it("says of an imported one that it has messages and no turns", async () => {
    expect((await lcm(["--data", data, "turns", "alpha"])).stdout).toMatch(
      /^conv_\w+ has no turns: 1 message was imported\./,
    );
  });

  it("renames, archives and brings back", async () => {
    const renamed = await lcm(["--data", data, "conversations", "rename", "alpha", "Renamed\u001b[31m"]);
    expect(renamed.stdout).toMatch(/^conv_[0-9a-f]{16} is now called "Renamed␛\[31m"\.$/m);
    const archived = await lcm(["--data", data, "conversations", "archive", "alpha"]);
    const id = /conv_[0-9a-f]{16}/.exec(archived.stdout)?.[0] ?? "";
    expect(archived.stdout).toContain(`lcm --data ${data} conversations archive ${id} --undo`);
    const all = await lcm(["--data", data, "conversations", "--archived"]);
    expect(all.stdout).toMatch(new RegExp(`^${id} .*\\(archived\\) Renamed␛\\[31m$`, "m"));
    expect(await count(false)).toBe(1);
    // Its only archived conversation is meant by the session as well.
    const back = await lcm(["--data", data, "conversations", "archive", "alpha", "--undo"]);
    expect(back).toMatchObject({ code: 0, stdout: `${id} is active again.\n` });
    expect(await count(false)).toBe(2);
    await lcm(["--data", data, "conversations", "archive", id]);
    await lcm(["--data", data, "conversations", "archive", id, "--undo"]);
    expect(await count(false)).toBe(2);
  });

  it("refuses a title that would be invisible in a list, also in the library", async () => {
    for (const title of ["", "   ", "\t\n"]) {
      const { code, stdout, stderr } = await lcm([
        ...["--data", data, "conversations", "rename", "alpha", title],
      ]);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: "",
        stderr: `error: conversations rename: title must not be ${title === "" ? "empty" : "blank"}\n`,
      });
    }
    const renamed = withEngine(data, ({ context }) => context.conversations.rename("alpha", "  "));
    await expect(renamed).rejects.toMatchObject({
      code: "invalid-input",
      message: "title must not be blank",
    });
  });

  it("empties the context of a conversation and keeps every word", async () => {
    const reset = await lcm(["--data", data, "reset", "alpha", "--mode", "new"]);
    expect(reset.stdout).toMatch(
      /^1 message left the context of conv_[0-9a-f]{16} and is kept on record\.$/m,
    );
    const { stdout } = await lcm(["--data", data, "read", "alpha"]);
    expect(stdout).toMatch(/left the context at a reset\nwords to lose$/m);
  });

  it("deletes only with a yes, and the audit log says that it was there", async () => {
    const refused = await lcm(["--data", data, "conversations", "delete", "alpha"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--yes");
    expect(await count(true)).toBe(2);
    const done = await lcm(["--data", data, "conversations", "delete", "alpha", "--yes"]);
    expect(done.stdout).toMatch(/^conv_[0-9a-f]{16} is deleted, with 1 message\.$/m);
    expect(done.stdout).toContain(
      `importing one restores the conversation:\n  ${path.join(folder, "a.jsonl")}\n`,
    );
    expect(done.stdout).toContain("Exports and backups kept elsewhere still contain it.");
    expect(await count(true)).toBe(1);
    const audit = await lcm(["--data", data, "audit"]);
    expect(audit.stdout).toMatch(/delete-conversation {2}conv_[0-9a-f]{16}/);
    expect(audit.stdout).not.toContain("words to lose");
  });

  it("looks whether a conversation is there before it asks for a yes", async () => {
    const [missing, message] = await Promise.all([
      lcm(["--data", data, "conversations", "delete", "nobody"]),
      lcm(["--data", data, "conversations", "delete", "msg_0123456789abcdef_1"]),
    ]);
    expect(missing).toMatchObject({ code: 3, stdout: "" });
    expect(missing.stderr).toContain("there is no conversation nobody");
    expect(message).toMatchObject({ code: 2, stdout: "" });
    expect(message.stderr).toContain("lcm erase msg_0123456789abcdef_1");
  });

  it("says when all there is is archived, or when the list has ended", async () => {
    const help = await lcm(["conversations", "--help"]);
    expect(help.stdout).toContain("lcm conversations --archived");
    const beyond = await lcm(["--data", data, "conversations", "--from", "7"]);
    expect(beyond.stdout).toBe("There are no conversations after the first 7.\n");
    await lcm(["--data", data, "conversations", "archive", "pi-session-1"]);
    const { code, stdout } = await lcm(["--data", data, "conversations"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `All conversations are archived. See them with: lcm --data ${data} conversations --archived\n`,
    });
  });

  it("keeps tenants and agents apart", async () => {
    const other = await lcm(["--data", data, "--agent", "other", "conversations"]);
    expect(other.stdout).toContain(
      `No conversations yet. Import some with: lcm --data ${data} --agent other import`,
    );
    expect(await lcm(["--data", data, "--tenant", "other", "read", "pi-session-1"])).toMatchObject({
      code: 3,
    });
  });
});

describe.each(ENGINES)("the list of conversations on %s", (engine) => {
  it("begins with the one that was active last, page by page, and can be limited to a time", async () => {
    const place = await temporaryPlace(engine);
    const there = [engine === "sqlite" ? "--data" : "--database-url", place.store, "conversations"];
    const list = async (...words: string[]) => {
      const { conversations, next } = await lcmJson<List>([...there, ...words], { folder });
      return [conversations.map(({ sessionId }) => sessionId), next];
    };
    try {
      await withEngine(place.store, async ({ context }) => {
        for (const [session, day] of [
          ["second", "02"],
          ["fourth", "04"],
          ["first", "01"],
          ["third", "03"],
        ])
          await context.commitTurn({
            conversation: session ?? "",
            key: "1",
            messages: [{ role: "user", content: "hi", createdAt: `2026-03-${day}T12:00:00Z` }],
          });
        // A change that is not a message is not activity.
        await context.conversations.rename("first", "Renamed");
      });
      expect(await list()).toEqual([["fourth", "third", "second", "first"], null]);
      expect(await list("--limit", "3")).toEqual([["fourth", "third", "second"], 3]);
      expect(await list("--limit", "3", "--from", "3")).toEqual([["first"], null]);
      expect(await list("--since", "2026-03-02", "--before", "2026-03-04")).toEqual([
        ["third", "second"],
        null,
      ]);
      const none = await lcm([...there, "--since", "2026-04-01"], { folder });
      expect(none.stdout).toContain("There is no active conversation with a message since 2026-04-01 00:00.");
    } finally {
      await place.dispose();
    }
  });
});

import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import type { Part } from "../../../types.ts";
import { call, message, result } from "../testing/source-samples.ts";
import { readFileLine, writeFileLine } from "./file-line.ts";
import { type FileOperation, mergeOperations } from "./file-operation.ts";
import { fileOperations } from "./file-operations.ts";
import { toolEvents } from "./tool-event.ts";

const filesOf = (...parts: readonly Part[]) =>
  fileOperations(toolEvents([message(1, "assistant", ...parts)]));
const line = (files: readonly FileOperation[], budget = 200) => writeFileLine(files, budget, estimateTokens);

describe("file operations", () => {
  it.each([
    ["Read", { file_path: "a.ts" }, "read a.ts"],
    ["read_file", { path: "/srv/a.ts" }, "read /srv/a.ts"],
    ["write", { path: "a.ts", content: "" }, "created a.ts"],
    ["Edit", { file_path: "a.ts" }, "modified a.ts"],
    ["mcp__fs__edit_file", { path: "a.ts" }, "modified a.ts"],
    ["str_replace_based_edit_tool", { command: "view", path: "a.ts" }, "read a.ts"],
    ["str_replace_based_edit_tool", { command: "create", path: "a.ts" }, "created a.ts"],
    ["delete_file", { path: "a.ts" }, "deleted a.ts"],
    ["bash", { command: "rm -f old.ts && cat notes.md | head" }, "deleted old.ts; read notes.md"],
    ["bash", { command: "sed -n '1,80p' src/a.ts" }, "read src/a.ts"],
    ["bash", { command: "sed -i 's/a/b/' src/a.ts" }, "modified src/a.ts"],
    [
      "exec_command",
      { cmd: "echo hi > out/log.txt; echo ho >> out/all.txt" },
      "created out/log.txt; modified out/all.txt",
    ],
    ["shell", { command: ["bash", "-lc", "mv a.ts src/b.ts"] }, "renamed src/b.ts"],
    ["bash", { command: "npm test 2>&1 >/dev/null; git status" }, "none"],
    [
      "apply_patch",
      {
        input:
          "*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: b.ts\n*** Delete File: c.ts\n*** End Patch",
      },
      "created a.ts; modified b.ts; deleted c.ts",
    ],
    ["search", { path: "src", pattern: "x" }, "none"],
  ])("of %s %j are %j", (name, input, files) => {
    expect(line(filesOf(call("a", name, input), result("a", "done")))).toBe(`Files: ${files}`);
  });

  it("say when they failed", () => {
    expect(line(filesOf(call("a", "Edit", { file_path: "a.ts" }), result("a", "no match", "error")))).toBe(
      "Files: modified a.ts (failed)",
    );
  });

  it.each([
    ["cp a.ts b.ts", "cp: a.ts: No such file or directory", "completed", "none"],
    ["cd app && cp a.ts b.ts", "exit code: 1", "error", "none"],
    ["npm run build && cp dist/a.js out.js", "exit code: 1", "error", "none"],
    ["cp a.ts b.ts && npm test", "1 test failed\nexit code: 1", "error", "created b.ts"],
    ["cp a.ts b.ts; rm old.ts", "rm: old.ts: No such file or directory", "completed", "created b.ts"],
    ["cat > t.py <<'EOF'\nprint(1)\nEOF\npython t.py", "exit code: 1", "error", "created t.py"],
  ] as const)("of the command %j that printed %j (%s) are %j", (command, output, status, files) => {
    expect(line(filesOf(call("a", "bash", { command }), result("a", output, status)))).toBe(
      `Files: ${files}`,
    );
  });

  it.each([
    ["node -e 'list.map((c) => c.text)'", "none"],
    [`awk '$1 > limits.max' "data.csv" > out.csv`, "created out.csv"],
    ["jq '.items[] | select(.size > a.b)' in.json", "none"],
    ["grep -r x /Users/x > /tmp/hits.txt", "created /tmp/hits.txt"],
  ])("of %j are only those to which it writes: %j", (command, files) => {
    expect(line(filesOf(call("a", "bash", { command }), result("a", "done")))).toBe(`Files: ${files}`);
  });

  it("call a file written anew `modified` when the tool says that it was there", () => {
    expect(
      line(
        filesOf(call("a", "Write", { file_path: "a.ts" }), result("a", "The file a.ts has been updated.")),
      ),
    ).toBe("Files: modified a.ts");
  });
});

describe("merged operations", () => {
  const one = (state: FileOperation["state"], path = "a.ts", hasFailed = false): FileOperation => ({
    path,
    state,
    hasFailed,
  });

  it.each([
    ["created, then modified", [one("created"), one("modified")], "created"],
    ["modified, then read", [one("modified"), one("read")], "modified"],
    ["read, then modified", [one("read"), one("modified")], "modified"],
    ["created, then deleted", [one("created"), one("deleted")], "deleted"],
    ["deleted, then created", [one("deleted"), one("created")], "created"],
    ["modified, then a change that failed", [one("modified"), one("deleted", "a.ts", true)], "modified"],
  ])("%s", (_, operations, state) => {
    expect(mergeOperations(operations)).toEqual([one(state as FileOperation["state"])]);
  });

  it("leave out folders that were only listed", () => {
    const listed = ["/Users/x", "/home/x/", "~/", "/srv/app", "/srv/app/src"].map((path) =>
      one("read", path),
    );
    const files = [
      one("modified", "/srv/app/src/a.ts"),
      one("deleted", "/srv/app/old"),
      one("read", "/srv/app/b"),
    ];
    expect(mergeOperations([...listed, ...files])).toEqual(files);
  });

  it("know a file by the end of its path, unless two fit", () => {
    expect(mergeOperations([one("read", "/srv/app/src/a.ts"), one("modified", "src/a.ts")])).toEqual([
      one("modified", "/srv/app/src/a.ts"),
    ]);
    const two = [one("read", "/x/src/a.ts"), one("read", "/y/src/a.ts"), one("modified", "src/a.ts")];
    expect(mergeOperations(two)).toHaveLength(3);
  });
});

describe("the line of files", () => {
  const files: FileOperation[] = [
    { path: "/srv/app/src/a.ts", state: "created", hasFailed: false },
    { path: "/srv/app/src/b.ts", state: "created", hasFailed: true },
    { path: "README.md", state: "modified", hasFailed: false },
    { path: "/srv/notes.md", state: "read", hasFailed: false },
  ];

  it("names a folder once and can be read back", () => {
    const text = line(files);
    expect(text).toBe(
      "Files: created /srv/app/src/{b.ts (failed), a.ts}; modified README.md; read /srv/notes.md",
    );
    const order = (list: readonly FileOperation[]) => list.toSorted((a, b) => a.path.localeCompare(b.path));
    expect(order(readFileLine(text))).toEqual(order(files));
  });

  it("drops reads first, then the oldest, and never exceeds its budget", () => {
    expect(line(files, 24)).toBe("Files: created /srv/app/src/{b.ts (failed), a.ts}; modified README.md");
    expect(line(files, 5)).toBe("Files: none");
    for (let budget = 4; budget < 60; budget++)
      expect(estimateTokens(line(files, budget))).toBeLessThanOrEqual(budget);
  });

  it("names temporary files last", () => {
    const fix = { path: "/tmp/fix.py", state: "created", hasFailed: false } as const;
    expect(line([...files, fix], 24)).not.toContain("fix.py");
    expect(line([fix])).toBe("Files: created /tmp/fix.py");
  });

  it("reads what models write", () => {
    const read = readFileLine("Files: created src/a.ts, src/b.ts; updated docs/c.md. removed old.txt");
    expect(read.map(({ path, state }) => `${state} ${path}`)).toEqual([
      "created src/a.ts",
      "created src/b.ts",
      "modified docs/c.md",
      "deleted old.txt",
    ]);
    expect(readFileLine("Files: none")).toEqual([]);
  });
});

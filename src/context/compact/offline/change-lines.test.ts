import { describe, expect, it } from "vitest";
import { call, message } from "../testing/source-samples.ts";
import { changeLines } from "./change-lines.ts";
import { toolEvents } from "./tool-event.ts";

const linesOf = (name: string, input: object | string) =>
  toolEvents([message(1, "assistant", call("a", name, input))]).flatMap(changeLines);

describe("what a change brought in", () => {
  it("is what it declares and the comments that explain it, without code that was there before", () => {
    const old_string = "// Loads the whole file into memory.\nfunc load() {}";
    const new_string =
      "// Loads the whole file into memory.\nfunc load() {}\n// Returns the lines from a given one on.\nfunc slice(start int) []byte {\n\treturn nil\n}";
    expect(linesOf("Edit", { file_path: "/srv/a.go", old_string, new_string })).toEqual([
      "Returns the lines from a given one on.",
      "func slice(start int) []byte",
    ]);
  });

  it.each([
    [
      "export async function open(path: string): Promise<Store> {",
      "export async function open(path: string): Promise<Store>",
    ],
    ["    def read(self):", "def read(self)"],
    ["pub struct Reader {", "pub struct Reader"],
    ["/** Reads one line of a log. */", "Reads one line of a log."],
    ["# Retries a call that failed twice", "Retries a call that failed twice"],
  ])("in %j", (content, line) => {
    expect(linesOf("Write", { file_path: "/srv/a", content })).toEqual([line]);
  });

  it("is read from the added lines of a patch", () => {
    const patch =
      "*** Begin Patch\n*** Update File: a.py\n-def old():\n+def fresh():\n unchanged()\n+    pass\n*** End Patch";
    expect(linesOf("apply_patch", { input: patch })).toEqual(["def fresh()"]);
  });

  it("is nothing in plain statements and two-word comments", () => {
    expect(linesOf("Write", { file_path: "/srv/a", content: "x = 1;\n// eslint off\nreturn x;" })).toEqual(
      [],
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeCall, harmlessInput } from "./describe-call.ts";
import { PLANTED_SECRETS } from "./explore/testing/planted-secrets.ts";

const call = (input: unknown, tool = "Read") => describeCall(tool, JSON.stringify(input));

describe("describing a call", () => {
  it("says the tool and the path, pattern, ids and numbers of its input", () => {
    expect(call({ path: "src/a.ts" })).toBe("Tool: Read | path=src/a.ts");
    expect(call({ file_path: "/srv/app/src/read-parts.ts", offset: 10, limit: 200 })).toBe(
      "Tool: Read | file_path=/srv/app/src/read-parts.ts | offset=10 | limit=200",
    );
    expect(call({ pattern: "open|close", glob: "**/*.ts", path: "src" }, "Grep")).toBe(
      "Tool: Grep | pattern=open|close | glob=**/*.ts | path=src",
    );
    expect(call({ pattern: "function\\s+readParts\\(" }, "Grep")).toBe(
      "Tool: Grep | pattern=function\\s+readParts\\(",
    );
    expect(call({ bash_id: "bash_1", id: "file_0123456789abcdef" }, "BashOutput")).toBe(
      "Tool: BashOutput | bash_id=bash_1 | id=file_0123456789abcdef",
    );
    expect(call({ notebookPath: "C:\\Users\\me\\plot.ipynb", view_range: [1, 20] })).toBe(
      "Tool: Read | notebookPath=C:\\Users\\me\\plot.ipynb | view_range=1-20",
    );
  });

  it("leaves out commands, addresses, headers, bodies and unknown fields, names included", () => {
    const input = {
      command: "cat notes.txt",
      cmd: ["ls"],
      url: "https://example.com/a",
      headers: { accept: "text" },
      env: { HOME: "/root" },
      body: "hello",
      content: "hello",
      swordfish: "src/a.ts",
      "path\nswordfish": "src/a.ts",
    };
    expect(call(input, "Bash")).toBe("Tool: Bash");
  });

  it("says only the tool of an input that is no JSON object", () => {
    for (const input of [null, "", "ls -la", "[1]", '"path"', "{", "null", "*** Begin Patch"])
      expect(describeCall("shell", input)).toBe("Tool: shell");
    expect(describeCall(null, null)).toBe("Tool: unknown");
    expect(describeCall("rm -rf /; echo", null)).toBe("Tool: unknown");
  });

  it("stays on one line, within its length, and shows the end of a long path", () => {
    const deep = Array.from({ length: 40 }, (_, i) => `folder${i % 7}`).join("/");
    const line = call({ path: `/${deep}/a.ts`, file: "b.ts", dir: "src", glob: "*.md", cwd: `/${deep}` });
    expect(line).toMatch(/^Tool: Read \| path=…\/.*\/a\.ts \| file=b\.ts/);
    expect(line.length).toBeLessThanOrEqual(300);
    expect(call({ path: "a\nb.ts" })).toBe("Tool: Read | path=a b.ts");
  });

  it("drops a path in which something follows the name of a credential", () => {
    for (const path of ["/vault/token/swordfish", "password-swordfish.txt", "src/apiKeySwordfish/a.ts"])
      expect(call({ path })).toBe("Tool: Read");
    expect(call({ path: "src/auth/token.test.ts" })).toBe("Tool: Read | path=src/auth/token.test.ts");
  });

  it("drops patterns and ids that people could have made up, and shows a package's path", () => {
    for (const pattern of ["hunter2", "user hunter22", "Summer2024", "x = swordfish", 'NAME:"swordfish"'])
      expect(call({ pattern })).toBe("Tool: Read");
    expect(call({ path: "node_modules/@types/node/fs.d.ts" })).toBe(
      "Tool: Read | path=node_modules/@types/node/fs.d.ts",
    );
    expect(call({ path: "me@example.com/a" })).toBe("Tool: Read");
    for (const id of ["hunter2", "deadbeefcafebabe", "passcode", "550e8400-e29b-41d4-a716-446655440000"])
      expect(call({ session_id: id })).toBe("Tool: Read");
  });

  it("keeps of a long input what it would show", () => {
    const input = JSON.stringify({ file_path: "src/a.ts", content: "x".repeat(10_000), limit: 3 });
    expect(harmlessInput(input)).toBe('{"file_path":"src/a.ts","limit":"3"}');
    expect(describeCall("Write", harmlessInput(input))).toBe(describeCall("Write", input));
  });

  const places: readonly [string, (text: string) => unknown][] = [
    ["a command", (text) => ({ command: `run ${text} now`, cmd: text, script: text, args: [text] })],
    ["an address", (text) => ({ url: `https://example.com/${text}`, uri: text, href: text })],
    ["a path with an address", (text) => ({ path: `https://example.com/${text}`, file: `file://${text}` })],
    ["headers", (text) => ({ headers: { Authorization: text }, [text]: "src/a.ts" })],
    ["JSON", (text) => ({ data: { path: text }, body: JSON.stringify({ path: text }), options: [text] })],
    ["assignments", (text) => ({ env: { KEY: text }, environment: `KEY=${text}`, path: `KEY=${text}` })],
    [
      "a path",
      (text) => ({ path: `/srv/data/${text}`, filePath: text, cwd: `${text}/src`, dir: `a/${text}/b` }),
    ],
    ["a pattern", (text) => ({ pattern: text, glob: `**/${text}/*`, query: text, regex: `^${text}$` })],
    ["an id", (text) => ({ session_id: text, id: text, limit: text, offset: [text, text] })],
  ];

  it.each(places)("shows none of the planted credentials in %s", (_place, plant) => {
    const shown = PLANTED_SECRETS.filter(({ text, secret }) => call(plant(text)).includes(secret));
    expect(shown).toEqual([]);
    expect(PLANTED_SECRETS.length).toBeGreaterThan(100);
  });

  it("never throws, and gives one line of at most 300 characters, whatever the input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.option(fc.string()), (input, tool) => {
        const line = describeCall(tool, input);
        expect(line.length).toBeLessThanOrEqual(300);
        expect(line).not.toMatch(/\n/);
      }),
    );
  });
});

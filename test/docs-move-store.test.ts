/** Runs the steps of the guide that moves a store from SQLite to PostgreSQL, as a shell would run them when pasted. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, it } from "vitest";
import { lcm, outcomeOf, temporaryFolder } from "./cli/lcm.ts";
import { freshDatabase } from "./start-postgres.ts";

const COMMAND = path.resolve("bin/lcm.mjs");
const PAGE = "docs/guide/from-sqlite-to-postgresql.md";

/** The commands after step 1, without the ones of PostgreSQL itself, which need not be installed here. */
function stepsOf(page: string): string[] {
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(({ 1: block = "" }) => block);
  return blocks.filter((block) => !/^ *(createdb|psql)\b/m.test(block));
}

/** With `lcm` on the path. */
function environment(home: string, url: string): NodeJS.ProcessEnv {
  const command = `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`;
  writeFileSync(path.join(home, "lcm"), command, { mode: 0o755 });
  return { PATH: `${home}:${process.env.PATH}`, HOME: home, LCM_DATABASE_URL: url };
}

it("moves a store to PostgreSQL and finds both exports equal, also when PostgreSQL was not empty", async () => {
  const home = temporaryFolder();
  const data = ["--data", path.join(home, ".palimpsest")];
  const old = path.join(home, "old.jsonl");
  const database = await freshDatabase(inject("postgresUrl"));
  try {
    await lcm([...data, "import", path.resolve("examples/conversation/observatory.jsonl")]);
    await lcm([...data, "memory", "store", "The editor is Helix", "--key", "editor"]);
    await lcm([...data, "memory", "store", "The editor is Zed", "--key", "editor"]);
    // Its memories have other numbers afterwards, and there is a record of the backup.
    await lcm([...data, "export", "--output", old]);
    await lcm([...data, "restore", old, "--yes"]);
    const [rehearse = "", move = "", compare = ""] = stepsOf(readFileSync(PAGE, "utf8"));
    const again = ["rm move.jsonl moved.jsonl", move.replace("restore", "restore --yes"), compare];
    for (const steps of [[rehearse, move, compare], again]) {
      const shell = spawn("sh", ["-ec", steps.join("\n")], {
        cwd: home,
        env: environment(home, database.url),
      });
      const { code, stdout, stderr } = await outcomeOf(shell);
      expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: "" });
      expect(stdout).toContain("Restored 1 conversation");
      expect(readFileSync(path.join(home, "moved.compare"), "utf8")).toContain("The editor is Zed");
    }
  } finally {
    await database.drop();
  }
});

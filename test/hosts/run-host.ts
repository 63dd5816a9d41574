/** What tests of every host need: the output of its process, and a look at what is on record. */
import type { ChildProcess } from "node:child_process";
import { type Engine, open } from "../../src/index.ts";

/** What it printed. Rejects with everything it said when it fails. */
export function printed(child: ChildProcess): Promise<string> {
  let [output, errors] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${child.spawnfile} ended with ${code}: ${errors}${output}`)),
    );
  });
}

/** An engine on the host's store, without background work. */
export async function withEngine<Result>(
  store: string,
  use: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await open({ store, background: "off", config: { logLevel: "silent" } });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

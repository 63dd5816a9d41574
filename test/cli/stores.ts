/** Prepares stores and looks into them inside the test's own process, where no command is under test. */
import { type Engine, open } from "../../src/engine.ts";
import { exportLines } from "../../src/operations/export.ts";
import { importPath } from "../../src/operations/import.ts";
import { runOperation } from "../../src/operations/run-operation.ts";

export async function withEngine<Result>(
  place: string,
  use: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await open({ store: place, config: { tenant: "default", agent: "default" } });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

export async function importInto(place: string, path: string): Promise<void> {
  await withEngine(place, (engine) => runOperation(importPath, engine, { path }));
}

/** Everything in a store, as the lines of an export. */
export function contentOf(place: string): Promise<string> {
  return withEngine(place, async (engine) => {
    let content = "";
    for await (const line of exportLines(engine)) content += line;
    return content;
  });
}

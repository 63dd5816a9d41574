/** Prepares stores and looks into them inside the test's own process, where no command is under test. */
import { type Engine, open } from "../../src/engine.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { exportLines } from "../../src/operations/store/export.ts";
import { importPath } from "../../src/operations/store/import.ts";

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

/**
 * A program: opens an engine and an embedder with the configuration of its first argument, calls the model if the
 * second is `call`, embeds if it is `embed`, and prints which packages of the AI SDK, and whether the runtime of the local
 * embedding model, were loaded in this thread.
 */
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    if (/^(ai|@ai-sdk\/[^/]+)$/.test(specifier)) loaded.add(specifier);
    if (specifier.endsWith("/runtime.mjs")) loaded.add("runtime.mjs");
    return next(specifier, context);
  },
});

// Imported here, so that the hook sees everything.
const { open } = await import("../src/index.ts");
const { internalsOf } = await import("../src/engine.ts");
const { configSchema } = await import("../src/config/schema.ts");
const { SILENT } = await import("../src/log.ts");
const { openEmbedder } = await import("../src/model/embed/open-embedder.ts");
const { openReranker } = await import("../src/model/rerank/open-reranker.ts");
const [config = "{}", act] = process.argv.slice(2);
const engine = await open({ config: JSON.parse(config) });
const around = {
  keys: {},
  clock: () => 0,
  wait: async () => {},
  chance: () => 0,
  onCall: () => {},
  log: SILENT,
};
const settings = configSchema.parse(JSON.parse(config));
const embedder = openEmbedder(settings, around);
openReranker(settings, around);
const request = { purpose: "summary", system: "s", prompt: "p", maxTokens: 9 } as const;
if (act === "call")
  await internalsOf(engine)
    .complete?.(request)
    .catch(() => null);
if (act === "embed") await embedder?.embed(["tea"], { purpose: "query" }).catch(() => null);
await embedder?.close();
await engine.close();
console.log(JSON.stringify([...loaded]));

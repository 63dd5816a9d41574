/**
 * A program: opens an engine with the configuration of its first argument, calls the model if the second is
 * `call`, and prints which packages of the AI SDK were loaded.
 */
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    if (/^(ai|@ai-sdk\/[^/]+)$/.test(specifier)) loaded.add(specifier);
    return next(specifier, context);
  },
});

// Imported here, so that the hook sees everything.
const { open } = await import("../src/index.ts");
const [config = "{}", act] = process.argv.slice(2);
const engine = await open({ config: JSON.parse(config) });
const request = { purpose: "summary", system: "s", prompt: "p", maxTokens: 9 } as const;
if (act === "call") await engine.complete?.(request).catch(() => null);
await engine.close();
console.log(JSON.stringify([...loaded]));

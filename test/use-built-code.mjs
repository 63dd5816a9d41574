// Preloaded into every process and thread of a test run: programs that `built-code.ts` has built take the place of
// their sources.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";

const SOURCES = new URL("../", import.meta.url).href;
const BUILT = process.env.BUILT_CODE;

if (BUILT !== undefined) registerHooks({ resolve });

function resolve(specifier, context, next) {
  const built = builtFrom(specifier);
  if (built !== undefined) return { url: built, format: "module", shortCircuit: true };
  // There are no packages beside built code.
  const isPackage = context.parentURL?.startsWith(BUILT) && !specifier.startsWith(".");
  return next(specifier, isPackage ? { ...context, parentURL: import.meta.url } : context);
}

/** Undefined for whatever was not built. */
function builtFrom(specifier) {
  if (!specifier.startsWith(SOURCES) || !specifier.endsWith(".ts")) return undefined;
  const built = new URL(specifier.slice(SOURCES.length).replace(/\.ts$/, ".js"), BUILT);
  return existsSync(built) ? built.href : undefined;
}

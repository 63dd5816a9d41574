import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Built into the package; `scripts/build.mjs` and the browser tests call it. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Also where tests build it: what is tested is what is shipped.
  define: { "process.env.NODE_ENV": '"production"' },
  oxc: { jsx: { runtime: "automatic", development: false } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // A data: address in a style would need an exception in the policy of the page.
    assetsInlineLimit: 0,
  },
});

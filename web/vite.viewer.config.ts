import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The viewer of exported files: one script and one style, which `lcm export` puts into the file. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  publicDir: false,
  // Also where tests build it: what is tested is what is shipped.
  define: { "process.env.NODE_ENV": '"production"' },
  oxc: { jsx: { runtime: "automatic", development: false } },
  build: {
    outDir: "../dist/viewer",
    emptyOutDir: true,
    lib: {
      entry: "src/viewer.tsx",
      formats: ["iife"],
      name: "viewer",
      fileName: () => "viewer.js",
      cssFileName: "viewer",
    },
  },
});

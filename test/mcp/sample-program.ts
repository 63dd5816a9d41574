/** A program: serves the sample server on standard input and output, over an engine in the folder of its argument. */
import { open } from "../../src/engine.ts";
import { serveStdio } from "../../src/mcp/serve-stdio.ts";
import { createSampleServer } from "./sample-server.ts";

const engine = await open({
  store: process.argv[2] ?? "",
  background: "off",
  config: { logLevel: "silent" },
});
const onCancelled = () => console.error("endless was cancelled");
await serveStdio(() => createSampleServer(async () => engine, { onCancelled }), {
  signal: new AbortController().signal,
  report: (error) => console.error(error.message),
});
await engine.close();

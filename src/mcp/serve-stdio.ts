/** MCP on standard input and output, for hosts that start the server themselves. */
import { Console } from "node:console";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";

export interface ServeOptions {
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** Receives errors outside of any call. */
  readonly report: (error: Error) => void;
}

/** Runs until the host closes standard input, or the signal. */
export async function serveStdio(factory: McpServerFactory, { signal, report }: ServeOptions): Promise<void> {
  keepOutputForProtocol();
  const transport = new StdioServerTransport();
  let isAsked = false;
  const server = serve(
    (context) => {
      isAsked = true;
      return factory(context);
    },
    { transport, onerror: report },
  );
  await ended(transport, signal);
  await server.close();
  if (!isAsked && !signal.aborted)
    report(new Error("the server ended, because standard input was closed before the first request"));
}

/** Packages that print a notice would break the protocol: so all other output goes to standard error. */
function keepOutputForProtocol(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

function ended(transport: StdioServerTransport, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      resolve();
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

import { once } from "node:events";
import type { Command } from "commander";
import { isPalimpsestError } from "../../errors.ts";
import type { HttpServer, OpenEngine } from "../../mcp/index.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { adviceForTerminals } from "../../text/hints/advice-for-terminals.ts";
import type { CommandLine } from "../command-line.ts";

interface Options {
  readonly http?: true | string;
  readonly structured?: boolean;
  readonly hooks?: string;
}

/** Shown to a person who starts it manually. */
const ON_TERMINAL = `This is an MCP server. It is waiting for an agent on standard input. Stop it with Ctrl-C.
Agents start it themselves. Connect one with: lcm setup claude-code (see lcm setup --help for other hosts),
or add this to the MCP configuration of your agent: { "command": "lcm", "args": ["mcp"] }`;

export function addMcp(program: Command, cli: CommandLine): void {
  program
    .command("mcp")
    .description("Serve tools, conversations and prompts to an agent over the Model Context Protocol.")
    .option(
      "--http [port]",
      "Serve on http://127.0.0.1:<port>/mcp (8417) instead of standard input and output.",
    )
    .option("--structured", "Also return tool output as JSON, for programs.")
    .option("--hooks <host>", "Answer the hooks of a host that calls a tool for each event.")
    .action(async ({ http, structured = false, hooks }: Options) => {
      cli.isServer = true;
      const mcp = await import("../../mcp/index.ts");
      const port = http === undefined ? null : http === true ? mcp.DEFAULT_PORT : mcp.portOf(http);
      const open = mcp.openOnce((how) => cli.engine(how));
      const { searchByMeaning, embeddingModel } = await cli.settings();
      const abilities = { searchesByMeaning: searchByMeaning && embeddingModel !== "off" };
      const hook = hooks === undefined ? undefined : await answering(hooks, open, cli);
      const given = { structured, abilities, ...(hook === undefined ? {} : { hook: hook.run }) };
      const factory = () => mcp.createServer(open, given);
      const report = (error: Error) => cli.terminal.note(`mcp: ${escapeControls(error.message)}`);
      if (port === null && cli.terminal.isAttended) cli.terminal.note(ON_TERMINAL);
      const opened = hook === undefined ? open : hook.open;
      await whileOpen(opened, cli, (signal) =>
        port === null
          ? mcp.serveStdio(factory, { signal, report })
          : serveOnPort(() => mcp.serveHttp(factory, { port, report }), signal, cli),
      );
      await hook?.settle();
    });
}

/** Hooks store messages, so they may create a store. */
async function answering(host: string, open: OpenEngine, cli: CommandLine) {
  const { HookRunner, requireHookHost } = await import("../../hooks/index.ts");
  requireHookHost(host);
  cli.worksInBackground = true;
  const opened = () => open({ makesStore: true });
  const runner = new HookRunner(opened, await cli.log());
  void runner.warmUp();
  return {
    open: opened,
    run: (given: unknown) => runner.run(host, given),
    settle: () => runner.captures.settle(),
  };
}

async function serveOnPort(
  listen: () => Promise<HttpServer>,
  signal: AbortSignal,
  cli: CommandLine,
): Promise<void> {
  const server = await listen();
  cli.terminal.note(`MCP on ${server.url}; stop with Ctrl-C.`);
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
}

/** Serves while the store is being opened, since hosts have short timeouts; a store that cannot be opened ends it. */
async function whileOpen(
  open: OpenEngine,
  cli: CommandLine,
  serve: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const opening = openNow(open, cli).catch((error: unknown) => failure.abort(error));
  await serve(AbortSignal.any([cli.signal, failure.signal]));
  await opening;
  failure.signal.throwIfAborted();
}

/** Temporary errors do not stop the server: each call tries again and reports the problem. */
async function openNow(open: OpenEngine, cli: CommandLine): Promise<void> {
  try {
    await open();
  } catch (error) {
    if (!isPalimpsestError(error) || !(error.retryable || error.code === "not-found")) throw error;
    cli.terminal.note(
      escapeControls([error.message, adviceForTerminals(error.advice ?? "")].join("\n").trim()),
    );
  }
}

/** `lcm serve` and `lcm ui`: the page, the API, MCP and metrics on one port, until Ctrl-C. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command } from "commander";
import { PalimpsestError } from "../../errors.ts";
import type { ServeOptions } from "../../http/index.ts";
import type { CommandLine } from "../command-line.ts";

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly name?: readonly string[];
  readonly create?: true;
}

export function addServe(program: Command, cli: CommandLine): void {
  const command = program
    .command("serve")
    .description("Serve the page, the HTTP API, MCP and metrics on 127.0.0.1.")
    .option(
      "--host <address>",
      "Address to listen on. Any other than loopback requires an existing token. Default 127.0.0.1.",
    )
    .option("--name <names...>", "Host names that a proxy or other machines use to reach this server.");
  addPort(command).action((options: Options) => run(cli, options, false));
}

export function addUi(program: Command, cli: CommandLine): void {
  const command = program
    .command("ui")
    .description("Serve the web page until Ctrl-C, and open it in the browser.");
  addPort(command).action((options: Options) => run(cli, options, true));
}

function addPort(command: Command): Command {
  return command
    .option("--port <port>", "Port to listen on; 0 selects a free port. Default 8417.")
    .option("--create", "Create the store if it does not exist.");
}

async function run(cli: CommandLine, options: Options, opensBrowser: boolean): Promise<void> {
  cli.isServer = true;
  cli.worksInBackground = true;
  const [{ serve }, { prometheusMetrics }] = await Promise.all([
    import("../../http/index.ts"),
    import("../../metrics/prometheus.ts"),
  ]);
  const metrics = prometheusMetrics();
  cli.observe = metrics.observe;
  const engine = await cli.engine({ makesStore: options.create === true });
  const server = await serve(engine, { ...toServeOptions(options), metrics, setup: await cli.setUp() });
  const link = server.newLink();
  const note = (text: string) => cli.terminal.note(text);
  note(`Page     ${link}`);
  note("         works once, for 15 minutes; or sign in with a token (lcm token create)");
  note(`API      ${server.url}/api/openapi.json`);
  note(`MCP      ${server.url}/mcp`);
  note(`Metrics  ${server.url}/metrics`);
  note("Stop with Ctrl-C.");
  if (opensBrowser) openBrowser(link);
  if (!cli.signal.aborted) await once(cli.signal, "abort");
  await server.close();
}

function toServeOptions({ port, host, name }: Options): ServeOptions {
  return {
    ...(port === undefined ? {} : { port: portOf(port) }),
    ...(host === undefined ? {} : { host }),
    ...(name === undefined ? {} : { names: name }),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new PalimpsestError("invalid-input", `invalid --port value '${text}'`, {
    advice: "Use a number from 0 to 65535; 0 selects a free port.",
  });
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Without a browser, the user opens the printed link. */
function openBrowser(link: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { daemonAddress, setStore } from "../../config/daemon-address.ts";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import type { CommandLine } from "../command-line.ts";

const DEFAULT_IDLE_SECONDS = 600;

interface Options {
  readonly idle?: string;
  readonly firstEvent?: true;
  readonly status?: true;
  readonly stop?: true;
}

export function addDaemon(program: Command, cli: CommandLine): void {
  program
    .command("daemon")
    .description("Answer the hooks of hosts on a socket. Hooks start it; it exits when it is idle.")
    .option(
      "--idle <seconds>",
      `Exit after this many seconds without a hook. Default ${DEFAULT_IDLE_SECONDS}.`,
    )
    .option("--first-event", "Read one event from standard input first.")
    .option("--status", "Report whether a daemon is running.")
    .option("--stop", "Stop the running daemon after it has imported all pending messages.")
    .action(async ({ idle, firstEvent, status, stop }: Options) => {
      const { storeVariables } = await import("../../operations/hosts/store-variables.ts");
      setStore(storeVariables(await cli.setUp()));
      if (status === true || stop === true) return control(cli, stop === true);
      cli.isServer = true;
      cli.worksInBackground = true;
      const { HookRunner, serveHooks } = await import("../../hooks/index.ts");
      // Hooks go on without a store that cannot be opened; a person is told.
      if (firstEvent === undefined) await openStore(cli);
      const runner = new HookRunner(() => cli.engine({ makesStore: true }), await cli.log());
      const address = daemonAddress();
      const first = firstEvent === undefined ? undefined : await text(process.stdin);
      const isServing = await serveHooks({
        address,
        runner,
        idleMs: idleMs(idle),
        signal: cli.signal,
        ...(first === undefined ? {} : { first }),
      });
      if (!isServing) cli.terminal.note(`A daemon for this store is already running on ${address}.`);
    });
}

/** A temporary error does not end the daemon: each hook tries again. */
async function openStore(cli: CommandLine): Promise<void> {
  await cli.engine({ makesStore: true }).catch((error: unknown) => {
    if (!isPalimpsestError(error) || !error.retryable) throw error;
    cli.terminal.note(escapeControls(error.message));
  });
}

async function control(cli: CommandLine, isStopped: boolean): Promise<void> {
  const { askDaemon, stopDaemon } = await import("../../hooks/index.ts");
  const address = daemonAddress();
  const daemon = isStopped ? await stopDaemon(address) : await askDaemon(address, "status");
  if (cli.json) return cli.writeJson({ address, daemon });
  if (daemon === null) return cli.writeText("No daemon is running. Hooks start one when they need it.");
  const { pid, version } = daemon;
  await cli.writeText(
    `${isStopped ? "Stopped" : "Running"}: process ${pid}, version ${version}, on ${address}`,
  );
}

function idleMs(given: string | undefined): number {
  const seconds = given === undefined ? DEFAULT_IDLE_SECONDS : Number(given);
  if (seconds > 0 && seconds <= 86_400) return seconds * 1_000;
  throw new PalimpsestError("invalid-input", `invalid --idle value '${given}'`, {
    advice: "Use 1 to 86400 seconds.",
  });
}

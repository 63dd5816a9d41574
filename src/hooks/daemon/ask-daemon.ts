import net from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { DaemonControl, DaemonStatus } from "./request.ts";

/** The daemon imports the rest before it ends. */
const END_MS = 60_000;
const CHECK_MS = 50;

/** Null when none is running. */
export async function askDaemon(
  address: string,
  control: DaemonControl["control"],
): Promise<DaemonStatus | null> {
  const socket = net.connect(address);
  const answered = text(socket);
  socket.end(`${JSON.stringify({ control } satisfies DaemonControl)}\n`);
  const answer = await answered.catch(() => null);
  if (answer === null || answer === "") return null;
  const { pid, version } = Object(JSON.parse(answer));
  return { pid: Number(pid), version: String(version) };
}

/** Ends the daemon, and waits until its process is gone. Null when none was running. */
export async function stopDaemon(address: string): Promise<DaemonStatus | null> {
  const daemon = await askDaemon(address, "stop");
  if (daemon === null) return null;
  for (const until = Date.now() + END_MS; isRunning(daemon.pid) && Date.now() < until; )
    await delay(CHECK_MS);
  return daemon;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

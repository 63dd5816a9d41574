import net from "node:net";
import { text } from "node:stream/consumers";
import type { DaemonControl, DaemonStatus } from "./request.ts";

/** Null when none is running. */
export async function askDaemon(
  address: string,
  control: DaemonControl["control"],
): Promise<DaemonStatus | null> {
  const socket = net.connect(address);
  const answered = text(socket);
  socket.end(`${JSON.stringify({ control } satisfies DaemonControl)}\n`);
  const answer = await answered.catch(() => null);
  if (answer === null) return null;
  const { pid, version } = Object(JSON.parse(answer));
  return { pid: Number(pid), version: String(version) };
}

/**
 * Loaded into the gateway of OpenClaw by `openclaw.ts`: samples the delay of its event loop every millisecond, and writes what it
 * found into the folder PROBE_FOLDER. A file `reset` there begins anew.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const LOOK_MS = 250;
const folder = process.env.PROBE_FOLDER;
if (folder !== undefined && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const look = () => {
    const reset = path.join(folder, "reset");
    if (existsSync(reset)) {
      rmSync(reset, { force: true });
      delay.reset();
    }
    const [p50, p999, max] = [delay.percentile(50), delay.percentile(99.9), delay.max].map((ns) => ns / 1e6);
    writeFileSync(path.join(folder, "delay.json"), JSON.stringify({ p50, p999, max }));
  };
  // Only the gateway itself: it starts other processes with the same environment.
  if (process.argv.includes("gateway")) setInterval(look, LOOK_MS).unref();
}

import { readFileSync } from "node:fs";

/** The most that this process ever held, in bytes. Where the kernel does not tell, the process's own account. */
export function highWaterMark(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

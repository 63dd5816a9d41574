/** A long answer is read in the person's pager, which gets it piece by piece. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { PagerChoice } from "../config/pager.ts";

export interface Pager {
  readonly input: Writable;
  /** Says that nothing more comes, and waits until the person has read it. */
  finish(): Promise<void>;
}

/** None when the program cannot be started: then the answer is simply shown. */
export async function startPager({ command, environment }: PagerChoice): Promise<Pager | undefined> {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { env: environment, stdio: ["pipe", "inherit", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await once(child, "spawn");
  } catch {
    return undefined;
  }
  return {
    input: child.stdin,
    finish: () => {
      child.stdin.end();
      return ended;
    },
  };
}

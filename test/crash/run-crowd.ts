/** Starts several writing processes, lets them begin at the same moment, and collects what they say. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const LONGEST_MS = 120_000;

/** Each gets the orders with its number as `writer`, and answers with what it did. */
export async function runCrowd<Done>(
  program: string,
  size: number,
  orders: object,
): Promise<readonly (readonly Done[])[]> {
  const members = Array.from({ length: size }, () => startMember<Done>(program));
  try {
    await Promise.all(members.map((member) => member.loaded));
    return await Promise.all(members.map((member, writer) => member.run({ ...orders, writer })));
  } finally {
    for (const member of members) member.end();
  }
}

function startMember<Done>(program: string) {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"], timeout: LONGEST_MS });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, "close");
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  return {
    loaded: lines.next(),
    run: async (orders: { readonly writer: number }): Promise<readonly Done[]> => {
      child.stdin.end(`${JSON.stringify(orders)}\n`);
      const answer = await lines.next();
      await closed;
      if (child.exitCode !== 0 || complaints !== "")
        throw new Error(`process ${orders.writer} ended with ${child.exitCode}:\n${complaints}`);
      return JSON.parse(String(answer.value));
    },
    end: () => child.kill("SIGKILL"),
  };
}

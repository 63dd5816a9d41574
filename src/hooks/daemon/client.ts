/**
 * The program of a command hook. A host waits for it at every event, so it loads almost nothing: it passes its input
 * to the daemon and prints the response. Without a daemon it starts one and does not wait. It never fails: on any
 * fault it prints nothing, and the host continues.
 */
import { spawn } from "node:child_process";
import net from "node:net";
import { daemonAddress, setStore } from "../../config/daemon-address.ts";
import { packageVersion } from "../../package-version.ts";

/** The maximum time to wait for a response. */
const MOST_MS = 20_000;
/** The maximum time to wait for a daemon to start, for a digest. */
const START_MS = 15_000;
const RETRY_MS = 50;

/** `command`: the program and first arguments that run `lcm`. `words`: variables, as `LCM_DATA_DIR=/data`. */
export async function runHook(
  host: string,
  command: readonly string[],
  words: readonly string[] = [],
): Promise<void> {
  setStore(words.map((word) => [word.split("=", 1)[0] ?? "", word.slice(word.indexOf("=") + 1)]));
  const answer = await tellDaemon(host, await standardInput(), command);
  if (answer !== "") process.stdout.write(answer);
}

/** The response for the host; may be empty. `given` is the event as JSON. */
export async function tellDaemon(host: string, given: string, command: readonly string[]): Promise<string> {
  const request = { host, given, isAnswered: !isEnd(given), version: packageVersion() };
  const answer = await ask(request).catch(() => null);
  if (answer !== null) return answer;
  startDaemon(command, JSON.stringify({ ...request, isAnswered: false }));
  return needsDigest(given) ? askAgain(request) : "";
}

async function standardInput(): Promise<string> {
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  return text;
}

/** Hosts have short timeouts at the end of a session, so that work is done without waiting. */
function isEnd(given: string): boolean {
  return /"hook_event_name"\s*:\s*"SessionEnd"/.test(given);
}

function needsDigest(given: string): boolean {
  return /"hook_event_name"\s*:\s*"SessionStart"/.test(given) && /"source"\s*:\s*"compact"/.test(given);
}

function ask(request: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(daemonAddress());
    const late = setTimeout(() => socket.destroy(new Error("no answer")), MOST_MS);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("end", () => resolve(answer));
    socket.on("close", () => clearTimeout(late));
    // Bun closes both directions at once, so this end stays open until the response arrives.
    socket.write(`${JSON.stringify(request)}\n`);
  });
}

async function askAgain(request: object): Promise<string> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    await new Promise((done) => setTimeout(done, RETRY_MS));
    const answer = await ask(request).catch(() => null);
    if (answer !== null) return answer;
  }
  return "";
}

/** It outlives the host, which may be about to end. The event is passed as an argument, so nothing waits for the start. */
function startDaemon([program = "", ...args]: readonly string[], first: string): void {
  const child = spawn(program, [...args, "daemon", "--first-event"], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    windowsHide: true,
  });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(first);
  child.unref();
}

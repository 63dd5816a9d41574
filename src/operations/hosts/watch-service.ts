/** `lcm watch` as a user service, which starts with the user's session. */
import { execFile } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type StoreVariables, setStoreVariables } from "../../config/daemon-address.ts";
import { PalimpsestError } from "../../errors.ts";
import { type FileEdit, type HostSetup, type Programs, wholeFile } from "./host-setup.ts";
import { startsLcm } from "./ours.ts";

const UNIT = "palimpsest-watch.service";
const LABEL = "palimpsest.watch";
const AGENT = path.join(os.homedir(), "Library/LaunchAgents", `${LABEL}.plist`);

const STATE_MS = 5_000;
const run = promisify(execFile);

const isMac = process.platform === "darwin";

export const watchService: HostSetup = {
  name: "watch",
  label: "lcm watch",
  hasOwnEnvironment: true,
  notes: [
    isMac
      ? `Start it now with: launchctl load ${AGENT}`
      : `Start it now with: systemctl --user enable --now ${UNIT}`,
  ],
  undoNotes: [
    isMac
      ? `If it runs, stop it with: launchctl remove ${LABEL}`
      : `If it runs, stop it with: systemctl --user stop ${UNIT}`,
  ],
  isRunning,
  edits: ({ configured }, programs, store) => {
    // A service does not have the environment of a shell. Options of the command override it.
    const variables = [...new Map([...setStoreVariables(), ...store])];
    return [serviceFile(configured, programs, variables)];
  },
};

async function isRunning(): Promise<boolean | null> {
  const [program, ...args] = isMac
    ? ["launchctl", "list", LABEL]
    : ["systemctl", "--user", "is-active", UNIT];
  // Both exit with an error for a stopped service, and `systemctl` prints no state if it cannot reach systemd.
  const { stdout, code = 0 } = await run(program ?? "", args, { timeout: STATE_MS }).catch(Object);
  if (isMac) return typeof code === "number" ? /"PID" = \d/.test(stdout) : null;
  const state = String(stdout).trim();
  return /^[a-z-]+$/.test(state) && state !== "unknown" ? state === "active" : null;
}

function serviceFile(configured: string, programs: Programs, store: StoreVariables): FileEdit {
  if (isMac) return wholeFile(AGENT, agentText(programs, store), startsLcm);
  if (process.platform === "linux")
    return wholeFile(path.join(configured, "systemd/user", UNIT), unitText(programs, store), startsLcm);
  throw new PalimpsestError("not-supported", `there is no user service for ${process.platform}`, {
    advice: "Start `lcm watch` in another way, for example from your task scheduler.",
  });
}

function unitText({ node, lcm }: Programs, store: StoreVariables): string {
  const quoted = (value: string) => `"${value.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
  const variables = store.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
  return `[Unit]
Description=Import sessions of coding agents as they are written (palimpsest)

[Service]
ExecStart=${quoted(node)} ${quoted(lcm)} watch
${variables.join("")}Restart=on-failure
RestartSec=10
Nice=10

[Install]
WantedBy=default.target
`;
}

function agentText({ node, lcm }: Programs, store: StoreVariables): string {
  const string = (value: string) =>
    `<string>${value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</string>`;
  const variables = store.map(([name, value]) => `<key>${name}</key>${string(value)}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${string(LABEL)}
  <key>ProgramArguments</key><array>${[node, lcm, "watch"].map(string).join("")}</array>
  <key>EnvironmentVariables</key><dict>${variables.join("")}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
</dict>
</plist>
`;
}

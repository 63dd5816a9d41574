/** The configuration folders of hosts, from their own variables. */
import os from "node:os";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export interface HostFolders {
  readonly claude: string;
  readonly codex: string;
  readonly gemini: string;
  readonly opencode: string;
  readonly copilot: string;
  readonly pi: string;
  /** Where programs of the user keep their configuration. */
  readonly configured: string;
}

export function hostFolders(environment: Environment = process.env): HostFolders {
  const home = os.homedir();
  const configured = environment.XDG_CONFIG_HOME || path.join(home, ".config");
  return {
    claude: environment.CLAUDE_CONFIG_DIR || path.join(home, ".claude"),
    codex: environment.CODEX_HOME || path.join(home, ".codex"),
    gemini: path.join(home, ".gemini"),
    opencode: path.join(configured, "opencode"),
    copilot: environment.COPILOT_HOME || path.join(home, ".copilot"),
    configured,
    pi: environment.PI_CODING_AGENT_DIR || path.join(home, ".pi/agent"),
  };
}

/** Where set-ups of hosts are recorded: one per user for all stores, like the configuration of hosts. */
export function setupRecords(): string {
  return path.join(os.homedir(), ".palimpsest/setup");
}

/** Where hosts write their transcripts, by host. */
export function transcriptFolders(environment: Environment = process.env): Readonly<Record<string, string>> {
  const { claude, codex, gemini, pi, copilot } = hostFolders(environment);
  return {
    "claude-code": path.join(claude, "projects"),
    codex: path.join(codex, "sessions"),
    pi: path.join(pi, "sessions"),
    copilot: path.join(copilot, "session-state"),
    gemini: path.join(gemini, "tmp"),
  };
}

/** Where OpenClaw keeps its configuration and its agents. */
export function openclawFolder(environment: Environment = process.env): string {
  return environment.OPENCLAW_STATE_DIR || path.join(os.homedir(), ".openclaw");
}

/** Where hosts keep their sessions in a database, by host. */
export function sessionDatabases(environment: Environment = process.env): Readonly<Record<string, string>> {
  const data = environment.XDG_DATA_HOME || path.join(os.homedir(), ".local/share");
  return { opencode: path.join(data, "opencode/opencode.db") };
}

/**
 * Advice names options as the library does: alone in `backticks`, or with a command, as in `lcm read conv_1 from=5`.
 * At a terminal they are typed as flags: `lcm read conv_1 --from 5`.
 */

const FLAGS: Readonly<Record<string, string>> = {
  dataDir: "--data",
  databaseUrl: "--database-url",
  logLevel: "--log-level",
  format: "--format",
  prompt: "--prompt",
  scope: "--scope",
  validFrom: "--from",
  replace: "--replace",
  undo: "--undo",
  dryRun: "--dry-run",
};
const ALONE = /`([a-z][a-zA-Z]*)`/g;
const WITH_COMMAND = / ([a-z][a-zA-Z]*)=(<[^>]+>|\S*[^\s.,;])/g;

export function adviceForTerminals(advice: string): string {
  return commandsForTerminals(advice.replaceAll(ALONE, (quoted, name: string) => FLAGS[name] ?? quoted));
}

/** Only the options after a command. */
export function commandsForTerminals(advice: string): string {
  return advice.replaceAll(WITH_COMMAND, (_, name: string, value: string) => {
    const flag = FLAGS[name] ?? `--${name}`;
    return value === "true" ? ` ${flag}` : ` ${flag} ${value}`;
  });
}

/** Where to look: the options that `grep` and `recent` share. */
import { type Command, Option } from "commander";
import { idIn } from "../text/identifiers.ts";
import type { Role } from "../types.ts";
import { quoted } from "./global-options.ts";
import { positiveNumber, roleOption, several } from "./option-values.ts";

const KINDS = ["message", "summary"] as const;

export interface LookInOptions {
  readonly conversation?: readonly string[];
  readonly role?: readonly Role[];
  readonly tool?: string;
  readonly kind?: (typeof KINDS)[number];
  readonly since?: string;
  readonly before?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function addLookInOptions(command: Command): Command {
  return command
    .option("--conversation <id>", "only this conversation, by id or session id (repeat)", several)
    .addOption(roleOption())
    .option("--tool <name>", "only messages that call or answer this tool")
    .addOption(new Option("--kind <kind>", "only messages, or only summaries").choices(KINDS))
    .option(
      "--since <time>",
      "from this time on: 2026-11-16 or 2026-11-16T08:30, local, or how long ago: 90m, 12h, 3d, 2w",
    )
    .option("--before <time>", "until before this time")
    .option("--limit <number>", "how many at a time, at most 200 (20)", positiveNumber)
    .option("--cursor <cursor>", "go on from there");
}

export function lookInOf({ conversation, role, kind, tool, since, before, limit, cursor }: LookInOptions) {
  const kinds = kind === undefined ? undefined : [kind];
  return { conversations: conversation, roles: role, kinds, tool, since, before, limit, cursor };
}

/** The options as they would be typed again, apart from the cursor. */
export function repeatLookIn(options: LookInOptions): string {
  const { conversation = [], role, tool, kind, since, before, limit } = options;
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ...conversation.map((id) => ["--conversation", idIn(id)] as const),
    ["--role", role?.join(",")],
    ["--tool", tool],
    ["--kind", kind],
    ["--since", since],
    ["--before", before],
    ["--limit", limit?.toString()],
  ];
  return repeated(pairs);
}

export function repeated(pairs: readonly (readonly [string, string | undefined])[]): string {
  return pairs.map(([name, value]) => (value === undefined ? "" : ` ${name} ${quoted(value)}`)).join("");
}

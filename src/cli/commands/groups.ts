/** Groups of commands: `lcm files list`. */
import type { CommandWords } from "../../operations/registry.ts";

interface Group {
  readonly summary: string;
  /** The command that it runs without a subcommand. */
  readonly byItself: CommandWords;
  readonly examples: readonly (readonly [command: string, remark?: string])[];
}

export const GROUPS: Readonly<Record<string, Group>> = {
  conversations: {
    summary: "List, rename, archive or delete conversations.",
    byItself: "conversations list",
    examples: [
      ["lcm conversations", "most recently active first"],
      ["lcm conversations --since 'last week'", "active since then"],
      ["lcm conversations --archived", "include archived ones"],
      ["lcm conversations --from 20 --limit 10"],
    ],
  },
  memory: {
    summary: "Store, recall, change and forget memories.",
    byItself: "memory list",
    examples: [
      ["lcm memory", "list memories, newest first"],
      ['lcm memory store "Deploys go out on Tuesdays"', "store a fact"],
      ['lcm memory recall "when do we deploy"', "find memories for a question"],
      ["lcm memory show mem_0123456789abcdef", "show it with its history"],
      ["lcm memory source mem_0123456789abcdef", "show its source messages"],
      ["lcm memory facts --key editor --at 2026-05-01", "look up the value at a date"],
      ["lcm memory forget mem_0123456789abcdef", "archive it, or --erase it"],
      ["lcm memory import ~/.openclaw/workspace", "or from mem0, lancedb-pro"],
    ],
  },
  files: {
    summary: "List, read and add attached files and externalised tool results.",
    byItself: "files list",
    examples: [
      ["lcm files", "most recently stored first"],
      ["lcm files list my-session --kind tool-output", "tool results of one session"],
      ["lcm files show file_0123456789abcdef", "show its description"],
      ["lcm files cat file_0123456789abcdef > copy", "copy it byte for byte"],
      ["lcm files add trace.log --conversation my-session"],
      ['lcm grep --scope files "connection refused"', "search inside files"],
    ],
  },
  token: {
    summary: "Create, list or revoke tokens of the HTTP API.",
    byItself: "token list",
    examples: [
      ["lcm token create laptop --right read,write", "for this tenant and agent"],
      ["lcm token revoke tok_0123456789abcdef"],
    ],
  },
  config: {
    summary: "Show, change or check the settings.",
    byItself: "config show",
    examples: [
      ["lcm config", "show every setting and its source"],
      ["lcm config set contextBudget 32k", "change a setting"],
      ["lcm config set contextBudget", "remove it, so that the default applies"],
    ],
  },
  model: {
    summary: "Test the configured model.",
    byItself: "model test",
    examples: [["lcm model test", "send one short request; print time, tokens and cost"]],
  },
};

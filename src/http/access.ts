/**
 * The rights that operations need over HTTP. An operation that reads or writes files of the server's machine is not served, and
 * neither are the fields of an input that name such files: a remote caller must not choose local paths.
 */
import type { CommandWords } from "../operations/registry.ts";
import type { Right } from "../operations/tokens/token-file.ts";

export type { Right };

/** Null: not served. */
export const ACCESS: Readonly<Record<CommandWords, Right | null>> = {
  "conversations list": "read",
  "conversations family": "read",
  grep: "read",
  recent: "read",
  describe: "read",
  expand: "read",
  read: "read",
  context: "read",
  diff: "read",
  turns: "read",
  compactions: "read",
  tree: "read",
  transcript: "read",
  "memory recall": "read",
  "memory list": "read",
  "memory show": "read",
  "memory source": "read",
  "memory facts": "read",
  "memory stats": "read",
  "memory explain": "read",
  "memory decisions": "read",
  "memory export": "read",
  "files list": "read",
  "files show": "read",
  "files cat": "read",
  audit: "read",
  "conversations rename": "write",
  "conversations archive": "write",
  // It calls models, which costs money.
  ask: "write",
  embed: "write",
  compact: "write",
  reset: "write",
  "memory store": "write",
  "memory update": "write",
  "memory capture": "write",
  "memory consolidate": "write",
  "memory reembed": "write",
  "conversations delete": "erase",
  "memory forget": "erase",
  erase: "erase",
  status: "admin",
  verify: "admin",
  export: "admin",
  "files migrate": "admin",
  "files gc": "admin",
  doctor: "admin",
  "config show": "admin",
  "model test": "admin",
  import: null,
  "memory import": null,
  "files add": null,
  "files explore": null,
  backup: null,
  restore: null,
  "token create": null,
  "token list": null,
  "token revoke": null,
  "config check": null,
  "config set": null,
  setup: null,
};

/** Fields that name a file of the server's machine, or control what is written to it. */
export const WITHHELD_FIELDS: Readonly<Partial<Record<CommandWords, readonly string[]>>> = {
  "files cat": ["output"],
  transcript: ["output"],
  export: ["file", "html", "withoutToolResults"],
  "memory export": ["file"],
};

/** The caller of a request and its rights. */
export interface Caller {
  readonly id: string;
  readonly tenant: string;
  readonly agent: string;
  readonly rights: readonly Right[];
}

export function allows({ rights }: Caller, right: Right): boolean {
  return rights.includes("admin") || rights.includes(right);
}

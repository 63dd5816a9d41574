/**
 * Translates advice for models. Advice names commands with the option names of the library: `lcm read conv_1 from=5`. A model
 * has tools instead, so it reads `lcm_read with {"id":"conv_1","from":5}`; commands without a tool are left to the person.
 */
import { commandsForTerminals } from "../text/hints/advice-for-terminals.ts";
import { operations } from "./index.ts";
import type { AnyOperation } from "./registry.ts";
import { toolCall } from "./tool-call.ts";

/** A command with its words and options, up to the character that ends it. */
const COMMAND =
  /\blcm ([a-z]+(?:-[a-z]+)*)((?: (?:[a-zA-Z]+=(?:<[^>]+>|\w+)|<[^>]+>|[\w:/…-]+(?:\.[\w:/…-]+)*))*)/g;
const WORDS = /(?:\w+=)?(?:<[^>]+>|\S+)/g;
const FOR_PEOPLE = /\blcm [a-z]/;
const NOTE = "(Commands that begin with lcm are for a person to run in a terminal.)";

export function adviceForModels(advice: string): string {
  const translated = advice.replaceAll(COMMAND, (command, name: string, words: string) =>
    toCall(command, name, words.match(WORDS) ?? []),
  );
  return FOR_PEOPLE.test(translated) ? `${commandsForTerminals(translated)}\n${NOTE}` : translated;
}

const COMMANDS: ReadonlyMap<string, AnyOperation> = new Map(Object.entries<AnyOperation>(operations));

/** The tool call for a command without arguments. */
const BY_ITSELF: Readonly<Record<string, string>> = {
  memory: "memory list",
  conversations: "conversations list",
};

/** Commands that are not tools, and equivalent tool calls. */
const INSTEAD: Readonly<Record<string, (words: readonly string[]) => string>> = {
  // Summaries of a conversation are listed by `lcm_recent`.
  tree: (conversations) => toolCall("lcm_recent", { conversations, kinds: ["summary"] }),
  // Files are found by their content; one tool describes and reads them.
  "files list": () => toolCall("lcm_grep", { pattern: "<words>", scope: "files" }),
  "files show": ([id]) => toolCall("lcm_describe", { id }),
  "files cat": ([id]) => toolCall("lcm_describe", { id, expandFile: true }),
  // Recalling an id returns the full memory with its sources.
  "memory show": ([query]) => toolCall("memory_recall", { query, full: true }),
  "memory source": ([query]) => toolCall("memory_recall", { query, full: true }),
};

function toCall(command: string, name: string, words: readonly string[]): string {
  // The store is chosen by the person who started the server.
  if (words.some((word) => /^dataDir\b/.test(word))) return command;
  const [first = "", ...rest] = words;
  const longer = `${name} ${first}`;
  const isLonger = COMMANDS.has(longer);
  const path = isLonger ? longer : (BY_ITSELF[name] ?? name);
  const given = isLonger ? rest : words;
  const operation = COMMANDS.get(path);
  if (operation?.tool !== undefined) return toolCall(operation.tool.name, inputOf(operation, given));
  return INSTEAD[path]?.(given) ?? INSTEAD[name]?.(given) ?? command;
}

function inputOf(
  { command: { positional = [], also = {} } }: AnyOperation,
  words: readonly string[],
): object {
  const [subject = ""] = positional;
  return Object.assign(
    {},
    ...words.map((word) => {
      const { 1: parameter = subject, 2: value = word } = OPTION.exec(word) ?? [];
      return also[parameter]?.toInput?.(value) ?? { [parameter]: readValue(value) };
    }),
  );
}

const OPTION = /^([a-zA-Z]+)=(.+)$/;

function readValue(text: string): string | number | boolean {
  if (text === "true") return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}

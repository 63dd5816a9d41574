/**
 * Advice names commands, with options under the names that the library gives them: `lcm read conv_1 from=5`. A model
 * has tools instead, so it reads `lcm_read with {"id":"conv_1","from":5}`; what has no tool is left to the person.
 */
import { commandsForTerminals } from "../text/hints/advice-for-terminals.ts";

/** A command with its words and options, up to the sign that ends it. */
const COMMAND =
  /\blcm ([a-z]+(?:-[a-z]+)*)((?: (?:[a-zA-Z]+=(?:<[^>]+>|\w+)|<[^>]+>|[\w:/…-]+(?:\.[\w:/…-]+)*))*)/g;
const WORDS = /(?:\w+=)?(?:<[^>]+>|\S+)/g;
const FOR_PEOPLE = /\blcm [a-z]/;
const NOTE = "(Commands that begin with lcm are for a person at a terminal.)";

/** What each command takes without naming it. */
const SUBJECTS: Readonly<Record<string, string>> = {
  grep: "pattern",
  recent: "",
  describe: "id",
  expand: "summary",
  read: "id",
  "expand-query": "prompt",
};

export function adviceForModels(advice: string): string {
  const translated = advice.replaceAll(COMMAND, (command, name: string, words: string) =>
    toCall(command, name, words.match(WORDS) ?? []),
  );
  return FOR_PEOPLE.test(translated) ? `${commandsForTerminals(translated)}\n${NOTE}` : translated;
}

/** A call of a tool as models are told of it. */
export function toolCall(tool: string, input: object): string {
  const given = JSON.stringify(input);
  return given === "{}" ? tool : `${tool} with ${given}`;
}

function toCall(command: string, name: string, words: readonly string[]): string {
  // Which store it is says whoever started the server.
  if (words.some((word) => /^dataDir\b/.test(word))) return command;
  // Conversations and their summaries are listed by looking back.
  if (name === "conversations") return "lcm_recent";
  if (name === "tree") return toolCall("lcm_recent", { conversations: words, kinds: ["summary"] });
  if (name === "files") return toFileCall(command, words);
  if (name === "memory") return toMemoryCall(command, words);
  const subject = SUBJECTS[name];
  if (subject === undefined) return command;
  return toolCall(`lcm_${name.replaceAll("-", "_")}`, inputOf(subject, words));
}

/** What is in a file, and its content, are one tool's; it is found by what is in it. */
function toFileCall(command: string, [name, id]: readonly string[]): string {
  if (name === "list") return toolCall("lcm_grep", { pattern: "<words>", scope: "files" });
  if (id === undefined || (name !== "show" && name !== "cat")) return command;
  return toolCall("lcm_describe", name === "cat" ? { id, expandFile: true } : { id });
}

/** What each command of memories takes without naming it, and the tool that does it. */
const MEMORY_CALLS: Readonly<Record<string, readonly [tool: string, subject: string]>> = {
  store: ["memory_store", "text"],
  recall: ["memory_recall", "query"],
  list: ["memory_list", ""],
  update: ["memory_update", "id"],
  forget: ["memory_forget", "id"],
  stats: ["memory_stats", ""],
  facts: ["memory_fact_query", "query"],
  explain: ["memory_explain", "query"],
};

/** One memory whole, and where it comes from, are told when its id is recalled. */
function toMemoryCall(command: string, [name = "list", ...words]: readonly string[]): string {
  if (name === "show" || name === "source") return toolCall("memory_recall", { query: words[0], full: true });
  const [tool, subject] = MEMORY_CALLS[name] ?? [];
  if (tool === undefined || subject === undefined) return command;
  return toolCall(tool, inputOf(subject, words));
}

function inputOf(subject: string, words: readonly string[]): object {
  return Object.fromEntries(
    words.map((word) => {
      const { 1: parameter = subject, 2: value = word } = OPTION.exec(word) ?? [];
      return [parameter, readValue(value)];
    }),
  );
}

const OPTION = /^([a-zA-Z]+)=(.+)$/;

function readValue(text: string): string | number | boolean {
  if (text === "true") return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}

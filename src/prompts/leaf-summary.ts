/** The prompt for a leaf: a range of messages becomes the text that represents them. */
import { assemblePrompt, type Prompt, type SummaryPromptInput, SYSTEM } from "./summary-prompt.ts";

const NORMAL = [
  "Keep, in this order of importance: rules and wishes of the people involved; decisions with their reasons; what was found out, with the figures; what was changed and whether it worked; errors and how they were solved; what is open, promised or blocked, and who waits for whom.",
  "Say who said or decided something where it matters.",
  "Leave out greetings, repetitions, and the steps between that led nowhere and taught nothing.",
];

const AGGRESSIVE = [
  "An earlier attempt was too long. Keep only what will still matter in a week: rules, decisions, final results, identifiers and figures that cannot be looked up elsewhere, open tasks and what blocks them, the state of things at the end.",
  "Leave out the way there, examples, alternatives that were dropped, and everything that a tool can print again.",
];

export function leafSummaryPrompt(input: SummaryPromptInput): Prompt {
  const task = [
    "Below is one stretch of a longer conversation between people, an agent and its tools, with times and speakers. Write what a model needs to know of this stretch to go on working as if it had read it.",
    ...(input.aggressive ? AGGRESSIVE : NORMAL),
  ];
  const timeline = "Give the time of day, to the hour or half hour, where things begin, change or end.";
  return { system: SYSTEM, prompt: assemblePrompt(input, task, timeline) };
}

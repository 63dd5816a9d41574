/** The prompts for condensed summaries: the higher the node, the longer it will live and the less detail it keeps. */
import { assemblePrompt, type Prompt, type SummaryPromptInput, SYSTEM } from "./summary-prompt.ts";

interface Level {
  readonly task: readonly string[];
  readonly timeline: string;
}

const SESSION: Level = {
  task: [
    "Below are summaries of successive stretches of one conversation, oldest first. Merge them into one text about the whole session.",
    "Keep decisions with their reasons, also those that replaced others; rules; what was finished and with what result; what is under way and how far; what blocks it; names, paths, links and figures by which the work can be found again.",
    "Leave out what did not change, what led nowhere, what was only passing, and how the tools were used.",
  ],
  timeline: "Tell it in the order of time, with times to the hour or half hour.",
};

const PHASE: Level = {
  task: [
    "Below are texts about successive sessions of one conversation, oldest first. Merge them into one text about this phase of the work.",
    "A reader should understand where the work came from, which way it took and where it stands: aims, turning points, decisions that still hold, lasting rules, results, open ends.",
    "Leave out the course of single sessions, and whatever a later session made irrelevant.",
  ],
  timeline: "Tell it in the order of time, with dates and the time of day in words (morning, evening).",
};

const LASTING: Level = {
  task: [
    "Below are texts about successive phases of one conversation, oldest first. Merge them into one text that may stay in view for as long as the conversation lives.",
    "Keep only what lasts: who is involved and what they want, rules, decisions in force and their reasons, lessons that cost something, the state of the work, identifiers and figures that nobody will write down again.",
  ],
  timeline: "Give dates or ranges of dates, no times of day.",
};

const AGGRESSIVE =
  "An earlier attempt was too long. Keep rules, decisions in force, results, irreplaceable identifiers and figures, and what is open; drop everything else.";

export function condensedSummaryPrompt(input: SummaryPromptInput): Prompt {
  const level = input.depth <= 1 ? SESSION : input.depth === 2 ? PHASE : LASTING;
  const task = [
    ...level.task,
    "Where two texts disagree, the later one holds.",
    ...(input.aggressive ? [AGGRESSIVE] : []),
  ];
  return { system: SYSTEM, prompt: assemblePrompt(input, task, level.timeline) };
}

import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import type { PartOf } from "../../types.ts";
import { type Block, optionalText, requireText } from "../block.ts";
import { hideInText, NO_WORDS, type PartDefinition } from "./part-definition.ts";

type SubtaskPart = PartOf<"subtask">;

export const subtaskDefinition: PartDefinition<SubtaskPart> = {
  ...NO_WORDS,
  read: readSubtask,
  searchable: ({ agent, description, prompt }) => [agent, description, prompt],
  seenByModel: ({ prompt }) => [prompt],
  texts: ({ agent, description, prompt }) => [{ label: ["subtask", agent, description], text: prompt }],
  cut: (part, room) => ({ ...part, prompt: part.prompt.slice(0, room) }),
  inSource: ({ agent, description, prompt }, show) =>
    `task for ${agent ?? "an agent"}: ${show(description ?? prompt, "text")}`,
  quotable: ({ description, prompt }) => description ?? prompt,
  withoutCredentials: (part) => ({
    ...part,
    prompt: hideCredentials(part.prompt),
    description: hideInText(part.description),
    agent: hideInText(part.agent),
  }),
  inWords: ({ agent, prompt }) => `[Task for ${agent ?? "an agent"}]\n${prompt}`,
};

function readSubtask(block: Block): readonly SubtaskPart[] {
  const description = optionalText(block, "description");
  const prompt = requireText(block, "prompt");
  return [{ type: "subtask", prompt, description, agent: optionalText(block, "agent") }];
}

/** The definition of every type of part. */
import type { Part, PartOf, PartType } from "../../types.ts";
import { agentDefinition } from "./agent.ts";
import { compactionDefinition } from "./compaction.ts";
import { failureDefinition } from "./failure.ts";
import { fileDefinition } from "./file.ts";
import { otherDefinition } from "./other.ts";
import type { PartDefinition } from "./part-definition.ts";
import { patchDefinition } from "./patch.ts";
import { reasoningDefinition } from "./reasoning.ts";
import { retryDefinition } from "./retry.ts";
import { snapshotDefinition } from "./snapshot.ts";
import { stepFinishDefinition, stepStartDefinition } from "./steps.ts";
import { subtaskDefinition } from "./subtask.ts";
import { textDefinition } from "./text.ts";
import { toolDefinition } from "./tool.ts";

export const PART_DEFINITIONS: { readonly [Type in PartType]: PartDefinition<PartOf<Type>> } = {
  text: textDefinition,
  reasoning: reasoningDefinition,
  tool: toolDefinition,
  patch: patchDefinition,
  file: fileDefinition,
  subtask: subtaskDefinition,
  compaction: compactionDefinition,
  step_start: stepStartDefinition,
  step_finish: stepFinishDefinition,
  snapshot: snapshotDefinition,
  agent: agentDefinition,
  retry: retryDefinition,
  failure: failureDefinition,
  other: otherDefinition,
};

export function definitionOf(part: Part): PartDefinition<Part> {
  return PART_DEFINITIONS[part.type];
}

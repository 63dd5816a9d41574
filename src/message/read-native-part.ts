/**
 * Our own part types, with the fields that the specification's columns name. Absent and null are the same; a
 * field of another type is a misfit.
 */
import type { Part, ToolStatus } from "../types.ts";
import { type Block, isBlock, Misfit, optionalText, type ReadBlock, requireText } from "./block.ts";
import { FILE_BLOCKS } from "./read-file-block.ts";
import { dataText } from "./read-tool-output.ts";

export const NATIVE_PARTS: ReadonlyMap<string, ReadBlock> = new Map<string, ReadBlock>([
  ["tool", readTool],
  ["patch", readPatch],
  ["file", readFile],
  ["subtask", readSubtask],
  ["compaction", readCompaction],
  ["step_start", () => [{ type: "step_start" }]],
  ["step-start", () => [{ type: "step_start" }]],
  ["step_finish", readStepFinish],
  ["snapshot", (block) => [{ type: "snapshot", hash: optionalText(block, "hash") }]],
  ["agent", (block) => [{ type: "agent", name: optionalText(block, "name") }]],
  ["retry", readRetry],
]);

function readTool(block: Block): readonly Part[] {
  const callId = requireText(block, "callId", "the id of the tool call as a string");
  const error = optionalText(block, "error");
  const answer = optionalText(block, "output") ?? error;
  optionalText(block, "title");
  const isCall = answer === null || (block.input !== undefined && block.input !== null);
  const name = isCall ? requireText(block, "name", "the name of the tool as a string") : null;
  const status = statusOf(block, answer, error);
  const isDone = status === "completed" || status === "error";
  return [
    {
      type: "tool",
      callId,
      name: name ?? optionalText(block, "name"),
      status,
      input: isCall ? dataText(block.input) : null,
      output: isDone ? (answer ?? "") : answer,
    },
  ];
}

function statusOf(block: Block, answer: string | null, error: string | null): ToolStatus {
  const { status } = block;
  if (status === "pending" || status === "running" || status === "completed" || status === "error")
    return status;
  if (status !== undefined && status !== null)
    throw new Misfit(".status", status, "pending, running, completed or error");
  if (error !== null) return "error";
  return answer === null ? "pending" : "completed";
}

function readPatch(block: Block): readonly Part[] {
  const { files } = block;
  if (!Array.isArray(files)) throw new Misfit(".files", files, "an array of paths");
  const paths = files.map((file: unknown, index) => {
    if (typeof file !== "string") throw new Misfit(`.files[${index}]`, file, "a path as a string");
    return file;
  });
  return [{ type: "patch", hash: optionalText(block, "hash"), files: paths }];
}

/** Files of the AI SDK and of OpenAI share the name; the fields of ours are checked, then one reader reads all. */
function readFile(block: Block): readonly Part[] {
  optionalText(block, "mime");
  optionalText(block, "name");
  if (!(block.url instanceof URL)) optionalText(block, "url");
  return FILE_BLOCKS.get("file")?.(block) ?? [];
}

function readSubtask(block: Block): readonly Part[] {
  const description = optionalText(block, "description");
  return [
    {
      type: "subtask",
      prompt: requireText(block, "prompt"),
      description,
      agent: optionalText(block, "agent"),
    },
  ];
}

/** Providers' own compaction blocks say `content` and not who asked for it: they compact by themselves. */
function readCompaction(block: Block): readonly Part[] {
  const auto = block.auto ?? true;
  if (typeof auto !== "boolean") throw new Misfit(".auto", auto, "true or false");
  return [
    { type: "compaction", auto, text: optionalText(block, "text") ?? optionalText(block, "content") ?? "" },
  ];
}

function readStepFinish(block: Block): readonly Part[] {
  requireNumber(block, "cost");
  if (block.tokens !== undefined && block.tokens !== null && !isBlock(block.tokens))
    throw new Misfit(".tokens", block.tokens, "an object of token counts");
  return [{ type: "step_finish", reason: optionalText(block, "reason") }];
}

function readRetry(block: Block): readonly Part[] {
  return [{ type: "retry", attempt: requireNumber(block, "attempt"), error: optionalText(block, "error") }];
}

function requireNumber(block: Block, field: string): number | null {
  const value = block[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== "number") throw new Misfit(`.${field}`, value, "a number");
  return value;
}

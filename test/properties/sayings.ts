/** Turns of every size and shape, derived from numbers alone: the same numbers give the same bytes. */
import { seededRandom } from "../crash/seeded-random.ts";

export const TURN_SHAPES = [
  "tiny",
  "prose",
  "huge",
  "chinese",
  "system",
  "call of openai",
  "calls of anthropic",
  "call without a result",
  "large arguments",
  "late result",
  "heavy results",
] as const;
export type TurnShape = (typeof TURN_SHAPES)[number];

/** The messages of one turn. `key` makes its words and ids its own. */
export function sayTurn(key: string, shape: TurnShape): object[] {
  const user = { role: "user", content: `${key}: ${prose(`${key} user`, 60)}` };
  const assistant = { role: "assistant", content: prose(`${key} assistant`, 400) };
  switch (shape) {
    case "tiny":
      return [{ role: "user", content: "ok" }];
    case "prose":
      return [user, { role: "assistant", content: [{ type: "text", text: prose(key, 1_800) }] }];
    case "huge":
      return [user, { role: "assistant", content: prose(key, 30_000) }];
    case "chinese":
      return [
        { role: "user", content: "请把数据库迁移到新的服务器，并在完成后告诉我。".repeat(12) },
        assistant,
      ];
    case "system":
      return [{ role: "system", content: `Rule of ${key}: never delete src/${key}.ts.` }, user, assistant];
    case "call of openai":
      return [user, openaiCall(`call_${key}`, { path: `src/${key}.ts` }), openaiResult(key, 900), assistant];
    case "calls of anthropic":
      return [user, ...anthropicCalls(key), assistant];
    case "call without a result":
      return [user, openaiCall(`call_${key}`, { command: "npm test" })];
    case "large arguments":
      return [
        user,
        openaiCall(`call_${key}`, { path: `src/${key}.ts`, content: prose(key, 6_000) }),
        openaiResult(key, 40),
      ];
    case "heavy results":
      return [user, ...anthropicCalls(key, 9_000), assistant];
    case "late result":
      return [user, openaiResult(key, 300), openaiCall(`call_${key}`, { path: "a.ts" }), assistant];
  }
}

function openaiCall(id: string, given: object): object {
  const called = { name: "shell", arguments: JSON.stringify(given) };
  return { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: called }] };
}

function openaiResult(key: string, length: number): object {
  return { role: "tool", tool_call_id: `call_${key}`, content: prose(`${key} result`, length) };
}

function anthropicCalls(key: string, length = 700): object[] {
  const ids = [`toolu_${key}a`, `toolu_${key}b`];
  return [
    {
      role: "assistant",
      content: [
        { type: "text", text: `Looking at both files of ${key}.` },
        ...ids.map((id) => ({ type: "tool_use", id, name: "read", input: { path: `docs/${id}.md` } })),
      ],
    },
    {
      role: "user",
      content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: prose(id, length) })),
    },
  ];
}

const WORDS =
  'the build of src/store.ts failed with code 17 because port 5432 was taken so we must not restart it before 2026-03-04 and keep v1.4.2 of the driver until the review é <b> & "quoted"'.split(
    " ",
  );

/** About this many characters, different for each seed. */
export function prose(seed: string, length: number): string {
  const random = seededRandom(seed);
  let text = "";
  while (text.length < length) text += `${random.pick(WORDS)}${random.chance(0.1) ? ".\n" : " "}`;
  return text;
}

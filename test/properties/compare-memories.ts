/** Holds what long-term memory answers against a model, in every way that it can be asked; says what differs. */
import type { AgentMemory } from "../../src/memory/memory.ts";
import { type Memory, type MemoryState, stateOf } from "../../src/memory-types.ts";
import type { MemoryEvent } from "../../src/store/memory-store.ts";
import { type MemoryModel, type ModelMemory, stateOfModel } from "./memory-model.ts";
import { rareWordIn } from "./memory-words.ts";

const STATES: readonly MemoryState[] = ["active", "superseded", "archived", "erased"];
const PAGE = 200;

export async function readMemories(memory: AgentMemory): Promise<ReadonlyMap<string, Memory>> {
  const found = new Map<string, Memory>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<AgentMemory["list"]>> = await memory.list({
      states: STATES,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const row of page.rows) found.set(row.id, row);
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

/** Every memory of the model, and no other; each as it must be. */
export function compareRows(found: ReadonlyMap<string, Memory>, model: MemoryModel): string[] {
  const unknown = [...found.keys()].filter((id) => !model.has(id)).map((id) => `${id} came from nowhere`);
  const different = model.memories.flatMap((expected) => {
    const row = found.get(expected.id);
    return row === undefined ? [`${expected.id} is lost`] : compareRow(row, expected, model);
  });
  return [...unknown, ...different, ...compareKeys(found)];
}

function compareRow(row: Memory, expected: ModelMemory, model: MemoryModel): string[] {
  const { id, scope, text, factKey, tags, importance, createdAt, supersededBy, invalidatedAt, archivedAt } =
    expected;
  const replaced = model.memories.filter((one) => one.supersededBy === id).map((one) => one.id);
  const fields = { scope, abstract: text, factKey, createdAt, supersededBy, invalidatedAt };
  const lists = { tags, importance, isArchived: archivedAt !== null, supersedes: replaced.toSorted() };
  const has = {
    ...Object.fromEntries(
      Object.keys(fields).map((name) => [name, row[name as keyof typeof fields & keyof Memory]]),
    ),
    tags: row.tags,
    importance: row.importance,
    isArchived: row.archivedAt !== null,
    supersedes: row.supersedes.toSorted(),
    state: stateOf(row),
  };
  const must = { ...fields, ...lists, state: stateOfModel(expected) };
  return JSON.stringify(has) === JSON.stringify(must)
    ? []
    : [`${id} is ${JSON.stringify(has)} and not ${JSON.stringify(must)}`];
}

/** Of one key at most one memory of a scope is in force. */
function compareKeys(found: ReadonlyMap<string, Memory>): string[] {
  const keyed = [...found.values()].filter((row) => row.factKey !== null && stateOf(row) === "active");
  const groups = Map.groupBy(keyed, ({ scope, factKey }) => `${factKey} of ${scope}`);
  return [...groups].flatMap(([key, rows]) =>
    rows.length > 1 ? [`${rows.length} are in force of ${key}`] : [],
  );
}

/** Its versions in their order, and a history that says how it came to what it is. */
export async function compareHistory(
  memory: AgentMemory,
  expected: ModelMemory,
  model: MemoryModel,
): Promise<string[]> {
  const [versions, events] = await Promise.all([
    memory.history.versions(expected.id),
    memory.history.events(expected.id),
  ]);
  const has = versions.map(({ id }) => id).join(" ");
  const must = model
    .versionsOf(expected.id)
    .map(({ id }) => id)
    .join(" ");
  return [
    ...(has === must ? [] : [`the versions of ${expected.id} are ${has} and not ${must}`]),
    ...compareEvents(events, expected),
  ];
}

function compareEvents(events: readonly MemoryEvent[], expected: ModelMemory): string[] {
  const actions = events.map(({ action }) => action);
  const count = (action: MemoryEvent["action"]) => actions.filter((one) => one === action).length;
  const isArchived = count("archived") > count("restored");
  const isWhole =
    actions[0] === "created" &&
    count("created") === 1 &&
    count("superseded") === (expected.supersededBy === null ? 0 : 1) &&
    isArchived === (expected.archivedAt !== null) &&
    count("erased") === (expected.isErased ? 1 : 0);
  return isWhole
    ? []
    : [`${expected.id} is ${stateOfModel(expected)}, but its history is ${actions.join(", ")}`];
}

/** By its rare word a memory is found while it is in force, and when it is not, only by who asks for that as well. */
export async function compareRecall(
  memory: AgentMemory,
  word: string,
  model: MemoryModel,
): Promise<string[]> {
  const saying = model.memories.filter(({ text }) => rareWordIn(text) === word);
  const active = saying.filter((one) => stateOfModel(one) === "active");
  return [
    ...(await compareFound(memory, { query: word }, active)),
    ...(await compareFound(memory, { query: word, archived: true }, saying)),
  ];
}

async function compareFound(
  memory: AgentMemory,
  question: { readonly query: string; readonly archived?: true },
  expected: readonly ModelMemory[],
): Promise<string[]> {
  const options = { explain: true, rankedBy: "words" } as const;
  const { memories } = await memory.recall({ ...question, limit: 200 }, options);
  const has = idsOf(memories.map((one) => one.memory));
  const must = idsOf(expected);
  return has === must ? [] : [`${JSON.stringify(question)} finds ${has} and not ${must}`];
}

function idsOf(memories: readonly { readonly id: string }[]): string {
  return memories
    .map(({ id }) => id)
    .toSorted()
    .join(" ");
}

export async function compareStats(memory: AgentMemory, model: MemoryModel): Promise<string[]> {
  const { total, byState, byScope } = await memory.maintenance.stats();
  const states = model.memories.map(stateOfModel);
  const active = model.memories.filter((one) => stateOfModel(one) === "active");
  const scopes = [...Map.groupBy(active, ({ scope }) => scope)].map(([scope, rows]) => [scope, rows.length]);
  const has = JSON.stringify([
    total,
    STATES.map((state) => byState[state]),
    byScope.map((one) => [one.scope, one.active]).sort(),
  ]);
  const must = JSON.stringify([
    states.length,
    STATES.map((state) => states.filter((one) => one === state).length),
    scopes.sort(),
  ]);
  return has === must ? [] : [`memory counts ${has} and not ${must}`];
}

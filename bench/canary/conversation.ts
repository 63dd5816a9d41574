/** A long conversation of everyday work in which thirty facts are mentioned once each, evenly spread, none at the end. */
import type { AgentMessage, Turn } from "../standard-workload.ts";
import { CANARY_FACTS, type CanaryFact, type Speaker } from "./facts.ts";
import { Filler, seededRandom } from "./filler.ts";

/** Turns at the end that say nothing worth keeping, so that no fact is visible only because it is new. */
const QUIET_TURNS = 30;

export function canaryConversation(turns: number, seed: number): Turn[] {
  if (turns < CANARY_FACTS.length + QUIET_TURNS) throw new Error("too few turns for so many facts");
  const filler = new Filler(seededRandom(seed));
  const planted = placesFor(turns, filler);
  const conversation = Array.from({ length: turns }, (_, index) => ({
    key: `turn-${index}`,
    messages: turnWith(filler, planted.get(index)),
  }));
  requireOnce(conversation);
  return conversation;
}

/** One fact in each stretch of equal length, somewhere in it. */
function placesFor(turns: number, filler: Filler): Map<number, CanaryFact> {
  const stretch = (turns - QUIET_TURNS) / CANARY_FACTS.length;
  return new Map(
    CANARY_FACTS.map((fact, index) => [
      filler.int(Math.ceil(index * stretch), Math.ceil((index + 1) * stretch) - 1),
      fact,
    ]),
  );
}

function turnWith(filler: Filler, fact: CanaryFact | undefined): AgentMessage[] {
  const saidBy = (speaker: Speaker) => (fact?.by === speaker ? fact.sentence : null);
  const more = Array.from({ length: filler.int(0, 2) }, () => filler.tool(null)).flat();
  return [
    filler.user(saidBy("user")),
    ...filler.tool(saidBy("tool")),
    ...more,
    filler.answer(saidBy("assistant")),
  ];
}

/** Checks the material, so that later counts are valid. */
function requireOnce(turns: readonly Turn[]): void {
  const texts = turns.flatMap(({ messages }) => messages.map((message) => JSON.stringify(message)));
  for (const { text } of CANARY_FACTS) {
    const count = texts.filter((said) => said.includes(JSON.stringify(text).slice(1, -1))).length;
    if (count !== 1) throw new Error(`"${text}" is said ${count} times`);
  }
}

/**
 * The whole life of a long conversation: it is committed turn by turn, compacted in the background, assembled under a
 * budget before each turn; at the end a detail of the first morning is brought back exactly, and everything is proved.
 */
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { checkIntegrity } from "../src/context/verify/check-integrity.ts";
import { type AssembleResult, type Engine, open, textOfParts } from "../src/index.ts";
import { FACTS, FINAL_QUESTION } from "./conversation/facts.ts";
import { type DemoTurn, readTurns } from "./read-turns.ts";

const DATA = ".palimpsest/demo";
const TRANSCRIPT = fileURLToPath(new URL("./conversation/observatory.jsonl", import.meta.url));
const LIVE = "demo-live";
const IMPORTED = "demo-observatory";
const BUDGET = 32_000;

const number = new Intl.NumberFormat("en");
const bold = (text: string) => styleText("bold", text);
const dim = (text: string) => styleText("dim", text);
const green = (text: string) => styleText("green", text);

function heading(title: string, what: string): void {
  console.log(`\n${bold(title.padEnd(7))} ${what}`);
}

function line(text: string): void {
  console.log(`        ${text}`);
}

interface Seen {
  largest: number;
  waited: number;
  reused: number;
  before: number;
}

/** Before each turn the model is shown its context; after it, what was said is committed. */
async function live(engine: Engine, turns: readonly DemoTurn[]): Promise<AssembleResult> {
  const seen: Seen = { largest: 0, waited: 0, reused: 0, before: 0 };
  let answer: AssembleResult | undefined;
  for (const [index, turn] of turns.entries()) {
    await engine.context.commitTurn({ conversation: LIVE, ...turn });
    // A person and a model take their time between two turns; this does not need much of it.
    await engine.background?.run();
    answer = await engine.context.assemble({ conversation: LIVE, budget: BUDGET });
    note(seen, answer);
    if (index % 12 === 11 || index === turns.length - 1) await showTurn(engine, index + 1, answer);
  }
  const { summaries } = await engine.context.conversations.summaries(LIVE);
  const waited = seen.waited === 0 ? "no turn" : seen.waited === 1 ? "one turn" : `${seen.waited} turns`;
  line(`${summaries.length} summaries made in the background, without a model; ${waited} waited`);
  line(`the largest view had ${number.format(seen.largest)} of ${number.format(BUDGET)} tokens;`);
  const unchanged = Math.round((100 * seen.reused) / seen.before);
  line(`on average, ${unchanged}% of a view was an unchanged prefix of the next`);
  if (answer === undefined) throw new Error("the conversation is empty");
  return answer;
}

function note(seen: Seen, answer: AssembleResult): void {
  seen.largest = Math.max(seen.largest, answer.tokens);
  if (answer.waited) seen.waited++;
  if (answer.reused === null) return;
  seen.reused += answer.reused.tokens;
  seen.before += answer.reused.share === 0 ? 0 : answer.reused.tokens / answer.reused.share;
}

async function showTurn(engine: Engine, turn: number, answer: AssembleResult): Promise<void> {
  const { tokenCount } = await engine.context.conversations.get(LIVE);
  const bar = (tokens: number, width: number) => "█".repeat(Math.round(tokens / 4_000)).padEnd(width);
  const recorded = `${bar(tokenCount, 15)} ${number.format(tokenCount)}`;
  const inView = `${green(bar(answer.tokens, 8))} ${number.format(answer.tokens)}`;
  line(`turn ${String(turn).padStart(2)}  tokens recorded ${recorded}  in view ${inView}`);
}

/** What the last message asks for was said on the first morning: from a summary, back to the very words. */
async function showDetail(engine: Engine, answer: AssembleResult, turns: readonly DemoTurn[]): Promise<void> {
  const { messages: newest } = await engine.context.read({ conversation: LIVE, from: turns.length });
  const question = newest.findLast((message) => message.role === "user");
  const asked = textOfParts(question?.parts ?? []).match(/Tell me[^,.]*/)?.[0];
  line("the last message asks:");
  line(`  ${dim(`“${asked}”`)}`);
  const shown = JSON.stringify(answer.messages);
  const [first] = answer.items.filter((item) => item.type === "summary");
  if (first === undefined) throw new Error("nothing was summarised");
  line(`the view begins with ${first.id}, a summary of the first days`);
  const { messages } = await engine.context.expand({ summary: first.id, maxTokens: 100_000 });
  for (const fact of FACTS.filter(({ id }) => FINAL_QUESTION.answeredBy.some((wanted) => wanted === id))) {
    const message = messages.find((one) => textOfParts(one.parts).includes(fact.text));
    const text = textOfParts(message?.parts ?? []);
    const at = text.indexOf(fact.text);
    const around = text.slice(Math.max(0, at - 28), at + fact.text.length + 12).replaceAll("\n", " ");
    const place = shown.includes(fact.text) ? "in view" : "found by expanding a summary";
    line(`${message?.id}, ${place}:`);
    line(`  …${around.replace(fact.text, green(fact.text))}…`);
  }
  const visible = FACTS.filter((fact) => shown.includes(fact.text)).length;
  line(`${visible} of ${FACTS.length} planted facts are in view word for word;`);
  line("the others are found by expanding a summary");
}

async function showThen(engine: Engine, turns: readonly DemoTurn[]): Promise<void> {
  const turn = turns[Math.floor(turns.length / 2)];
  if (turn === undefined) return;
  const then = await engine.context.conversations.at({ conversation: LIVE, turn: turn.key });
  line(
    `before ${turn.key} the model saw ${then.items.length} items: ${then.differs === null ? green("shown again, the same bytes") : then.differs}`,
  );
}

async function showSameFile(engine: Engine): Promise<void> {
  await engine.context.conversations.import(TRANSCRIPT);
  const written = createHash("sha256");
  for await (const chunk of engine.context.conversations.transcript({ conversation: IMPORTED }))
    written.update(chunk);
  const [ours, theirs] = [
    written.digest("hex"),
    createHash("sha256").update(readFileSync(TRANSCRIPT)).digest("hex"),
  ];
  line(`a host's file in, sha256 ${theirs.slice(0, 16)}…`);
  line(
    `and out again,    sha256 ${ours.slice(0, 16)}…  ${ours === theirs ? green("byte for byte") : "DIFFERENT"}`,
  );
}

/** A copy of the database is changed behind the engine's back, by one letter. */
async function showProof(engine: Engine): Promise<void> {
  const report = await checkIntegrity(engine.store);
  const verdict = report.ok ? green("all unchanged") : "PROBLEMS";
  line(`${number.format(report.messages)} messages and every summary: hashes recomputed, ${verdict}`);
  const copy = `${DATA}/tampered`;
  mkdirSync(copy, { recursive: true });
  await engine.store.compactFiles();
  copyFileSync(`${DATA}/palimpsest.db`, `${copy}/palimpsest.db`);
  cpSync(`${DATA}/files`, `${copy}/files`, { recursive: true });
  const database = new DatabaseSync(`${copy}/palimpsest.db`);
  database.exec(
    "UPDATE messages SET content = replace(content, 'Good morning', 'Good mourning') WHERE seq = 3",
  );
  database.close();
  const tampered = await open({ store: copy });
  const found = (await checkIntegrity(tampered.store)).problems[0];
  await tampered.close();
  line("a copy with one letter changed:");
  line(`  ${styleText("red", `message ${found?.seq}: ${found?.message}`)}`);
}

async function main(): Promise<void> {
  rmSync(DATA, { recursive: true, force: true });
  const config = { tenant: "default", agent: "default", contextBudget: BUDGET };
  const engine = await open({ store: DATA, config });
  const turns = readTurns(TRANSCRIPT);
  console.log(bold("Palimpsest") + dim(" – every word an agent saw, kept exactly; a view that always fits"));

  heading("live", `${path.relative(".", TRANSCRIPT)}, ten days of work in ${turns.length} turns`);
  const answer = await live(engine, turns);
  heading("back", "a detail from the first morning");
  await showDetail(engine, answer, turns);
  heading("then", "what the model saw is kept too");
  await showThen(engine, turns);
  heading("exact", "nothing is added, nothing is lost");
  await showSameFile(engine);
  heading("proof", "verify");
  await showProof(engine);
  await engine.close();

  heading("next", "look around in what was just stored:");
  line(`npx lcm --data ${DATA} tree ${LIVE}`);
  line(`npx lcm --data ${DATA} context ${LIVE} --budget 8000`);
  line(`npx lcm --data ${DATA} read ${LIVE} --from 1 --to 6`);
  line(`npx lcm --data ${DATA} grep "high-voltage setpoint"`);
  line(`npx lcm import ~/.claude/projects   ${dim("# your own sessions")}`);
}

await main();

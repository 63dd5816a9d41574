/** Imports a conversation that ships with the project and shows what went in and what comes out. */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { checkIntegrity } from "../src/context/verify/check-integrity.ts";
import { type Engine, type Message, open, textOfParts } from "../src/index.ts";
import { FACTS, FINAL_QUESTION } from "./conversation/facts.ts";

const DATA = ".palimpsest/demo";
const TRANSCRIPT = fileURLToPath(new URL("./conversation/observatory.jsonl", import.meta.url));
const SESSION = "demo-observatory";

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

async function readAll(engine: Engine): Promise<Message[]> {
  const messages: Message[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page: Awaited<ReturnType<Engine["context"]["read"]>> = await engine.context.read({
      conversation: SESSION,
      from,
    });
    messages.push(...page.messages);
    from = page.next;
  }
  return messages;
}

function showWhatWentIn(messages: readonly Message[]): void {
  const tools = messages
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "tool" && part.input !== null);
  const names = new Set(tools.map((part) => (part.type === "tool" ? part.name : null)));
  const japanese = messages.filter((message) => /[\u3040-\u30ff]/.test(textOfParts(message.parts))).length;
  const largest = messages.toSorted((a, b) => b.tokenCount - a.tokenCount)[0];
  const tokens = messages.reduce((sum, message) => sum + message.tokenCount, 0);
  line(`${number.format(messages.length)} messages, ${number.format(tokens)} tokens, ten days of work`);
  line(`${tools.length} tool calls with ${names.size} tools: ${[...names].join(", ")}`);
  line(
    `${japanese} messages with Japanese; the largest holds a pasted CSV of ${number.format(largest?.tokenCount ?? 0)} tokens`,
  );
}

async function showSameFile(engine: Engine): Promise<void> {
  const written = createHash("sha256");
  for await (const chunk of engine.context.transcript({ conversation: SESSION })) written.update(chunk);
  const [now, then] = [
    written.digest("hex"),
    createHash("sha256").update(readFileSync(TRANSCRIPT)).digest("hex"),
  ];
  line(`file  sha256 ${then.slice(0, 24)}…`);
  line(
    `ours  sha256 ${now.slice(0, 24)}…  ${now === then ? green("identical, byte for byte") : "DIFFERENT"}`,
  );
}

function showDetail(messages: readonly Message[]): void {
  const question = messages.find((message) => message.key === FINAL_QUESTION.messageId);
  const asked = textOfParts(question?.parts ?? []).match(/Tell me[^.]*\./)?.[0];
  line(`the last message asks: ${dim(`“${asked}”`)}`);
  for (const fact of FACTS.filter(({ id }) => FINAL_QUESTION.answeredBy.some((answer) => answer === id))) {
    const message = messages.find(({ key }) => key === fact.messageId);
    const text = textOfParts(message?.parts ?? []);
    const at = text.indexOf(fact.text);
    const around = text.slice(Math.max(0, at - 28), at + fact.text.length + 12).replaceAll("\n", " ");
    line(`${message?.id}: …${around.replace(fact.text, green(fact.text))}…`);
  }
}

async function showOnce(engine: Engine): Promise<void> {
  const again = await engine.context.importTranscript(TRANSCRIPT);
  line(`importing the file again: ${again.status}, ${again.imported} new messages`);
  const turn = { conversation: "demo-live", key: "turn-1", messages: [{ role: "user", content: "ok" }] };
  const statuses = [await engine.context.commitTurn(turn), await engine.context.commitTurn(turn)].map(
    ({ status }) => status,
  );
  line(`committing a turn twice:   ${statuses.join(", then ")}`);
  const other = { ...turn, messages: [{ role: "user", content: "not ok" }] };
  const refusal = await engine.context.commitTurn(other).catch((error: Error) => error.message);
  line(`the same key, other words: refused – ${String(refusal)}`);
}

/** A copy of the database is changed behind the engine's back, by one letter. */
async function showProof(engine: Engine): Promise<void> {
  const report = await checkIntegrity(engine.store);
  line(
    `${number.format(report.messages)} messages, every hash recomputed: ${report.ok ? green("all as they were said") : "PROBLEMS"}`,
  );
  const copy = `${DATA}/tampered`;
  mkdirSync(copy, { recursive: true });
  await engine.store.compactFiles();
  copyFileSync(`${DATA}/palimpsest.db`, `${copy}/palimpsest.db`);
  const database = new DatabaseSync(`${copy}/palimpsest.db`);
  database.exec(
    "UPDATE messages SET content = replace(content, 'Good morning', 'Good mourning') WHERE seq = 3",
  );
  database.close();
  const tampered = await open({ store: copy });
  const found = (await checkIntegrity(tampered.store)).problems[0];
  await tampered.close();
  line(`a copy with one letter changed: ${styleText("red", `message ${found?.seq}: ${found?.message}`)}`);
}

async function main(): Promise<void> {
  rmSync(DATA, { recursive: true, force: true });
  const engine = await open({ store: DATA, config: { tenant: "default", agent: "default" } });
  console.log(bold("Palimpsest") + dim(" – every word an agent saw, kept exactly"));

  heading("in", path.relative(".", TRANSCRIPT));
  await engine.context.importTranscript(TRANSCRIPT);
  const messages = await readAll(engine);
  showWhatWentIn(messages);
  heading("out", "the same file, written from the store");
  await showSameFile(engine);
  heading("back", "a detail from the first morning");
  showDetail(messages);
  heading("once", "nothing is stored twice, nothing is overwritten");
  await showOnce(engine);
  heading("proof", "verify");
  await showProof(engine);
  const raw = readFileSync(TRANSCRIPT).byteLength;
  const { bytesOnDisk } = await engine.store.info();
  line(`${number.format(raw)} bytes came in, ${number.format(bytesOnDisk)} lie on disk`);
  await engine.close();

  heading("next", "look around in what was just stored:");
  line(`npx lcm --data ${DATA} conversations`);
  line(`npx lcm --data ${DATA} read ${SESSION} --from 1 --to 6`);
  line(
    `npx lcm import ~/.claude/projects   ${dim("# or ~/.codex/sessions, or any transcript: your own agents")}`,
  );
}

await main();

/** Large files made in passing: ordinary ones, and some that a reader could choke on. The same at every run. */

type Make = (index: number) => string;

const STATES = ["open", "closed", "waiting", "failed"];
const NAMES = ["Ada", "Grace", "Linus", "Margaret", "Dennis", "Barbara"];

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[(index * 7_919) % items.length];
}

function clock(index: number): string {
  return new Date(1_700_000_000_000 + index * 137).toISOString();
}

const LOG_LINES: readonly Make[] = [
  (i) => `INFO [main] app.http.Server: GET /orders/${i} answered 200 in ${i % 300} ms`,
  (i) => `INFO [pool-${i % 8}] app.jobs.Runner: Job ${(i * 2_654_435_761) % 4_294_967_296} finished`,
  (i) => `WARN [pool-${i % 8}] app.db.Pool: Waited ${i % 900} ms for a connection`,
  (i) => `ERROR [main] app.http.Server: Could not read order ${i}: timeout after 30 s`,
];

/** By name: the part that comes first, and the one that comes for each index. */
const ORDINARY: Readonly<Record<string, readonly [string, Make]>> = {
  "orders.csv": [
    "id,created,customer,state,amount,comment\n",
    (i) =>
      `${i},${clock(i).slice(0, 10)},${pick(NAMES, i)},${pick(STATES, i)},${(i % 10_000) / 100},"said ""yes"", number ${i}"\n`,
  ],
  "events.jsonl": [
    "",
    (i) =>
      `${JSON.stringify({ id: i, at: clock(i), state: pick(STATES, i), user: { name: pick(NAMES, i), tags: ["a", "b"] }, amount: i / 7 })}\n`,
  ],
  "server.log": ["", (i) => `${clock(i)} ${pick(LOG_LINES, i)?.(i)}\n`],
  "array.json": [
    "[{}",
    (i) =>
      `,\n{"id":${i},"name":"${pick(NAMES, i)}","state":"${pick(STATES, i)}","nested":{"a":[1,2,3],"b":null}}`,
  ],
  "orders.xml": [
    "<orders>",
    (i) => `<order id="${i}" state="${pick(STATES, i)}"><customer>${pick(NAMES, i)}</customer></order>\n`,
  ],
  "orders.yaml": [
    "orders:\n",
    (i) => `  - id: ${i}\n    state: ${pick(STATES, i)}\n    customer:\n      name: ${pick(NAMES, i)}\n`,
  ],
  "book.txt": [
    "",
    (i) =>
      `${i % 40 === 0 ? `\n${i / 40 + 1}. Chapter about ${pick(NAMES, i)}\n\n` : ""}The state of order ${i} was ${pick(STATES, i)} when ${pick(NAMES, i)} looked at it again.\n`,
  ],
};

const HARD: typeof ORDINARY = {
  "keys.json": ['{"a":1', (i) => `,"key${i}":${i}`],
  "deep.json": ["[", () => "[".repeat(1_000)],
  "open-quote.json": ['{"a":"', () => "x".repeat(1_000)],
  "open-quote.csv": ['a,b\n1,"', (i) => `text ${i},\n`],
  "one-line.txt": ["", (i) => `word${i % 100} and another `],
  "one-line.log": ["2024-01-01 10:00:00 INFO ", (i) => `word${i % 100} and another `],
  "open-tag.xml": ['<?xml version="1.0"?><a b="', () => "<c ".repeat(300)],
  "deep.xml": ['<?xml version="1.0"?>', () => "<a>".repeat(300)],
  "flow.yaml": ["a: [", (i) => `\n${i % 10},`],
  "columns.csv": ["a", (i) => `,${i}`],
  "distinct.log": [
    "",
    (i) =>
      `2024-01-01 10:00:00 INFO ${i.toString(36).replaceAll(/\d/g, "x")} ${(i * 31).toString(36).replaceAll(/\d/g, "q")} done\n`,
  ],
};

interface GeneratedFile {
  readonly first: string;
  readonly make: Make;
  readonly isOrdinary: boolean;
}

export const GENERATED_FILES: Readonly<Record<string, GeneratedFile>> = Object.fromEntries(
  [ORDINARY, HARD].flatMap((files) =>
    Object.entries(files).map(([name, [first, make]]) => [
      name,
      { first, make, isOrdinary: files === ORDINARY },
    ]),
  ),
);

/** Pieces of 64 kB up to the requested size. */
export async function* generateFile(name: string, bytes: number): AsyncGenerator<Uint8Array> {
  const { first, make } = GENERATED_FILES[name] ?? { first: "", make: () => "\n" };
  let [made, index, waiting] = [0, 0, first];
  while (made < bytes) {
    while (waiting.length < 65_536) waiting += make(index++);
    const piece = Buffer.from(waiting).subarray(0, bytes - made);
    yield piece;
    made += piece.length;
    waiting = "";
  }
}

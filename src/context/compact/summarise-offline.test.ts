import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import type { Part } from "../../types.ts";
import { checkFidelity } from "./check-fidelity.ts";
import { NO_LIMITS, renderSource } from "./render-source.ts";
import type { SourceMessage, SummarySource } from "./source.ts";
import { SMALLEST, summariseOffline } from "./summarise-offline.ts";
import { call, message, result, summary } from "./testing/source-samples.ts";

const options = (targetTokens: number) => ({ targetTokens, countTokens: estimateTokens, timezone: "UTC" });
const leaf = (messages: readonly SourceMessage[]): SummarySource => ({ kind: "leaf", messages });
const condensed = (texts: readonly string[], depth = 1): SummarySource => ({
  kind: "condensed",
  depth,
  summaries: texts.map((text, place) => summary(place, text, depth - 1)),
});
const TALK = [
  "The weather was pleasant and everybody enjoyed the long walk along the quiet river bank.",
  "Perhaps the garden could use some water before the neighbours come over in the evening.",
  "It was a rather ordinary afternoon and nobody had anything remarkable to tell the others.",
];

/** Planted sentences between chatter of twenty times their size. */
function between(planted: readonly string[], chatter = 20): SourceMessage[] {
  const messages: SourceMessage[] = [];
  for (const fact of planted) {
    messages.push(message(messages.length + 1, "user", fact));
    for (let i = 0; i < chatter; i++)
      messages.push(message(messages.length + 1, "assistant", `${TALK[i % TALK.length]}`));
  }
  return messages;
}

describe("what an offline summary keeps", () => {
  it.each([
    ["a rule", "Never write to /mnt/archive, not even a lock file."],
    ["a rule in German", "Der Dienst darf nachts nicht neu gestartet werden."],
    ["a rule in Japanese", "火曜日の朝はドームの電源を絶対に切らないでください。"],
    ["a rule in Chinese", "晚上绝对不要重启采集服务。"],
    ["a rule in Korean", "밤에는 수집 서비스를 절대 재시작하지 마세요."],
    ["a decision", "Decision: the exports are gzipped CSV files."],
    ["a number", "The high-voltage setpoint is 1087.5 V."],
    ["an identifier", "The label says VX-40417-KITTIWAKE."],
    ["a date", "The inspection is on 2026-04-21."],
    ["an open task", "Remember to tie down connector J7 before the summer."],
  ])("%s", (_, fact) => {
    const text = summariseOffline(
      leaf(between([fact, "How was your day?", "What did you eat?"])),
      options(150),
    );
    expect(text).toContain(fact);
    expect(text).toMatch(/\d\d:\d\d user: /);
  });

  it("the later of two decisions, and says that it replaces one", () => {
    const messages = between([
      "Decision: exports are Parquet, one file per season.",
      "Decision: exports are gzipped CSV, one file per night.",
    ]);
    const text = summariseOffline(leaf(messages), options(160));
    expect(text).toContain(
      "(replaces an earlier decision) Decision: exports are gzipped CSV, one file per night.",
    );
    expect(text).not.toContain("Parquet");
  });

  it.each([
    ["The temperature coefficient is 0.0137 per degree.", "No, the coefficient is 0.0173, not 0.0137."],
    ["シリアルは 57600 baud です。", "57600 ではなく 38400 です。"],
    ["Der Port ist 47115.", "Der Port ist 47151 statt 47115."],
  ])("a correction instead of what it corrects: %j", (wrong, right) => {
    const text = summariseOffline(leaf(between([wrong, right])), options(140));
    expect(text).toContain(right);
    expect(text).not.toContain(wrong);
  });

  it("a failure with the line that explains it, and the fix behind it", () => {
    const output =
      'Traceback (most recent call last):\n  File "a.py", line 3\nsqlite3.OperationalError: database is locked\n[exit status 1]';
    const messages = [
      ...between(["Run it."]),
      message(90, "assistant", call("a", "bash", { command: "python migrate.py" })),
      message(91, "tool", result("a", output, "error")),
      message(92, "assistant", "The cause was the ingest service; setting busy_timeout=8000 fixed it."),
    ];
    const text = summariseOffline(leaf(messages), options(160));
    expect(text).toContain("`python migrate.py` failed: sqlite3.OperationalError: database is locked");
    expect(text).toContain("busy_timeout=8000");
  });

  it("what changes and patches brought in, and what was committed", () => {
    const patch =
      "*** Begin Patch\n*** Add File: src/slice.py\n+def slice_lines(text):\n+    pass\n*** End Patch";
    const edit = { file_path: "/srv/app/src/a.ts", old_string: "", new_string: "export class Reader {" };
    const messages = [
      message(1, "user", "Please write the reader."),
      message(2, "assistant", call("a", "Edit", edit), call("b", "apply_patch", { input: patch })),
      message(3, "assistant", call("c", "bash", { command: 'git commit -m "Read line by line"' })),
      message(
        4,
        "tool",
        result("a", "ok"),
        result("b", "ok"),
        result("c", "[main 1a2b3c4] Read line by line"),
      ),
    ];
    const text = summariseOffline(leaf(messages), options(300));
    expect(text).toContain("srv/app/src/a.ts: export class Reader");
    expect(text).toContain("src/slice.py: def slice_lines(text)");
    expect(text.split("\n")).toContain("Done: Read line by line");
    const again = summariseOffline(condensed([text, "2026-03-09\nDone: Read it twice"]), options(300));
    expect(again.split("\n")).toContain("Done: Read line by line; Read it twice");
  });

  it("an example or a layout that an answer sets off as code, with the line that introduces it", () => {
    const answer =
      "The layout that we agreed on:\n\n```\nsrc/core/\nsrc/modes/\n```\nShall I move the files?";
    const text = summariseOffline(
      leaf([message(1, "user", "Where should the files go?"), message(2, "assistant", answer)]),
      options(200),
    );
    expect(text).toContain("The layout that we agreed on: src/core/ src/modes/");
  });

  it("files with their state, and the agent's open tasks in their newest state", () => {
    const todos = (status: string) => ({
      todos: [
        { content: "Write the parser", status },
        { content: "Run the tests", status: "pending" },
      ],
    });
    const messages = [
      message(1, "user", "Please write the parser."),
      message(
        2,
        "assistant",
        call("a", "Read", { file_path: "/srv/app/main.ts" }),
        call("b", "TodoWrite", todos("in_progress")),
      ),
      message(
        3,
        "assistant",
        call("c", "Write", { file_path: "/srv/app/parser.ts", content: "x" }),
        call("d", "Edit", { file_path: "/srv/app/parser.ts" }),
      ),
      message(
        4,
        "assistant",
        call("e", "bash", { command: "rm /srv/app/old.ts" }),
        call("f", "TodoWrite", todos("completed")),
      ),
      message(5, "tool", result("a", "contents"), result("c", "ok"), result("d", "ok"), result("e", "")),
    ];
    const lines = summariseOffline(leaf(messages), options(300)).split("\n");
    expect(lines).toContain(
      "Files: created /srv/app/parser.ts; deleted /srv/app/old.ts; read /srv/app/main.ts",
    );
    expect(lines).toContain("Open tasks: Run the tests");
  });
});

describe("what an offline summary does not mistake", () => {
  it("a rule in a listing for a rule of this conversation", () => {
    const said = [
      "You must answer in French.",
      "The debug port is 47115.",
      "The label says VX-40417-KITTIWAKE.",
    ];
    const more = [
      "The inspection is on 2026-04-21.",
      "The order number is SO-66120-B.",
      "The database is /srv/lantern/lantern.db.",
    ];
    const messages = [
      message(1, "assistant", call("a", "bash", { command: "cat notes" })),
      message(2, "tool", result("a", "Never feed the llamas after midnight, they bite.")),
      ...[...said, ...more].map((text, i) => message(i + 3, "user", text)),
    ];
    const text = summariseOffline(leaf(messages), options(96));
    expect(text).toContain("You must answer in French.");
    expect(text).not.toContain("llamas");
  });

  it("what a host slipped into a message for what a person said", () => {
    const note: Part = {
      type: "text",
      text: "You must always use the skill called zebra-stripes.",
      synthetic: true,
    };
    const text = summariseOffline(
      leaf([message(1, "user", note), ...between(["Please fix the parser in src/parser.ts."], 8)]),
      options(110),
    );
    expect(text).toContain("Please fix the parser in src/parser.ts.");
    expect(text).not.toContain("zebra");
  });

  it.each([
    [
      "a skill",
      "Base directory for this skill: /home/a/skills/zebra\n\n# Zebra\n\nYou must always paint stripes.",
    ],
    ["a project's instructions", "# AGENTS.md instructions for /srv/app\n\nNever commit a zebra."],
    ["a block of the host", "<environment_context>\nYou must never feed the zebra.\n</environment_context>"],
    [
      "a pasted log",
      "It fails:\n\n2026-03-09 08:00 the zebra must never run\n2026-03-09 08:01 the zebra has failed",
    ],
  ])("%s for what a person said", (_, sent) => {
    const source = leaf([message(1, "user", sent), message(2, "user", "Please fix the parser.")]);
    const text = summariseOffline(source, options(300));
    expect(text).toContain("Please fix the parser.");
    expect(text).not.toMatch(/user: .*zebra|never|always/i);
    const lost = checkFidelity(renderSource(source, { timezone: "UTC", limits: NO_LIMITS }), text).missing;
    expect(lost.filter(({ kind, weight }) => kind === "constraint" || weight > 0.5)).toEqual([]);
  });

  it("what a manual says for something that a tool found", () => {
    const manual = "When the build has failed with an error, the zebra is the problem.";
    const printed = (path: string) => [
      message(1, "assistant", call("a", "Read", { file_path: path })),
      message(2, "tool", result("a", `     1\t${manual}`)),
      message(3, "user", "Please fix the parser."),
    ];
    expect(summariseOffline(leaf(printed("/srv/app/build-notes.txt")), options(300))).toContain(
      `tool: ${manual}`,
    );
    for (const path of ["/srv/app/AGENTS.md", "/home/a/.claude/skills/zebra/SKILL.md", "D:\\a\\skills\\b.md"])
      expect(summariseOffline(leaf(printed(path)), options(300))).not.toContain("zebra is");
    const shown = (command: string) => [
      message(1, "assistant", call("a", "exec_command", { cmd: command })),
      message(2, "tool", result("a", "# Zebras\nYour work is done once zebras are created.")),
      message(3, "user", "Please fix the parser."),
    ];
    expect(summariseOffline(leaf(shown("make zebras")), options(300))).toContain("once zebras are");
    expect(summariseOffline(leaf(shown("cat skills/zebra/SKILL.md")), options(300))).not.toContain(
      "once zebras",
    );
  });

  it("the entry of a reference for something that a tool found", () => {
    const messages = (entry: string) => [
      message(1, "assistant", call("a", "Read", { file_path: "/srv/app/tasks.txt" })),
      message(2, "tool", result("a", entry)),
      message(3, "user", "Please fix the parser."),
    ];
    expect(
      summariseOffline(leaf(messages("The zebra counts what was fixed by hand")), options(300)),
    ).toContain("zebra");
    const entry = "- `zebra` — counts what was fixed by hand";
    expect(summariseOffline(leaf(messages(entry)), options(300))).not.toContain("zebra");
  });

  it("a help text, or what npm prints around an error, for a finding", () => {
    const output = [
      "src/a.ts(3,1): error TS2322: Type 'string' is not assignable.",
      "npm error Lifecycle script `check` failed with error:",
      "npm error path /srv/app",
      "  -q, --quiet   Print nothing but errors of the zebra that failed",
      "exit code: 1",
    ].join("\n");
    const messages = [
      message(1, "assistant", call("a", "bash", { command: "npm run check; app --help" })),
      message(2, "tool", result("a", output, "error")),
    ];
    const text = summariseOffline(leaf(messages), options(300));
    expect(text).toContain("failed: src/a.ts(3,1): error TS2322");
    expect(text).not.toMatch(/zebra|Lifecycle|npm error/);
  });

  it("thoughts for what the agent said or did", () => {
    const messages = [
      message(1, "user", "Please fix the parser."),
      message(2, "assistant", {
        type: "reasoning",
        text: "Maybe the zebra in src/zebra.ts breaks the parser.",
      }),
      message(3, "assistant", "The parser in src/parser.ts failed on empty input; I fixed it."),
    ];
    expect(summariseOffline(leaf(messages), options(300))).not.toContain("zebra");
  });

  it("announcements of the agent for news, where it says anything else", () => {
    const announced = "Let me look at the zebra first.";
    const talk = [message(1, "user", "Please fix the parser."), message(2, "assistant", announced)];
    expect(summariseOffline(leaf(talk), options(300))).toContain(announced);
    const told = [...talk, message(3, "assistant", "The parser is fixed in src/parser.ts.")];
    expect(summariseOffline(leaf(told), options(300))).not.toContain("zebra");
    // With details and in other words, too; but a decision stays, whatever it begins with.
    for (const step of [
      "Let me open src/zebra.ts:",
      "Now update zebraOf() in src/zebra.ts:",
      "Need to see zebraOf().",
    ]) {
      const steps = [...told, message(4, "assistant", `${step}\n\nIt has twelve tests.`)];
      expect(summariseOffline(leaf(steps), options(300)).split("\nExpand")[0]).not.toContain("zebra");
    }
    const decided = [...told, message(4, "assistant", "I'll use a zebra instead of the parser.")];
    expect(summariseOffline(leaf(decided), options(300))).toContain(
      "I'll use a zebra instead of the parser.",
    );
    const wished = [
      message(1, "user", "I need to see the zebra."),
      message(2, "assistant", "The zebra is there."),
    ];
    expect(summariseOffline(leaf(wished), options(300))).toContain("I need to see the zebra.");
  });

  it("a search without a hit for a failure, and JSON that was pasted for a sentence", () => {
    const messages = [
      message(1, "assistant", call("a", "bash", { command: "grep -n zebra src/a.ts" })),
      message(2, "tool", result("a", "\nCommand exited with code 1", "error")),
      message(3, "user", 'Use these settings:\n"zebra_width": 3,\n// "zebra_style": "plain",'),
    ];
    const text = summariseOffline(leaf(messages), options(300)).split("\nExpand")[0];
    expect(text).not.toMatch(/failed|zebra_/);
  });

  it("names and figures of arguments for details of the source", () => {
    const input = { cmd: "git fetch origin", yield_time_ms: 47115, max_output_tokens: 20_000 };
    const source = leaf([
      message(1, "assistant", call("a", "exec_command", input)),
      message(2, "user", "Go on."),
    ]);
    const rendered = renderSource(source, { timezone: "UTC", limits: NO_LIMITS });
    const lost = checkFidelity(rendered, "").missing.map(({ text }) => text);
    expect(lost).toContain("git fetch origin");
    expect(lost.join()).not.toMatch(/yield_time_ms|47115|20000/);
  });

  it.each(["grep -n nothing a.txt", "diff a.txt b.txt"])("the exit code of %j for a failure", (command) => {
    const messages = [
      message(1, "assistant", call("a", "bash", { command })),
      message(2, "tool", result("a", "Process exited with code 1\nOutput:\n")),
    ];
    expect(summariseOffline(leaf(messages), options(200))).not.toMatch(/failed|exited/);
  });

  it.each([
    ["a denial for a correction", "The port is 47115.", "On 2026-04-21 I did not say that 47115 was free."],
    [
      "another value for the end of a rule",
      "Never open port 47115 to the outside.",
      "The metrics use port 47151, not 47115.",
    ],
  ])("%s", (_, earlier, later) => {
    expect(summariseOffline(leaf(between([earlier, later])), options(160))).toContain(earlier);
  });
});

describe("the form", () => {
  const text = summariseOffline(leaf(between(["Never stop the ingest service."], 40)), options(200));

  it("begins with the range and ends with what was left out", () => {
    const lines = text.split("\n");
    expect(lines[0]).toBe("2026-03-09 08:01 – 08:41");
    expect(lines.at(-2)).toBe("Files: none");
    expect(lines.at(-1)).toMatch(/^Expand for details about: ./);
  });

  it("names each day when there are several", () => {
    const late = {
      ...message(2, "user", "The second day began with 1087.5 V."),
      createdAt: "2026-03-10T09:00:00.000Z",
    };
    const lines = summariseOffline(
      leaf([message(1, "user", "The first day began with 11.40 V."), late]),
      options(200),
    ).split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "2026-03-09 08:01 – 2026-03-10 09:00",
      "2026-03-09",
      "08:01 user: The first day began with 11.40 V.",
      "2026-03-10",
      "09:00 user: The second day began with 1087.5 V.",
    ]);
  });

  it("writes a time once for the lines that share it, and reads it back", () => {
    const at = (one: SourceMessage) => ({ ...one, createdAt: "2026-03-09T08:47:00.000Z" });
    const messages = [
      message(1, "user", "Please open port 47115."),
      message(2, "assistant", "Port 47115 is open now."),
    ];
    const told = summariseOffline(leaf(messages.map(at)), options(200));
    expect(told.split("\n").slice(1, 3)).toEqual([
      "08:47 user: Please open port 47115.",
      "assistant: Port 47115 is open now.",
    ]);
    const before = "2026-03-09\n08:10 user: Please open port 47115.";
    const again = summariseOffline(condensed([before, told]), options(200));
    expect(again).toContain("08:47 assistant: Port 47115 is open now.");
  });

  it("stays whole at the smallest target", () => {
    const small = summariseOffline(leaf(between(TALK)), options(1));
    expect(small).toMatch(
      /^2026-03-09 .*\nExpand for details about: |Files: none\nExpand for details about: /m,
    );
    expect(estimateTokens(small)).toBeLessThanOrEqual(SMALLEST);
  });
});

describe("a condensed summary", () => {
  const child = (day: number, lines: readonly string[], files: string, topics: string) =>
    [
      `2026-03-0${day} 08:00 – 18:00`,
      ...lines,
      `Files: ${files}`,
      `Expand for details about: ${topics}`,
    ].join("\n");

  it("merges files, and the newest open tasks stand", () => {
    const source = condensed([
      child(1, ["Open tasks: Alpha; Beta"], "created src/{a.ts, b.ts}; read c.ts", "one"),
      child(2, ["Open tasks: Beta"], "modified src/a.ts, c.ts; deleted src/b.ts", "two"),
    ]);
    const lines = summariseOffline(source, options(300)).split("\n");
    expect(lines).toContain("Files: created src/a.ts; modified c.ts; deleted src/b.ts");
    expect(lines).toContain("Open tasks: Beta");
    expect(lines.at(-1)).toBe("Expand for details about: two; one");
  });

  it("forgets tasks that its newest source no longer names", () => {
    const source = condensed([
      child(1, ["Open tasks: Alpha"], "none", "one"),
      child(2, ["08:10 user: All done, the port is 47115."], "none", "two"),
    ]);
    expect(summariseOffline(source, options(300))).not.toContain("Alpha");
  });

  it("says once what its sources say twice", () => {
    const rule = "08:10 user: Never write to /mnt/archive, the only copy of the raw night files.";
    const text = summariseOffline(
      condensed([child(1, [rule], "none", "a"), child(2, [rule], "none", "b")]),
      options(96),
    );
    expect(text.split("Never write").length - 1).toBe(1);
  });

  it("drops older detail before newer, and neither before a rule", () => {
    const detail = (day: number) =>
      `1${day}:00 assistant: The measurement of day ${day} gave ${day}.25 V at the mast box input.`;
    const days = [1, 2, 3, 4, 5, 6, 7, 8];
    const rule = "08:05 user: You must never restart lantern-ingest.service at night.";
    const text = summariseOffline(
      condensed(days.map((day) => child(day, [...(day === 1 ? [rule] : []), detail(day)], "none", "x"))),
      options(130),
    );
    expect(text).toContain("You must never restart lantern-ingest.service at night.");
    expect(text).toContain("8.25 V");
    expect(text).not.toContain("2.25 V");
  });

  it.each([
    [1, "08:47 user: The port is 47115."],
    [2, "morning user: The port is 47115."],
    [3, "user: The port is 47115."],
  ])("at depth %i tells time as exactly as %j", (depth, line) => {
    const text = summariseOffline(
      condensed([child(1, ["08:47 user: The port is 47115."], "none", "x")], depth),
      options(200),
    );
    expect(text.split("\n")).toContain(line);
  });

  it("tells one time for each half hour: that of its first line, so that it begins when its source begins", () => {
    const lines = [
      "08:47 user: The port is 47115.",
      "08:55 assistant: Now 47116 is open.",
      "09:02 user: Close 47117.",
    ];
    const text = summariseOffline(condensed([child(1, lines, "none", "x")]), options(200));
    expect(text.split("\n").slice(2, 5)).toEqual([
      "08:47 user: The port is 47115.",
      "assistant: Now 47116 is open.",
      "09:02 user: Close 47117.",
    ]);
  });

  it("leaves thoughts and the indexes of its sources out, which its own index gives back", () => {
    const lines = [
      "08:10 user: Never write to /mnt/archive, the only copy of the raw night files.",
      "08:20 thinking: Maybe I must look at /srv/zebra.txt again.",
      "Also: VX-40417-KITTIWAKE; Keep port 47115 closed, always; DO NOT respond to these messages.</local-command-caveat>",
    ];
    const source = condensed([child(1, lines, "none", "a")]);
    const text = summariseOffline(source, options(400));
    expect(text).toContain("Never write to /mnt/archive");
    expect(text).not.toMatch(/zebra|Also:|DO NOT respond/);
    const { missing } = checkFidelity(renderSource(source, { timezone: "UTC", limits: NO_LIMITS }), text);
    expect(missing.map((anchor) => anchor.text)).toEqual(
      expect.arrayContaining(["VX-40417-KITTIWAKE", "Keep port 47115 closed, always"]),
    );
    expect(missing.map((anchor) => anchor.text).join()).not.toMatch(/zebra|thinking|DO NOT respond/);
  });

  it("is measured by what people said in its sources more than by what tools printed", () => {
    const said = "08:10 user: The debug port is 47115.";
    const printed = "08:12 tool: The label is VX-40417-KITTIWAKE.";
    const source = condensed([child(1, [said, printed], "created src/zebra.ts", "a")]);
    const rendered = renderSource(source, { timezone: "UTC", limits: NO_LIMITS });
    expect(checkFidelity(rendered, said).score).toBeGreaterThan(0.7);
    expect(checkFidelity(rendered, printed).score).toBeLessThan(0.3);
  });

  it("keeps thoughts where there is nothing else", () => {
    const source = condensed([child(1, ["08:20 thinking: The port is 47115."], "none", "a")]);
    expect(summariseOffline(source, options(200))).toContain("The port is 47115.");
  });

  it("reads what a model wrote as prose", () => {
    const text = summariseOffline(
      condensed([
        "Maren set the rule: never write to /mnt/archive. The port is 47115.\nFiles: modified `a.ts`\nExpand for details about: logs",
      ]),
      options(200),
    );
    expect(text).toContain("Maren set the rule: never write to /mnt/archive. The port is 47115.");
    expect(text).toContain("a.ts");
  });
});

const arbitraryPart = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string({ unit: "binary", maxLength: 400 }) }),
  fc.record({
    type: fc.constant("reasoning" as const),
    text: fc.string({ unit: "grapheme", maxLength: 200 }),
  }),
  fc.record({
    type: fc.constant("tool" as const),
    callId: fc.option(fc.constantFrom("a", "b")),
    name: fc.option(fc.constantFrom("Read", "bash", "apply_patch", "x")),
    status: fc.constantFrom("completed" as const, "error" as const),
    input: fc.option(fc.oneof(fc.json(), fc.string(), fc.constant('{"command":"rm -r /a/b > /c.txt"}'))),
    output: fc.option(fc.string({ unit: "grapheme", maxLength: 300 })),
  }),
) satisfies fc.Arbitrary<Part>;
const arbitraryMessages = fc
  .array(
    fc.tuple(
      fc.constantFrom("user", "assistant", "tool", "system"),
      fc.array(arbitraryPart, { maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((list) => list.map(([role, parts], i) => message(i + 1, role, ...parts)));

describe("any source", () => {
  it("stays within the target, gives the same text twice, and invents nothing", () => {
    fc.assert(
      fc.property(arbitraryMessages, fc.integer({ min: SMALLEST, max: 400 }), (messages, target) => {
        const text = summariseOffline(leaf(messages), options(target));
        expect(estimateTokens(text)).toBeLessThanOrEqual(target);
        expect(summariseOffline(leaf(messages), options(target))).toBe(text);
        expect(text).toContain("Expand for details about: ");
      }),
    );
  });

  it("gives up its least statements to a tokenizer that counts the whole higher than its parts", () => {
    const facts = Array.from(
      { length: 12 },
      (_, i) => `Some neighbour number ${i} spoke about gardening for a while.`,
    );
    const messages = ["Never write to /mnt/archive.", ...facts].map((text, i) =>
      message(i + 1, "user", text),
    );
    const countTokens = (text: string) => Math.ceil(text.length / 4) + (text.length > 400 ? 60 : 0);
    const text = summariseOffline(leaf(messages), { targetTokens: 150, countTokens, timezone: "UTC" });
    expect(countTokens(text)).toBeLessThanOrEqual(150);
    expect(text).toContain("Never write to /mnt/archive.");
    expect(text).toContain("Files: none");
  });

  it("of summaries stays within the target", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 500 }), { maxLength: 6 }),
        fc.integer({ min: SMALLEST, max: 300 }),
        (texts, target) => {
          expect(estimateTokens(summariseOffline(condensed(texts), options(target)))).toBeLessThanOrEqual(
            target,
          );
        },
      ),
    );
  });

  it("is summarised without inventing anything", () => {
    const messages = between([
      "Its label says VX-40417-KITTIWAKE, 1087.5 V, since 2026-04-21, see /srv/a/b.txt.",
      "Der Port ist 47115.",
    ]);
    const text = summariseOffline(leaf(messages), options(300));
    expect(
      checkFidelity(renderSource(leaf(messages), { timezone: "UTC", limits: NO_LIMITS }), text).invented,
    ).toEqual([]);
  });

  it.each([
    "a",
    "1 ",
    ". ",
    "a. ",
    "`",
    "禁止。",
    "\n",
    "- x\n",
    "not 1, ",
    "|a|\n",
    "<a>",
    "error: x\n",
    "😀",
    "A1-B2 ",
  ])("takes linear time on 200 kB of %j", (piece) => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const messages = [
      message(1, "user", text),
      message(2, "assistant", call("a", "bash", { command: text })),
      message(3, "tool", result("a", text, "error")),
    ];
    const start = process.cpuUsage();
    summariseOffline(leaf(messages), options(2_400));
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(4_000);
  });
});

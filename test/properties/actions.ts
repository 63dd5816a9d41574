/** What a caller of the library can do, as random data. Few names, so that calls meet each other. */
import fc from "fast-check";
import { type FileChange, fileChange } from "./file-changes.ts";

export type Action =
  | {
      readonly do: "say";
      readonly session: string;
      readonly key: string;
      /** Positions in `SAYINGS`. */
      readonly sayings: readonly number[];
      /** The host names its messages itself, and may use a name again. */
      readonly named: boolean;
    }
  | { readonly do: "file"; readonly name: string; readonly changes: readonly FileChange[] }
  | { readonly do: "erase"; readonly target: number; readonly from: number; readonly length: number }
  | { readonly do: "rename"; readonly target: number; readonly title: string }
  | { readonly do: SimpleChange; readonly target: number };

const SIMPLE_CHANGES = ["archive", "unarchive", "clear", "retire", "delete"] as const;
export type SimpleChange = (typeof SIMPLE_CHANGES)[number];

/** Short fields that are too much together. */
const RECORDS = Array.from({ length: 90 }, (_, id) => ({ id, name: `é "${id}" 😀`, half: "\ud800" }));

/** The same objects each time, so that the same saying is the same message. */
export const SAYINGS: readonly object[] = [
  { role: "user", content: "ok" },
  { role: "user", content: "no" },
  { role: "assistant", content: [{ type: "text", text: "many words ".repeat(200) }] },
  { role: "user", content: [{ type: "file", mediaType: "image/png", data: Uint8Array.of(0, 255, 10, 13) }] },
  { role: "assistant", content: "\0 \ud800 \ufeff \r\n 😀" },
  { role: "tool", tool_call_id: "c0", content: 'a line of a "result" 😀\n'.repeat(150) },
  { role: "tool", tool_call_id: "c1", content: "a result that lies beside the database. ".repeat(3_000) },
  { role: "user", content: `see <file name="a.csv">${"1,two,3\n".repeat(400)}</file> and answer` },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "c2", toolName: "t", output: { type: "json", value: RECORDS } },
      { type: "tool-result", toolCallId: "c3", toolName: "t", output: { type: "text", value: "done" } },
    ],
  },
];

/** With these, some of the sayings are kept apart from their messages. */
export const APART = { toolOutputStubBytes: 2_000, largeFileTokenThreshold: 500 };

const target = fc.nat(20);

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      session: fc.constantFrom("s0", "s1"),
      key: fc.constantFrom("t0", "t1", "t2", "t3", "t4", "t5"),
      sayings: fc.array(fc.nat(SAYINGS.length - 1), { minLength: 1, maxLength: 3 }),
      named: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("file" as const),
      name: fc.constantFrom("f0", "f1"),
      changes: fc.array(fileChange, { maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("erase" as const), target, from: fc.nat(8), length: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("rename" as const),
      target,
      title: fc.constantFrom("one", "two"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom(...SIMPLE_CHANGES), target }) },
);

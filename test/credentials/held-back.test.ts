/** How many credentials of shapes that nobody worked with are shown: a limit that was reached, and may only fall. */
import { expect, it } from "vitest";
import { HELD_BACK_SHAPES } from "./held-back-shapes.ts";
import { countShown, type ShownPlace } from "./shown-unasked.ts";

const MOST_SHOWN: Readonly<Record<ShownPlace, number>> = {
  "file name": 2,
  "heading of a file": 2,
  "cell of a table": 0,
  "setting in a file": 0,
  "tool argument": 0,
  "tool name": 0,
  "first sentence": 3,
  "heading of a message": 3,
  "command in a summary": 3,
  "path in a summary": 3,
  title: 3,
  error: 4,
  log: 3,
};

it("few credentials of the second list are shown at any place", { timeout: 300_000 }, async () => {
  expect(HELD_BACK_SHAPES.length).toBeGreaterThanOrEqual(40);
  const shown = [...(await countShown(HELD_BACK_SHAPES))];
  expect(shown.filter(([place, kinds]) => kinds.length > MOST_SHOWN[place])).toEqual([]);
});

/** Looking into files finds exactly what reading everything finds, page by page, however lines are cut into parts. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileHit } from "../../src/context/retrieve/files/file-hit.ts";
import { lineFinder } from "../../src/context/retrieve/files/line-finder.ts";
import { searchFiles } from "../../src/context/retrieve/files/search-files.ts";
import { matcherOf } from "../../src/context/retrieve/grep-messages.ts";
import { type Engine, open } from "../../src/index.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { type Asked, asked, bytesOfCase, type FileCase, fileCase, foundIn } from "./file-material.ts";

/** Small, so that most lines have several parts. */
const SIZES = { longest: 24, part: 40, around: 96 };
const SNIPPET = 12;
const RUNS = { sqlite: times({ short: 60, long: 2_500 }), postgres: times({ short: 20, long: 600 }) };

describe.each(ENGINES)("looking into files on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let files = 0;

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const attach = async (bytes: Buffer) => {
    async function* content() {
      yield bytes;
    }
    return engine.context.files.attach({ conversation: `file ${files++}`, open: content });
  };

  const allHits = async (conversation: string, question: Asked, limit: number, sizes = SIZES) => {
    const hits: FileHit[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await searchFiles(engine.store.scoped(DEFAULT_SCOPE), {
        finder: lineFinder(await matcherOf(question)),
        conversations: new Set([conversation]),
        ...{ limit, cursor, asked: JSON.stringify(question), snippetLength: SNIPPET, sizes },
      });
      hits.push(...page.hits);
      expect(page.hits.length).toBeLessThanOrEqual(limit);
      if (page.next === null) return hits;
      cursor = page.next;
    }
  };

  const compare = async (file: FileCase, question: Asked, limit: number) => {
    const { conversation } = await attach(bytesOfCase(file));
    const expected = foundIn(file, question, { longest: SIZES.longest, length: SNIPPET });
    const hits = await allHits(conversation, question, limit);
    expect(hits.map(({ line, byte }) => [line, byte])).toEqual(
      expected.map(({ line, byte }) => [line, byte]),
    );
    for (const [i, { snippet }] of hits.entries()) {
      const first = expected[i]?.first ?? [];
      if (!first.includes(""))
        expect(first).toContain(snippet.text.slice(snippet.marks[0]?.start, snippet.marks[0]?.end));
    }
  };

  it("finds what reading everything finds", REPEATED, async () => {
    await fc.assert(fc.asyncProperty(fileCase, asked, fc.integer({ min: 1, max: 7 }), compare), {
      numRuns: RUNS[name],
    });
  });
});

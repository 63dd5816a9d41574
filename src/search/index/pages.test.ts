import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes } from "../../text/bytes.ts";
import { PageWriter, readPages, readTerms } from "./pages.ts";
import type { TermPostings } from "./term-entries.ts";

const letters = fc.uint8Array({ minLength: 1, maxLength: 6, max: 9 });
/** Tool names may have any length. */
const term = fc.oneof(
  { weight: 9, arbitrary: letters },
  fc.uint8Array({ minLength: 600, maxLength: 900, max: 3 }),
);
const entries = fc
  .uniqueArray(fc.record({ term, documents: fc.nat(300), postings: fc.uint8Array({ maxLength: 900 }) }), {
    selector: ({ term: own }) => own.join(),
    maxLength: 60,
  })
  .map((unsorted) => unsorted.toSorted((a, b) => compareBytes(a.term, b.term)));

function written(terms: readonly TermPostings[]) {
  const writer = new PageWriter();
  for (const entry of terms) writer.addTerm(entry);
  writer.finishPage();
  return writer.pages;
}

describe("pages of terms", () => {
  it("give back what was written, in order", () => {
    fc.assert(
      fc.property(entries, (terms) => {
        expect([...readPages(written(terms))]).toEqual(terms);
      }),
    );
  });

  it("give back the terms of a range, and no other", () => {
    fc.assert(
      fc.property(entries, letters, letters, (terms, from, to) => {
        const found = written(terms).flatMap(({ page }) => [...readTerms(page, from, to)]);
        const isInside = ({ term: own }: TermPostings) =>
          compareBytes(own, from) >= 0 && compareBytes(own, to) <= 0;
        expect(found).toEqual(terms.filter(isInside));
      }),
    );
  });

  it("come to an end when they are damaged", () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(255), (terms, place, byte) => {
        for (const { page } of written(terms)) {
          page[place % page.length] = byte;
          expect([...readTerms(page, Uint8Array.of(0), Uint8Array.of(255))].length).toBeLessThan(
            page.length + 1,
          );
        }
      }),
    );
  });
});

import type { Receipt } from "../src/index.ts";

/** What an assembly of nothing would give. */
export const SAMPLE_RECEIPT: Receipt = {
  renderer: 1,
  format: "original",
  budget: 100,
  tokens: 0,
  shown: [],
  left: 0,
  hash: "",
};

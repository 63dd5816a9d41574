/** Whatever the tests put into the system's temporary folder lies in one folder, which goes when they are done. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { printFaults } from "./fault-table.ts";

/** Servers that tests start run as somebody else, and must come through. */
const MAY_PASS = 0o711;

export default function setUp(): () => void {
  const folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-tests-"));
  chmodSync(folder, MAY_PASS);
  process.env.TMPDIR = folder;
  return () => {
    printFaults(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

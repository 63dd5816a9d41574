/** Copies the readable rows of a damaged database to a file beside it, where the contents of files are found. The database is not changed. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type Salvaged, salvage } from "./salvage.ts";

export interface SalvagedCopy extends Salvaged {
  readonly copy: string;
  readonly remove: () => void;
}

/** `why`: the error to throw if no copy can be made, for example on a read-only disk. */
export function salvageBeside(file: string, why?: Error): SalvagedCopy {
  const copy = `${file}.salvage-${randomBytes(8).toString("hex")}`;
  const remove = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  };
  try {
    return { ...salvage(file, copy), copy, remove };
  } catch (error) {
    remove();
    throw why ?? error;
  }
}

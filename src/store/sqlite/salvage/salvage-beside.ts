/** A copy of what can be read of a damaged database, beside it, so that it finds the contents of files. The database is left as it is. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type Salvaged, salvage } from "./salvage.ts";

export interface SalvagedCopy extends Salvaged {
  readonly copy: string;
  readonly remove: () => void;
}

/** `why`: what is thrown where no copy can be made, such as on a disk that may only be read. */
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

/** A program: runs the examples that its arguments name, one after the other, each in the folder of the same name. */
import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2)) {
  process.chdir(file.replace(/\.ts$/, ""));
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    throw new Error(`${file} failed`, { cause: error });
  }
}

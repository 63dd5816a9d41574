/** A process that has a store open, and reads in it, until its input ends. */
import { open } from "../../src/engine.ts";

const [store = "", conversation = ""] = process.argv.slice(2);
const engine = await open({ store, background: "off" });
await engine.context.read({ conversation });
process.stdout.write("open\n");
for await (const _ of process.stdin);
await engine.close();

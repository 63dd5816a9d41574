/** A separate process with viewers of live changes: `node bench/live-viewers.ts <url> <token> <how many>`. */
import { createClient } from "../src/http/client.ts";

const [url = "", token = "", howMany = "200"] = process.argv.slice(2);
const client = createClient({ url, token });
let seen = 0;
const view = async () => {
  for await (const _ of client.changes()) seen++;
};
for (let viewer = 0; viewer < Number(howMany); viewer++) void view().catch(() => process.exit(1));
process.on("message", () => process.send?.({ seen }));

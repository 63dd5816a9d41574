/** Opens the store that is named and says how that ended: for a test that needs another user's rights. */
import { isPalimpsestError, open } from "../../src/index.ts";

const [store = ""] = process.argv.slice(2);
try {
  await (await open({ store })).close();
  console.log("opened");
} catch (error) {
  if (!isPalimpsestError(error)) throw error;
  console.log(error.code);
}

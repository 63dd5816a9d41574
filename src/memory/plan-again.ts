/** Plans again after a conflict with another process. */
import { isPalimpsestError } from "../errors.ts";

const TRIES = 8;

export async function planAgain<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === TRIES || !isPalimpsestError(error, "busy")) throw error;
    }
  }
}

/** One progress line on standard error, which is overwritten as work continues and removed when it is done. */

import { oneLine } from "../text/escape-controls.ts";
import { fitWidth } from "../text/terminal/display-width.ts";
import type { Terminal } from "./terminal.ts";

const INTERVAL_MS = 80;
const CLEAR = "\r\u001b[2K";

export class ProgressLine {
  readonly #terminal: Terminal;
  #shownAt = 0;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    const now = Date.now();
    if (!this.#terminal.isProgressShown || this.#terminal.isPaging || now - this.#shownAt < INTERVAL_MS)
      return;
    this.#shownAt = now;
    this.#isShown = true;
    this.#terminal.control(CLEAR + fitWidth(oneLine(text), this.#terminal.errorLook().columns - 1));
  }

  clear(): void {
    if (this.#isShown) this.#terminal.control(CLEAR);
    this.#isShown = false;
  }
}

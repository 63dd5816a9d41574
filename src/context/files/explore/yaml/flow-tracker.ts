/** Finds the end of a quoted text or flow collection that may span lines, reading each character once. */
export class FlowTracker {
  #depth = 0;
  #quote = "";
  #isEscaped = false;
  #before = "";

  /** The position after its end in this piece; -1 if it continues. */
  end(piece: string): number {
    for (let i = 0; i < piece.length; i++) {
      const sign = piece.charAt(i);
      this.#look(sign);
      this.#before = sign;
      // A doubled single quote reopens the text that it seemed to close.
      if (this.#depth <= 0 && this.#quote === "" && !(sign === "'" && piece.charAt(i + 1) === "'"))
        return i + 1;
    }
    return -1;
  }

  #look(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#quote !== "") {
      if (sign === this.#quote) this.#quote = "";
      else if (sign === "\\" && this.#quote === '"') this.#isEscaped = true;
    } else if (sign === '"' || sign === "'") {
      if (this.#before === "" || this.#before === sign || /[\s{[,:]/.test(this.#before)) this.#quote = sign;
    } else if (sign === "{" || sign === "[") this.#depth++;
    else if (sign === "}" || sign === "]") this.#depth--;
  }
}

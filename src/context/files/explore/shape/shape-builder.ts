/** Makes a shape of the events of a structured file. Levels below the deepest described one are only counted. */
import type { ValueType } from "../value-type.ts";
import { Shape, ShapeBudget } from "./shape.ts";

/** What reads a structured file tells these, in the order of the file. */
export interface StructureVisitor {
  beginObject(): void;
  beginArray(): void;
  key(name: string): void;
  /** Of a long text only the beginning is given. */
  scalar(type: ValueType, text: string, length: number): void;
  /** The end of the object or array that began last. */
  end(): void;
  /** The record at hand is broken and will not go on. */
  abandon(): void;
}

const DEEPEST_DESCRIBED = 14;

interface Frame {
  readonly shape: Shape | null;
  readonly isObject: boolean;
  size: number;
  key: string;
}

export class ShapeBuilder implements StructureVisitor {
  readonly root = new Shape();
  deepest = 0;
  #depth = 0;
  readonly #frames: Frame[] = [];
  readonly #budget = new ShapeBudget();

  beginObject(): void {
    this.#begin(true);
  }

  beginArray(): void {
    this.#begin(false);
  }

  key(name: string): void {
    const frame = this.#frame();
    if (frame !== undefined) frame.key = name;
  }

  scalar(type: ValueType, text: string, length: number): void {
    const shape = this.#place();
    if (shape === null) return;
    shape.seen++;
    shape.scalars().addTyped(type, text, length);
  }

  end(): void {
    if (this.#depth === this.#frames.length) this.#close(this.#frames.pop());
    this.#depth--;
  }

  abandon(): void {
    while (this.#frames.length > 0) this.#close(this.#frames.pop());
    this.#depth = 0;
  }

  #begin(isObject: boolean): void {
    const shape = this.#place();
    this.#depth++;
    if (this.#depth > this.deepest) this.deepest = this.#depth;
    if (this.#frames.length + 1 !== this.#depth || this.#depth > DEEPEST_DESCRIBED) return;
    if (shape !== null) {
      shape.seen++;
      if (isObject) shape.objects++;
      else shape.arrays++;
    }
    this.#frames.push({ shape, isObject, size: 0, key: "" });
  }

  /** The frame that is open right now, unless it lies too deep. */
  #frame(): Frame | undefined {
    return this.#depth === this.#frames.length ? this.#frames.at(-1) : undefined;
  }

  /** Where the value that comes next belongs. */
  #place(): Shape | null {
    if (this.#depth === 0) return this.root;
    const frame = this.#frame();
    if (frame === undefined) return null;
    frame.size++;
    if (frame.shape === null) return null;
    if (frame.isObject) return frame.shape.field(frame.key, this.#budget, this.#depth);
    frame.shape.element ??= this.#budget.take(this.#depth);
    return frame.shape.element;
  }

  #close(frame: Frame | undefined): void {
    if (frame?.shape == null) return;
    const { shape, size } = frame;
    if (frame.isObject) {
      shape.mostKeys = Math.max(shape.mostKeys, size);
    } else {
      shape.elements += size;
      shape.mostElements = Math.max(shape.mostElements, size);
      shape.fewestElements = Math.min(shape.fewestElements, size);
    }
  }
}

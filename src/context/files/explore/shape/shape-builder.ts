/** Builds a shape from the events of a structured file. Levels below the deepest described one are only counted. */
import type { ValueType } from "../value-type.ts";
import { Shape, ShapeBudget } from "./shape.ts";

/** The events of a structured file, in order. */
export interface StructureVisitor {
  beginObject(): void;
  beginArray(): void;
  key(name: string): void;
  /** Only the beginning of a long text is passed. */
  scalar(type: ValueType, text: string, length: number): void;
  /** The end of the innermost open object or array. */
  end(): void;
  /** The current record is broken and will not continue. */
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

  /** The innermost open frame, unless it is too deep. */
  #frame(): Frame | undefined {
    return this.#depth === this.#frames.length ? this.#frames.at(-1) : undefined;
  }

  /** The shape of the next value. */
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

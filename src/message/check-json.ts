/**
 * Checks whether JSON preserves a value. The usual case takes one walk without paths or sets. Only if
 * something would be lost, a second walk locates it and names its place and the remedy.
 */
import { PalimpsestError } from "../errors.ts";
import { isBinary } from "./tag-binary.ts";

/** `plain`: JSON preserves it. `binary`: JSON preserves it once bytes and URLs are tagged. `lossy`: something would be lost. */
type JsonFit = "plain" | "binary" | "lossy";

/** Maximum nesting of objects and arrays. Far above any message, far below the stack limit. */
export const MAX_NESTING = 1_000;

export function fitOf(value: unknown, depth = 1): JsonFit {
  switch (typeof value) {
    case "string":
    case "boolean":
      return "plain";
    case "number":
      return Number.isFinite(value) ? "plain" : "lossy";
    case "object":
      return value === null ? "plain" : fitOfObject(value, depth);
    default:
      return "lossy";
  }
}

function fitOfObject(value: object, depth: number): JsonFit {
  if (depth > MAX_NESTING) return "lossy";
  if (Array.isArray(value)) return fitOfArray(value, depth);
  if (!isPlainObject(value)) return isBinary(value) ? "binary" : "lossy";
  let fit: JsonFit = "plain";
  for (const key of Object.keys(value)) {
    const child = value[key];
    // JSON omits undefined properties. That loses nothing, because no API distinguishes undefined from absent.
    const childFit = child === undefined ? "plain" : fitOf(child, depth + 1);
    if (childFit === "lossy") return "lossy";
    if (childFit === "binary") fit = "binary";
  }
  return hasSymbolKeys(value) ? "lossy" : fit;
}

function fitOfArray(items: readonly unknown[], depth: number): JsonFit {
  if (!isPlainArray(items)) return "lossy";
  let fit: JsonFit = "plain";
  for (let i = 0; i < items.length; i++) {
    const itemFit = fitOf(items[i], depth + 1);
    if (itemFit === "lossy") return "lossy";
    if (itemFit === "binary") fit = "binary";
  }
  return fit;
}

/** An object literal, also from another realm or without a prototype; not a class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isForeignObjectPrototype(prototype);
}

function isForeignObjectPrototype(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(Object(prototype), "isPrototypeOf");
}

/** Excludes subclasses and arrays with named properties, such as the result of `String.match`. */
function isPlainArray(items: readonly unknown[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(items);
  const isArray = prototype === Array.prototype || isForeignObjectPrototype(Object.getPrototypeOf(prototype));
  return isArray && Object.keys(items).length <= items.length && !hasSymbolKeys(items);
}

function hasSymbolKeys(value: object): boolean {
  return Object.getOwnPropertySymbols(value).length > 0;
}

/** Throws for the first value that JSON would lose. Call it when `fitOf` says `lossy`. */
export function refuseLoss(value: unknown, place: string, ancestors: readonly object[] = []): void {
  const loss = lossOf(value, ancestors);
  if (loss !== undefined)
    throw new PalimpsestError("invalid-input", `${shortened(place)} ${loss.problem}`, {
      advice: loss.advice,
    });
  if (Array.isArray(value)) {
    const inside = [...ancestors, value];
    for (let i = 0; i < value.length; i++) refuseLoss(value[i], `${place}[${i}]`, inside);
  } else if (isPlainObject(value)) {
    const inside = [...ancestors, value];
    for (const [key, child] of Object.entries(value))
      if (child !== undefined) refuseLoss(child, placeOf(place, key), inside);
  }
}

const LONGEST_PLACE = 200;

/** The path of a deeply nested value is very long. */
function shortened(place: string): string {
  return place.length <= LONGEST_PLACE ? place : `${place.slice(0, LONGEST_PLACE)}…`;
}

function placeOf(place: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${place}.${key}` : `${place}[${JSON.stringify(key)}]`;
}

interface Loss {
  readonly problem: string;
  readonly advice: string;
}

function lossOf(value: unknown, ancestors: readonly object[]): Loss | undefined {
  switch (typeof value) {
    case "number":
      if (Number.isFinite(value)) return undefined;
      return { problem: `is ${value}, which JSON cannot represent`, advice: "Use null or a string." };
    case "bigint":
      return { problem: "is a bigint", advice: "Use a string, or a number when it is small enough." };
    case "undefined":
      return { problem: "is undefined inside an array", advice: "Use null, or omit the item." };
    case "function":
    case "symbol":
      return { problem: `is a ${typeof value}`, advice: "Omit it: a message can contain only data." };
    case "object":
      return value === null ? undefined : lossOfObject(value, ancestors);
    default:
      return undefined;
  }
}

function lossOfObject(value: object, ancestors: readonly object[]): Loss | undefined {
  if (ancestors.includes(value))
    return { problem: "is a circular reference", advice: "Pass a copy without the cycle." };
  if (ancestors.length >= MAX_NESTING)
    return {
      problem: `is nested deeper than ${MAX_NESTING}`,
      advice: "Flatten it, or pass it as JSON text.",
    };
  if (isBinary(value)) return undefined;
  const isPlain = Array.isArray(value) ? isPlainArray(value) : isPlainObject(value);
  if (isPlain && !hasSymbolKeys(value)) return undefined;
  return lossOfInstance(value);
}

function lossOfInstance(value: object): Loss {
  if (hasSymbolKeys(value))
    return { problem: "has a symbol as a key", advice: "Use strings as keys: JSON omits symbols." };
  if (value instanceof Date) return { problem: "is a Date", advice: "Use date.toISOString()." };
  if (value instanceof Map) return { problem: "is a Map", advice: "Use Object.fromEntries(map)." };
  if (value instanceof Set) return { problem: "is a Set", advice: "Use [...set]." };
  if (ArrayBuffer.isView(value))
    return {
      problem: "is a typed array that is not a Uint8Array",
      advice: "Pass its bytes as a Uint8Array.",
    };
  if (Array.isArray(value))
    return { problem: "is an array with properties of its own", advice: "Pass a plain array: [...items]." };
  return { problem: `is an instance of ${classOf(value)}`, advice: "Pass a plain object: { ...value }." };
}

function classOf(value: object): string {
  const made: unknown = value.constructor;
  return typeof made === "function" && made.name !== "" ? made.name : "a class";
}

/** The type of a value written as text. */
export type ValueType = "empty" | "integer" | "number" | "date" | "boolean" | "text";

const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const MONTH = /^\d{4}-\d{2}$/;
const BOOLEANS = new Set([
  "true",
  "false",
  "True",
  "False",
  "TRUE",
  "FALSE",
  "yes",
  "no",
  "Yes",
  "No",
  "YES",
  "NO",
]);
const EMPTIES = new Set([
  "null",
  "NULL",
  "None",
  "NA",
  "N/A",
  "n/a",
  "NaN",
  "nan",
  "nil",
  "-",
  "\\N",
  "#N/A",
]);
const LONGEST_NUMBER = 40;

export function valueType(value: string): ValueType {
  if (value === "") return "empty";
  const first = value.charCodeAt(0);
  if (isDigit(first) || ((first === 45 || first === 43 || first === 46) && value.length > 1))
    return numeric(value);
  if (value.length > 5) return "text";
  if (BOOLEANS.has(value)) return "boolean";
  return EMPTIES.has(value) ? "empty" : "text";
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** Digits with at most one point and one exponent, found in one pass; or a date; or text that begins with a digit. */
function numeric(value: string): ValueType {
  if (value.length > LONGEST_NUMBER) return "text";
  let i = isDigit(value.charCodeAt(0)) ? 0 : 1;
  if (value.charCodeAt(0) === 46) i = 0;
  const whole = i;
  while (isDigit(value.charCodeAt(i))) i++;
  if (i === value.length && i > whole)
    return value.charCodeAt(whole) === 48 && i - whole > 1 ? "text" : "integer";
  const point = i;
  if (value.charCodeAt(i) === 46) while (isDigit(value.charCodeAt(++i)));
  if (i === value.length) return i - whole > 1 ? "number" : "text";
  if (i > point || i > whole) {
    const exponent = value.charCodeAt(i) | 32;
    if (exponent === 101 && /^[eE][+-]?\d{1,4}$/.test(value.slice(i))) return "number";
  }
  return DATE.test(value) || MONTH.test(value) ? "date" : "text";
}

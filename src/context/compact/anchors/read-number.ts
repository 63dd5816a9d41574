/** Numbers as people write them: thousands separators of either convention, signs, currencies, units. */

/** Units worth reading with the number before them; most have at most two letters, like few words of prose. */
const UNITS = new Set(
  (
    "% ‰ ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month months year years " +
    "b kb mb gb tb kib mib gib bytes byte bit bits k m g px em rem pt dpi fps hz khz mhz ghz v mv kv a ma w kw kwh wh ω ohm " +
    "f µf μf uf nf pf nm µm μm mm cm km kg mg µg l ml °c °f k deg degree degrees mag baud bps kbps mbps gbps rpm bar psi db " +
    "eur usd gbp chf jpy tokens lines rows files tests messages requests times percent " +
    "sekunden minuten stunden tage wochen monate jahre zeilen secondes minutes heures jours semaines mois ans lignes " +
    "segundos minutos horas días semanas meses años líneas"
  ).split(" "),
);

interface ReadNumber {
  readonly value: number;
  /** Attached to the number, lower case; may be empty. */
  readonly unit: string;
  readonly isWhole: boolean;
}

const NUMBER = /^[~+\-−]?[$€£¥]?(\d[\d.,_]*)([a-zµμω°%Ω]{0,8})$/i;

/** An ordinal is not a measurement. */
const ORDINAL = /^(?:st|nd|rd|th)$/i;

export function readNumber(token: string): ReadNumber | undefined {
  const match = NUMBER.exec(token);
  if (match === null) return undefined;
  const digits = plainDigits(match[1] ?? "");
  if (digits === undefined || ORDINAL.test(match[2] ?? "")) return undefined;
  return { value: Number(digits), unit: (match[2] ?? "").toLowerCase(), isWhole: !digits.includes(".") };
}

export function isUnit(word: string): boolean {
  return UNITS.has(word.toLowerCase());
}

/** Without separators and with a decimal point; undefined for versions, addresses and similar. */
function plainDigits(text: string): string | undefined {
  if (!/[._,]/.test(text)) return text;
  const bare = text.replaceAll("_", "").replace(/[.,]+$/, "");
  const dots = bare.split(".").length - 1;
  const commas = bare.split(",").length - 1;
  if (dots > 0 && commas > 0)
    return bare.lastIndexOf(",") > bare.lastIndexOf(".") ? decimal(bare, ".", ",") : decimal(bare, ",", ".");
  if (dots > 1) return /^\d{1,3}(\.\d{3})+$/.test(bare) ? bare.replaceAll(".", "") : undefined;
  if (commas > 0) return /^\d{1,3}(,\d{3})+$/.test(bare) ? bare.replaceAll(",", "") : decimal(bare, ".", ",");
  return bare;
}

function decimal(text: string, thousands: string, point: string): string | undefined {
  const plain = text.replaceAll(thousands, "").replace(point, ".");
  return /^\d+\.\d+$/.test(plain) ? plain : undefined;
}

/**
 * The possible difference between a number and its unrounded or truncated original: 3.4 s may be 3.41 s and 12,000 may be 12,345.
 * Whole numbers below 100 are assumed to be exact.
 */
export function roundingError(token: string): number {
  const digits = plainDigits(NUMBER.exec(token)?.[1] ?? "") ?? "";
  const point = digits.indexOf(".");
  if (point >= 0) return 10 ** -(digits.length - point - 1);
  const zeros = digits.length - digits.replace(/0+$/, "").length;
  return digits.length >= 3 ? 10 ** zeros / 2 : 0;
}

/** The factor of the letter in 10k or 2M. */
export function scaleOf(unit: string): number {
  return unit === "k" ? 1e3 : unit === "m" ? 1e6 : unit === "g" || unit === "b" ? 1e9 : 1;
}

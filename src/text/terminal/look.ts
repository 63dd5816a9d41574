/** Display settings for people: colours, time zone, line width. */
import { styleText } from "node:util";
import { escapeControls } from "../escape-controls.ts";
import { wrapLines } from "./wrap-lines.ts";

export type Style = Parameters<typeof styleText>[0];

export interface Look {
  /** Text in a style, if the terminal supports it. Control characters in it are made visible. */
  style(style: Style, text: string): string;
  /** `2026-03-01 10:02` in the configured time zone. */
  time(iso: string): string;
  /** Lines that fit the terminal, broken at spaces; further lines are indented by `hanging`. A pipe gets the text unchanged. */
  wrap(text: string, hanging?: number): string;
  readonly columns: number;
}

export function createLook(options: {
  readonly colour: boolean;
  readonly columns: number;
  /** Whether a person reads it in a terminal of this width. */
  readonly isTerminal: boolean;
  readonly timezone: string | undefined;
}): Look {
  let clock: Intl.DateTimeFormat | undefined;
  return {
    columns: options.columns,
    wrap: (text, hanging) => (options.isTerminal ? wrapLines(text, options.columns, hanging) : text),
    time: (iso) => {
      clock ??= createClock(options.timezone);
      return clock.format(Date.parse(iso));
    },
    style: (style, text) => {
      const safe = escapeControls(text);
      return options.colour ? styleText(style, safe) : safe;
    },
  };
}

/** The Swedish locale formats dates like ISO 8601. */
function createClock(timezone: string | undefined): Intl.DateTimeFormat {
  const zone = timezone === undefined ? {} : { timeZone: timezone };
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", ...zone });
}

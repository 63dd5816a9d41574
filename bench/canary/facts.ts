/**
 * Thirty facts that a long conversation mentions once each. `sentence` is the wording; `text` occurs in it word for
 * word and nowhere else in the conversation. A correction names the fact that it makes obsolete.
 */
export type FactKind = "identifier" | "number" | "path" | "constraint" | "correction";
export type Speaker = "user" | "assistant" | "tool";

export interface CanaryFact {
  readonly kind: FactKind;
  readonly by: Speaker;
  readonly text: string;
  readonly sentence: string;
  /** The text of the fact that this one replaces. */
  readonly supersedes?: string;
}

const fact = (
  kind: FactKind,
  by: Speaker,
  text: string,
  sentence: string,
  supersedes?: string,
): CanaryFact => ({
  kind,
  by,
  text,
  sentence: sentence.replace("%", text),
  ...(supersedes === undefined ? {} : { supersedes }),
});

/** In the order in which they are said. */
export const CANARY_FACTS: readonly CanaryFact[] = [
  fact(
    "identifier",
    "user",
    "FRY-77120-GANNET",
    "The contract for the new ferry is filed as %, in case the shipyard calls.",
  ),
  fact(
    "constraint",
    "user",
    "Never delete rows from the sailings table",
    "One rule for everything that follows: %, mark them as cancelled.",
  ),
  fact("number", "user", "248 passengers", "The Gannet is licensed for %, crew not counted."),
  fact(
    "path",
    "assistant",
    "/srv/harbour/etc/timetable.toml",
    "The summer timetable is read from % at start, and only then.",
  ),
  fact("identifier", "tool", "d41c7fa9e03b", "deployed revision % to harbour-api on pier-2"),
  fact("number", "tool", "pool_timeout = 17250", "effective setting: %"),
  fact(
    "constraint",
    "user",
    "do not restart harbour-api while a ship is boarding",
    "Please remember: %, the gates lose their state.",
  ),
  fact("number", "user", "34.50 EUR", "A day ticket with a bicycle costs % this season."),
  fact("path", "tool", "/var/spool/harbour/outbox-0417.mbox", "undelivered mail is kept in %"),
  fact(
    "identifier",
    "assistant",
    "TideGateController",
    "The class to look at is %; everything else only forwards to it.",
  ),
  fact(
    "constraint",
    "user",
    "invoices must stay in German and English",
    "The auditors insist that %, whatever else we translate.",
  ),
  fact(
    "number",
    "assistant",
    "1,180 milliseconds",
    "The slowest booking call took % at the 99th percentile before the change.",
  ),
  fact(
    "identifier",
    "user",
    "booking HX4-90233",
    "Mrs Okonkwo wrote again about %, her dog ticket was charged twice.",
  ),
  fact(
    "path",
    "assistant",
    "packages/gates/src/close-gate.ts",
    "I put the guard into %, right before the motor is stopped.",
  ),
  fact(
    "correction",
    "user",
    "31.90 EUR",
    "I was wrong about the price: the day ticket with a bicycle is % since May.",
    "34.50 EUR",
  ),
  fact("identifier", "tool", "ERR_GATE_INTERLOCK_09", "gate 3 refused to close: %"),
  fact("number", "user", "harbour channel 71", "The pilots listen on %, not on the one in the old manual."),
  fact(
    "constraint",
    "user",
    "all times on tickets are local time of the departure harbour",
    "Write this down: %, never UTC.",
  ),
  fact(
    "path",
    "user",
    "s3://harbour-archive/manifests/2031",
    "The old manifests were moved to % last winter.",
  ),
  fact(
    "correction",
    "assistant",
    "/srv/harbour/conf.d/timetable-v2.toml",
    "Since the move the timetable is no longer where I said: it is %.",
    "/srv/harbour/etc/timetable.toml",
  ),
  fact("identifier", "user", "ticket OPS-5518", "The flooding alarm is tracked in %; Ines owns it."),
  fact("number", "tool", "checksum 8f20-77b1-04ce", "firmware of the gate motor: %"),
  fact(
    "correction",
    "user",
    "212 passengers",
    "The licence came back today: the Gannet may carry only %.",
    "248 passengers",
  ),
  fact(
    "constraint",
    "user",
    "no deployments on Thursdays before the last ferry",
    "From the harbour master, and not open for discussion: %.",
  ),
  fact(
    "number",
    "assistant",
    "4.2 metres",
    "The lowest tide at which the east ramp can be used is %, measured at the outer gauge.",
  ),
  fact(
    "correction",
    "tool",
    "pool_timeout = 9400",
    "setting was changed at runtime: %",
    "pool_timeout = 17250",
  ),
  fact(
    "identifier",
    "assistant",
    "migration 0093_split_boarding_groups",
    "Everything that the gate report needs comes with %.",
  ),
  fact("path", "tool", "/opt/gauge/calibration/outer-2031-03.json", "using calibration %"),
  fact(
    "correction",
    "user",
    "HX4-90238",
    "About the dog ticket: I mistyped, the booking of Mrs Okonkwo is %.",
    "booking HX4-90233",
  ),
  fact(
    "number",
    "user",
    "19 October at 06:40",
    "The inspection by the class society is on %, at the dry dock.",
  ),
];

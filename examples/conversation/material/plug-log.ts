/** Readings of the metering plugs in the warm room, around the resets of one night. */
import { NIGHTS } from "./nights.ts";
import { seededRandom } from "./random.ts";
import { table } from "./table.ts";

export function plugLog(night: string): string {
  const outline = NIGHTS.find((candidate) => candidate.night === night);
  if (!outline) throw new Error(`no such night: ${night}`);
  const random = seededRandom(2180);
  const readings = outline.resets.flatMap((reset) => {
    const boil = Date.parse(reset.at) - (Date.parse(reset.at) % 60_000);
    return [-1, 0, 1, 2, 3, 4].map((minute) => ({
      minute: `${new Date(boil + minute * 60_000).toISOString().slice(0, 16)}Z`,
      plug: "warmroom-3",
      watts:
        minute >= 0 && minute <= 2 ? random.between(2164, 2203) : minute === 3 ? random.between(610, 940) : 0,
    }));
  });
  return `[\n${readings.map((reading) => `  ${JSON.stringify(reading)}`).join(",\n")}\n]`;
}

/** Ten-minute means of all plugs over the whole night: four boring columns and one that is not. */
export function plugOverview(night: string): string {
  const outline = NIGHTS.find((candidate) => candidate.night === night);
  if (!outline) throw new Error(`no such night: ${night}`);
  const random = seededRandom(1010);
  const boils = outline.resets.map((reset) => Date.parse(reset.at));
  const start = Date.parse(outline.startsAt);
  const rows: string[][] = [];
  for (let time = start; time < start + outline.slots * 10_000; time += 600_000) {
    const boiled = boils.some((boil) => boil >= time && boil < time + 600_000);
    rows.push([
      `${new Date(time).toISOString().slice(0, 16)}Z`,
      String(random.between(61, 64)),
      String(random.between(11, 13)),
      String(random.between(84, 97)),
      String(random.pick([0, 0, 0, 22, 23])),
      String(boiled ? random.between(716, 742) : 0),
    ]);
  }
  return table(["ten_minutes", "dome-1", "dome-2", "warmroom-1", "warmroom-2", "warmroom-3"], rows);
}

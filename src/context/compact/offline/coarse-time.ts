/** Times as exact as a summary of some depth needs them: the half hour, the part of the day, nothing. */
export function coarseTime(time: string, depth: number): string {
  if (time === "" || depth >= 3) return "";
  if (!/^\d{2}:\d{2}$/.test(time)) return depth >= 2 ? time : "";
  return depth >= 2
    ? partOfDay(Number(time.slice(0, 2)))
    : `${time.slice(0, 2)}:${time.slice(3) < "30" ? "00" : "30"}`;
}

function partOfDay(hour: number): string {
  if (hour < 5 || hour >= 22) return "night";
  if (hour < 12) return "morning";
  return hour < 18 ? "afternoon" : "evening";
}

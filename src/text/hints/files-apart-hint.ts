import { count, counted } from "../counted.ts";

/** Where a search found nothing: that there are files as well, and how they are searched. */
export function filesApartHint(
  apart: { readonly files: number; readonly large: number } | null,
  how: string,
): string {
  if (apart === null) return "";
  const large =
    apart.large === 0 ? "" : ` (${count(apart.large)} too large to be searched with their messages)`;
  const [are, them] = apart.files === 1 ? ["is", "it"] : ["are", "them"];
  return ` There ${are} also ${counted(apart.files, "file")}${large}; look inside ${them} with: ${how}`;
}

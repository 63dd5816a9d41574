/** The options for the packages of all providers. */
import type { ModelAccess } from "./model-access.ts";

/** Address and key are always given, so that the SDK does not look into the environment for either. */
export function optionsOf({ baseUrl, apiKey }: ModelAccess) {
  return { baseURL: baseUrl, fetch: fetchWithoutRedirects, ...(apiKey === null ? {} : { apiKey }) };
}

/** A redirect would carry key and conversation to a host that is not configured. */
export const fetchWithoutRedirects: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: "manual" });

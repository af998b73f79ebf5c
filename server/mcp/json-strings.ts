import type { Json } from "@/lib/json";

/** Maps every string, names included. */
export const mapStrings = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, change));

  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
};

/** Finds NUL, which Postgres cannot store. */
export const hasNul = (value: Json): boolean => {
  let found = false;
  mapStrings(value, (text) => {
    found ||= text.includes("\0");

    return text;
  });

  return found;
};

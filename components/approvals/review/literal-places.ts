/** Verbatim occurrences by search, not by a model. */
import { isJsonObject, type Json } from "@/lib/json";

/** Source text; its path is empty for a string. */
export type SourcePart = { readonly path: string; readonly text: string };

export type Place = { readonly path: string; readonly start: number; readonly end: number };

const MOST_PLACES = 50;

export const splitSource = (source: Json, path = ""): readonly SourcePart[] => {
  const at = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (Array.isArray(source)) return source.flatMap((item: Json, index) => splitSource(item, at(index)));
  if (isJsonObject(source)) return Object.entries(source).flatMap(([key, member]) => splitSource(member, at(key)));

  return source === null ? [] : [{ path, text: typeof source === "string" ? source : JSON.stringify(source) }];
};

const placesIn = ({ path, text }: SourcePart, wanted: string): readonly Place[] => {
  const places: Place[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < MOST_PLACES; at = text.indexOf(wanted, at + wanted.length)) {
    places.push({ path, start: at, end: at + wanted.length });
  }

  return places;
};

/** @returns no places for empty strings, lists and booleans */
export const findLiteralPlaces = (parts: readonly SourcePart[], value: Json | undefined): readonly Place[] => {
  const wanted = typeof value === "string" || typeof value === "number" ? String(value) : "";

  return wanted === "" ? [] : parts.flatMap((part) => placesIn(part, wanted)).slice(0, MOST_PLACES);
};

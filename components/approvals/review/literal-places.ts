/** Where a field's value stands in its source, word for word: found by looking, not by asking whoever filled the field in. */
import { isJsonObject, type Json } from "@/lib/json";

/** One text of the source, at its path in it; a source that is a text itself has no path. */
export type SourcePart = { readonly path: string; readonly text: string };

export type Place = { readonly path: string; readonly start: number; readonly end: number };

const MOST_PLACES = 50;

/** Every text of a value, numbers and truth values included. */
export const sourceParts = (source: Json, path = ""): readonly SourcePart[] => {
  const at = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (Array.isArray(source)) return source.flatMap((item: Json, index) => sourceParts(item, at(index)));
  if (isJsonObject(source)) return Object.entries(source).flatMap(([key, member]) => sourceParts(member, at(key)));

  return source === null ? [] : [{ path, text: typeof source === "string" ? source : JSON.stringify(source) }];
};

const placesIn = ({ path, text }: SourcePart, wanted: string): readonly Place[] => {
  const places: Place[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && places.length < MOST_PLACES; at = text.indexOf(wanted, at + wanted.length)) {
    places.push({ path, start: at, end: at + wanted.length });
  }

  return places;
};

/** @returns none for what is not there literally, and for values that say nothing: an empty text, a list, a truth value */
export const literalPlaces = (parts: readonly SourcePart[], value: Json | undefined): readonly Place[] => {
  const wanted = typeof value === "string" || typeof value === "number" ? String(value) : "";

  return wanted === "" ? [] : parts.flatMap((part) => placesIn(part, wanted)).slice(0, MOST_PLACES);
};

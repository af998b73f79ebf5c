import * as fc from "fast-check";
import { arbitraryGraph } from "@/lib/graph/arbitrary";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { toPlainJson, type Json } from "@/lib/json";

type Place = readonly (string | number)[];

const placesIn = (value: Json, at: Place = []): Place[] => {
  if (typeof value !== "object" || value === null) return [at];
  const members = Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, Array.isArray(value) ? Number(key) : key]));

  return [at, ...members];
};

const withMember = (value: Json, [key, ...rest]: Place, put: (found: Json | undefined) => Json | undefined): Json | undefined => {
  if (key === undefined) return put(value);
  if (typeof value !== "object" || value === null) return value;
  const found = (value as { readonly [name: string]: Json })[key];
  const next = withMember(found ?? null, rest, put);
  if (Array.isArray(value))
    return (value as Json[]).flatMap((item, index) => (index === key ? (next === undefined ? [] : [next]) : [item]));

  return Object.fromEntries([
    ...Object.entries(value).filter(([name]) => name !== key),
    ...(next === undefined ? [] : [[key, next]]),
  ]) as Json;
};

const anything: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<Json>(null, "", -1, 1.5, true, "not an id!", "x".repeat(300), [], {}, { unknown: 1 }, ["a", 1]),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
);

const misshapen: fc.Arbitrary<Json> = fc
  .tuple(arbitraryGraph, fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 2 }))
  .map(([graph, changes]) =>
    changes.reduce<Json>(
      (document, [at, value]) => {
        const places = placesIn(document);

        return withMember(document, places[at % places.length] ?? [], () => value) ?? null;
      },
      JSON.parse(JSON.stringify(graph)) as Json,
    ),
  );

/** JSON text may have refused names such as `prototype`. */
const isPlain = (document: Json) => toPlainJson(document, { maxBytes: 4_194_304, maxDepth: 64 }).ok;

/** Documents with an error in that context. */
export const invalidDocument = (context: ValidationContext): fc.Arbitrary<Json> =>
  fc
    .oneof(
      misshapen,
      arbitraryGraph.map((graph) => JSON.parse(JSON.stringify(graph)) as Json),
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
    )
    .filter((document) => isPlain(document) && hasErrors(validateGraph(document, context)));

/** Newly allowed values of a schema; unknown differences count as widening. */
import { toCanonicalJson, isJsonObject, type Json, type JsonObject } from "@/lib/json";

export type Widening = {
  /** Such as `to[].address`; empty: the value itself. */
  readonly at: string;
  /** Continues "it" or the path; quotes the server. */
  readonly what: string;
};

const MOST = 50;
const MAX_DEPTH = 24;
const MOST_SHOWN = 200;

/** Annotations, which restrict nothing. */
const SAYS_NOTHING = ["title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly", "$schema"];
/** Lower bounds may not sink, upper bounds may not rise. */
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const READ = [...SAYS_NOTHING, ...LOWER, ...UPPER, "type", "enum", "const", "required", "properties", "additionalProperties", "items"];

const TYPES = ["null", "boolean", "object", "array", "number", "string"];

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : toCanonicalJson(a) === toCanonicalJson(b);

const shown = (value: Json): string => toCanonicalJson(value).slice(0, MOST_SHOWN);
const member = (schema: JsonObject, name: string): Json | undefined => (Object.hasOwn(schema, name) ? schema[name] : undefined);
const inside = (at: string, name: string): string => (at === "" ? name : `${at}.${name}`);

const allowsAll = (schema: Json | undefined): boolean =>
  schema === undefined || schema === true || (isJsonObject(schema) && Object.keys(schema).every((name) => SAYS_NOTHING.includes(name)));

const typesOf = (schema: JsonObject): readonly string[] | null => {
  const said = member(schema, "type");
  if (said === undefined) return TYPES;
  const list = Array.isArray(said) ? said : [said];
  const types = list.flatMap((type) => (typeof type === "string" && [...TYPES, "integer"].includes(type) ? [type] : []));

  return types.length === list.length ? types : null;
};

const typeWidenings = (before: JsonObject, after: JsonObject, at: string): Widening[] => {
  if (same(member(before, "type"), member(after, "type"))) return [];
  const [was, is] = [typesOf(before), typesOf(after)];
  if (!was || !is) return [{ at, what: "has a different type that could not be compared" }];
  const covers = (type: string) => was.includes(type) || (type === "integer" && was.includes("number"));
  const more = is.filter((type) => !covers(type));

  return more.length === 0 ? [] : [{ at, what: `may also be ${more.join(" or ")}, not only ${was.join(" or ")}` }];
};

/** Undefined: any. */
const choices = (schema: JsonObject): readonly Json[] | undefined => {
  const [fixed, listed] = [member(schema, "const"), member(schema, "enum")];
  if (fixed !== undefined) return [fixed];

  return Array.isArray(listed) ? listed : undefined;
};

const choiceWidenings = (before: JsonObject, after: JsonObject, at: string): Widening[] => {
  const [was, is] = [choices(before), choices(after)];
  if (!was) return [];
  if (!is) return [{ at, what: `may be any value, not only one of ${shown([...was])}` }];
  const more = is.filter((value) => !was.some((other) => same(other, value)));

  return more.length === 0 ? [] : [{ at, what: `may also be ${more.map(shown).join(" or ").slice(0, MOST_SHOWN)}` }];
};

const boundWidenings = (before: JsonObject, after: JsonObject, at: string): Widening[] =>
  [...LOWER, ...UPPER].flatMap((name) => {
    const [was, is] = [member(before, name), member(after, name)];
    if (was === undefined || same(was, is)) return [];
    const isLower = LOWER.includes(name);
    const holds = typeof was === "number" && typeof is === "number" && (isLower ? is >= was : is <= was);
    if (holds) return [];

    return [
      { at, what: is === undefined ? `no longer has ${name} (was ${shown(was)})` : `has ${name} ${shown(is)} instead of ${shown(was)}` },
    ];
  });

const namesIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.flatMap((name) => (typeof name === "string" ? [name] : [])) : [];

const requiredWidenings = (before: JsonObject, after: JsonObject, at: string): Widening[] => {
  const still = namesIn(member(after, "required"));

  return namesIn(member(before, "required"))
    .filter((name) => !still.includes(name))
    .map((name) => ({ at: inside(at, name), what: "is no longer required" }));
};

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const propertyWidenings = (before: JsonObject, after: JsonObject, at: string, depth: number): Widening[] => {
  const [was, is] = [objectOf(member(before, "properties")), objectOf(member(after, "properties"))];
  const [wasRest, isRest] = [member(before, "additionalProperties") ?? true, member(after, "additionalProperties") ?? true];
  const own = [...new Set([...Object.keys(was), ...Object.keys(is)])].toSorted().flatMap((name): Widening[] => {
    const [old, now] = [member(was, name), member(is, name)];
    const place = inside(at, name);
    // // The server now reads the named member, even if others were allowed.
    if (old === undefined && now !== false) return [{ at: place, what: "is accepted now and was not declared before" }];

    return compare(old ?? wasRest, now ?? isRest, place, depth);
  });

  return [...own, ...compare(wasRest, isRest, inside(at, "*"), depth)];
};

/** Name patterns make the keywords interdependent. */
const hasNamePatterns = (schema: JsonObject): boolean => member(schema, "patternProperties") !== undefined;

const PROPERTY_WORDS = ["properties", "additionalProperties", "patternProperties"] as const;

const objectWidenings = (before: JsonObject, after: JsonObject, at: string, depth: number): Widening[] => {
  if (PROPERTY_WORDS.every((name) => same(member(before, name), member(after, name)))) return [];
  if (hasNamePatterns(before) || hasNamePatterns(after)) return [{ at, what: "accepts different properties that could not be compared" }];

  return propertyWidenings(before, after, at, depth);
};

const otherWidenings = (before: JsonObject, after: JsonObject, at: string): Widening[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !READ.includes(name) && name !== "patternProperties")
    .filter((name) => !same(member(before, name), member(after, name)))
    .map((name) => ({ at, what: `has a different “${name.slice(0, MOST_SHOWN)}”, which may accept more` }));

const compare = (before: Json, after: Json, at: string, depth: number): Widening[] => {
  if (same(before, after) || allowsAll(before) || after === false) return [];
  if (depth >= MAX_DEPTH) return [{ at, what: "differs below the compared depth" }];
  if (before === false) return [{ at, what: "is accepted now and was refused before" }];
  if (allowsAll(after)) return [{ at, what: "may be any value now" }];
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ at, what: "differs in a way that could not be compared" }];

  return [
    ...typeWidenings(before, after, at),
    ...choiceWidenings(before, after, at),
    ...boundWidenings(before, after, at),
    ...requiredWidenings(before, after, at),
    ...objectWidenings(before, after, at, depth + 1),
    ...compare(member(before, "items") ?? true, member(after, "items") ?? true, `${at}[]`, depth + 1),
    ...otherWidenings(before, after, at),
  ];
};

/** Finds at most 50 widenings of a schema. */
export const findWidenings = (before: JsonObject, after: JsonObject): readonly Widening[] => compare(before, after, "", 0).slice(0, MOST);

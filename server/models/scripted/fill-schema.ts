import { matchesSchema } from "@/lib/graph/json-schema";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { samplePattern } from "./pattern-sample";
import { listNamed, listStated, readAllWords } from "./told-values";

export type Told = {
  /** From the version; may be obeyed. */
  readonly instructions: string;
  /** Data; only picked from. */
  readonly inputs: Json;
};

const MAX_DEPTH = 12;
const WORDS = "A plausible text of the scripted model. ";

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const number = (value: Json | undefined): number | undefined => (typeof value === "number" ? value : undefined);

const FORMATS: Readonly<Record<string, { readonly found: RegExp; readonly plausible: string }>> = {
  email: { found: /[^\s<>@"]+@[^\s<>@"]+\.[a-z]+/giu, plausible: "someone@example.com" },
  date: { found: /\b\d{4}-\d{2}-\d{2}\b/gu, plausible: "2026-01-15" },
  "date-time": { found: /\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})/gu, plausible: "2026-01-15T12:00:00Z" },
  time: { found: /\b\d{2}:\d{2}:\d{2}Z/gu, plausible: "12:00:00Z" },
  uri: { found: /https?:\/\/[^\s<>"]+[^\s<>".,;:)]/gu, plausible: "https://example.com/" },
  uuid: { found: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gu, plausible: "00000000-0000-4000-8000-000000000000" },
  ipv4: { found: /\b(?:\d{1,3}\.){3}\d{1,3}\b/gu, plausible: "192.0.2.1" },
  hostname: { found: /\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b/gu, plausible: "example.com" },
};

const typeOf = (schema: JsonObject): string => {
  const { type } = schema;
  if (typeof type === "string") return type;
  const [first] = list(type).filter((each) => each !== "null");
  if (typeof first === "string") return first;
  if ("properties" in schema || "required" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";

  return "minimum" in schema || "maximum" in schema || "multipleOf" in schema ? "number" : "string";
};

const MONEY = /(?:[$€£]\s?([\d,]+(?:\.\d{1,2})?))/u;

/** Reads a word as the schema's type. */
const coerce = (word: string, schema: JsonObject): Json => {
  const type = typeOf(schema);
  if (type === "number" || type === "integer") return Number(word.replaceAll(/[_,]/gu, ""));
  if (type === "boolean") return /^(?:true|yes|on)$/iu.test(word);

  return word;
};

const wordsIn = (pattern: RegExp, text: string): readonly string[] => [...text.matchAll(pattern)].slice(0, 20).map(([word]) => word);

/** An identifier such as `^cus_[0-9]+$` may stand inside a text. */
const inText = (pattern: Json | undefined, text: string): readonly string[] => {
  if (typeof pattern !== "string" || !pattern.startsWith("^") || !pattern.endsWith("$")) return [];
  const words = text.split(/[\s"'“”`,;:()<>{}[\]]+/u).map((word) => word.replace(/\.$/u, ""));

  return words.filter((word) => word !== "" && matchesSchema({ type: "string", pattern }, word, false)).slice(0, 20);
};

const candidatesIn = (schema: JsonObject, text: string): readonly Json[] => {
  const { enum: choices, format, pattern } = schema;
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const money = format === "money-cents" ? MONEY.exec(text)?.[1] : undefined;
  const words = text.toLowerCase();

  return [
    ...list(choices).filter(
      (choice) => typeof choice === "string" && new RegExp(String.raw`\b${choice.replaceAll(/\W/gu, ".")}\b`, "iu").test(words),
    ),
    ...(money === undefined ? [] : [Math.round(Number(money.replaceAll(",", "")) * 100)]),
    ...(known ? wordsIn(known.found, text) : []),
    ...inText(pattern, text),
  ];
};

const plausibleText = (schema: JsonObject): readonly Json[] => {
  const { format, pattern, minLength, maxLength } = schema;
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const sample = typeof pattern === "string" ? samplePattern(pattern) : null;
  const least = number(minLength) ?? 0;
  const most = Math.max(least, Math.min(number(maxLength) ?? 200, Math.max(least, WORDS.trim().length)));

  return [
    ...(known ? [known.plausible] : []),
    ...(sample === null ? [] : [sample, sample.padEnd(least, sample.at(-1) ?? "a")]),
    WORDS.repeat(Math.ceil(Math.max(most, 1) / WORDS.length)).slice(0, most),
  ];
};

const plausibleNumber = (schema: JsonObject): readonly Json[] => {
  const step = number(schema["multipleOf"]) ?? (typeOf(schema) === "integer" ? 1 : 0.5);
  const low =
    number(schema["minimum"]) ?? (number(schema["exclusiveMinimum"]) === undefined ? undefined : Number(schema["exclusiveMinimum"]) + step);
  const high =
    number(schema["maximum"]) ?? (number(schema["exclusiveMaximum"]) === undefined ? undefined : Number(schema["exclusiveMaximum"]) - step);
  const near = low ?? Math.min(1, high ?? 1);
  const onStep = Math.ceil(near / step) * step;

  return [onStep, near, high ?? near, 0];
};

const merged = (schema: JsonObject, part: Json | undefined): JsonObject => {
  if (!isJsonObject(part)) return schema;
  const properties =
    isJsonObject(schema["properties"]) && isJsonObject(part["properties"]) ? { ...schema["properties"], ...part["properties"] } : undefined;

  return { ...schema, ...part, ...(properties ? { properties } : {}) };
};

const resolveRef = (root: JsonObject, ref: Json | undefined): Json | undefined => {
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined;

  return ref
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<Json | undefined>((value, part) => (isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined), root);
};

/** The schemas to try, without references and alternatives. */
const variants = (root: JsonObject, schema: JsonObject, depth: number): readonly JsonObject[] => {
  if (depth > MAX_DEPTH) return [];
  const { $ref: ref, allOf, anyOf, oneOf, ...rest } = schema;
  const target = resolveRef(root, ref);
  const joined = [...(target === undefined ? [] : [target]), ...list(allOf)].filter(isJsonObject);
  const alternatives = [...list(anyOf), ...list(oneOf)].filter(isJsonObject);
  if (joined.length > 0) {
    const parts = joined.flatMap((part) => variants(root, part, depth + 1).slice(0, 1));
    const whole = parts.reduce(merged, rest);

    return alternatives.length === 0 ? [whole] : alternatives.flatMap((each) => variants(root, merged(whole, each), depth + 1));
  }

  return alternatives.length === 0 ? [rest] : alternatives.flatMap((each) => variants(root, merged(rest, each), depth + 1));
};

type Filling = { readonly root: JsonObject; readonly told: Told; readonly words: string };

/** Carries all definitions along, so that a part can be checked alone. */
const fits = ({ root }: Filling, schema: JsonObject, value: Json): boolean =>
  matchesSchema({ ...schema, ...("$defs" in root ? { $defs: root["$defs"] ?? {} } : {}) }, value, true);

const fillObject = (filling: Filling, schema: JsonObject, depth: number): Json => {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const names = [...new Set([...Object.keys(properties), ...list(schema["required"]).filter((name) => typeof name === "string")])];

  return Object.fromEntries(
    names.flatMap((name) => {
      const member = properties[name];
      const filled = fill(filling, isJsonObject(member) ? member : {}, name, depth + 1);

      return filled === undefined ? [] : [[name, filled]];
    }),
  );
};

/** Makes an item differ from the first. */
const varied = (value: Json, index: number): Json => {
  if (index === 0) return value;
  if (typeof value === "number") return value + index;

  return typeof value === "string" ? `${value}${index}` : value;
};

const fillArray = (filling: Filling, schema: JsonObject, name: string, depth: number): Json => {
  const { items, prefixItems, minItems, uniqueItems } = schema;
  const first = list(prefixItems);
  const item = isJsonObject(items) ? items : {};
  const { enum: choices } = item;

  return Array.from({ length: Math.min(Math.max(number(minItems) ?? 1, first.length), 100) }, (_, index) => {
    const own = first[index];
    const chosen = uniqueItems === true ? list(choices)[index] : undefined;
    const value = chosen ?? fill(filling, isJsonObject(own) ? own : item, name, depth + 1) ?? null;

    return uniqueItems === true && chosen === undefined ? varied(value, index) : value;
  });
};

const plausible = (filling: Filling, schema: JsonObject, name: string, depth: number): readonly Json[] => {
  switch (typeOf(schema)) {
    case "object":
      return [fillObject(filling, schema, depth), {}];
    case "array":
      return [fillArray(filling, schema, name, depth), []];
    case "integer":
    case "number":
      return plausibleNumber(schema);
    case "boolean":
      return [false, true];
    case "null":
      return [null];
    default:
      return plausibleText(schema);
  }
};

/** In order: stated in the instructions, named in the inputs, found there by form, the schema's own, plausible. */
const fill = (filling: Filling, schema: JsonObject, name: string, depth: number): Json | undefined => {
  if (depth > MAX_DEPTH) return undefined;
  const { told, words } = filling;
  for (const variant of variants(filling.root, schema, 0)) {
    const { const: fixed, default: fallback, enum: choices, examples } = variant;
    const isPart = name !== "" && !["object", "array"].includes(typeOf(variant));
    const lazily: readonly (() => readonly (Json | undefined)[])[] = [
      () => (isPart ? listStated(told.instructions, name).map((word) => coerce(word, variant)) : []),
      () => (isPart ? candidatesIn(variant, told.instructions) : []),
      () => (name === "" ? [] : listNamed(told.inputs, name)),
      () => (isPart ? candidatesIn(variant, words) : []),
      () => [fixed, fallback, ...list(examples), ...list(choices)],
      () => plausible(filling, variant, name, depth),
      () => [null],
    ];
    for (const candidates of lazily) {
      const found = candidates().find((value) => value !== undefined && fits(filling, variant, value) && fits(filling, schema, value));
      if (found !== undefined) return found;
    }
  }

  return undefined;
};

/** Returns a value that fits the schema, or undefined. */
export const fillSchema = (schema: JsonObject, told: Told): Json | undefined =>
  fill({ root: schema, told, words: readAllWords(told.inputs) }, schema, "", 0);

import { z } from "zod";
import { err, ok, type Result } from "@/lib/result";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Any JSON; `toPlainJson` checks bounds. */
export const jsonSchema: z.ZodType<Json> = z.json();

/** Names never allowed as keys. */
export const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype", "toJSON"] as const;

export type JsonLimits = { maxBytes: number; maxDepth: number };
export type JsonFault = "not_plain_json" | "value_too_deep" | "value_too_large";

const encoder = new TextEncoder();

const isForbidden = (key: string) => (FORBIDDEN_KEYS as readonly string[]).includes(key);

/** Null: hidden properties. */
const dataOf = (value: object, isHidden: (key: string) => boolean): readonly (readonly [string, unknown])[] | null => {
  if (Object.getOwnPropertySymbols(value).length > 0) return null;
  const entries: (readonly [string, unknown])[] = [];
  for (const key of Object.getOwnPropertyNames(value)) {
    if (isHidden(key)) continue;
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (isForbidden(key) || !key.isWellFormed() || !property?.enumerable || !("value" in property)) return null;
    entries.push([key, property.value]);
  }

  return entries;
};

/** Sparse arrays and extra members would hash differently than shown. */
const itemsOf = (value: readonly unknown[]) => {
  const entries = dataOf(value, (key) => key === "length");
  const whole = entries?.length === value.length && entries.every(([key], index) => key === String(index));

  return whole && Object.getPrototypeOf(value) === Array.prototype ? entries : null;
};

const membersOf = (value: object) => {
  const proto: unknown = Object.getPrototypeOf(value);

  return proto === Object.prototype || proto === null ? dataOf(value, () => false) : null;
};

const MAX_SCALAR_BYTES = 32;
/** Control characters are escaped with six. */
const MAX_CHAR_BYTES = 6;

/** Values left, each at least one byte; bounds circular parts too. */
type Budget = { left: number; /** Canonical UTF-8. */ maxBytes: number };

/** Copies while checking, so nothing changes in between. */
const copyOf = (value: unknown, maxDepth: number, budget: Budget): Result<Json, JsonFault> => {
  budget.left -= 1;
  if (budget.left < 0) return err("value_too_large");
  budget.maxBytes += MAX_SCALAR_BYTES;
  if (value === null || typeof value === "boolean") return ok(value);
  if (typeof value === "string") {
    budget.maxBytes += value.length * MAX_CHAR_BYTES;

    return value.isWellFormed() ? ok(value) : err("not_plain_json");
  }
  // -0 is written as "0"; replay would differ from the live value.
  if (typeof value === "number") return Number.isFinite(value) ? ok(value === 0 ? 0 : value) : err("not_plain_json");
  if (typeof value !== "object") return err("not_plain_json");
  if (maxDepth <= 0) return err("value_too_deep");
  const entries = Array.isArray(value) ? itemsOf(value) : membersOf(value);
  if (!entries) return err("not_plain_json");
  const copied: [string, Json][] = [];
  for (const [key, item] of entries) {
    const copy = copyOf(item, maxDepth - 1, budget);
    if (!copy.ok) return copy;
    copied.push([key, copy.value]);
    budget.maxBytes += key.length * MAX_CHAR_BYTES;
  }

  return ok(Array.isArray(value) ? copied.map(([, item]) => item) : Object.fromEntries(copied));
};

const notJson = (what: string): never => {
  throw new TypeError(`toCanonicalJson: ${what}`);
};

const stringText = (value: string): string => (value.isWellFormed() ? JSON.stringify(value) : notJson("a lone surrogate"));

const MOST_NAMES = 1_024;
const MAX_NAME_CHARS = 64;
const nameTexts = new Map<string, string>();

const nameText = (name: string): string => {
  const before = nameTexts.get(name);
  if (before !== undefined) return before;
  const text = `${stringText(name)}:`;
  if (nameTexts.size < MOST_NAMES && name.length <= MAX_NAME_CHARS) nameTexts.set(name, text);

  return text;
};

/** By UTF-16 code units. */
const sortedNames = (members: object): readonly string[] => {
  const names = Object.keys(members);

  return names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name) ? names : names.toSorted();
};

const membersText = (members: JsonObject): string => {
  let text = "{";
  for (const name of sortedNames(members)) {
    const member = members[name];
    if (member !== undefined) text += `${text === "{" ? "" : ","}${nameText(name)}${toCanonicalJson(member)}`;
  }

  return `${text}}`;
};

/** Serializes by RFC 8785, for digests. @throws TypeError for anything but plain JSON */
export const toCanonicalJson = (value: Json): string => {
  if (typeof value === "string") return stringText(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : notJson("a number that is not finite");
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value !== "object") return notJson(`a value of type ${typeof value}`);
  if (!Array.isArray(value)) return membersText(value as JsonObject);
  let text = "[";
  for (const item of value as readonly Json[]) text += `${text === "[" ? "" : ","}${toCanonicalJson(item)}`;

  return `${text}]`;
};

export const countJsonBytes = (value: Json): number => encoder.encode(toCanonicalJson(value)).length;

/** Copies plain JSON; never throws, even for hostile getters. */
export const toPlainJson = (value: unknown, limits: JsonLimits): Result<Json, JsonFault> => {
  try {
    const budget = { left: limits.maxBytes, maxBytes: 0 };
    const copy = copyOf(value, limits.maxDepth, budget);
    if (!copy.ok || budget.maxBytes <= limits.maxBytes) return copy;

    return countJsonBytes(copy.value) > limits.maxBytes ? err("value_too_large") : copy;
  } catch {
    return err("not_plain_json");
  }
};

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads own members only. */
export const ownMember = (value: Json | undefined, key: string): Json | undefined => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;

  return (value as Record<string, Json>)[key];
};

export const freezeCopy = <T extends Json>(value: T): T => {
  if (typeof value !== "object" || value === null) return value;
  const copy: Json = Array.isArray(value)
    ? value.map((item: Json) => freezeCopy(item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, freezeCopy(item)]));

  return Object.freeze(copy) as T;
};

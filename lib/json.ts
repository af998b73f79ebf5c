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

const forbidden: ReadonlySet<string> = new Set(FORBIDDEN_KEYS);

const MAX_SCALAR_BYTES = 32;
/** Control characters are escaped with six. */
const MAX_CHAR_BYTES = 6;

/** Values left, each at least one byte; bounds circular parts too. */
type Budget = { left: number; /** Canonical UTF-8. */ maxBytes: number };

class Unfit extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault);
    this.fault = fault;
  }
}

const refuse = (fault: JsonFault): never => {
  throw new Unfit(fault);
};

/** Runs no getter. */
const dataOf = (value: object, key: string | number): unknown => {
  const property = Object.getOwnPropertyDescriptor(value, key);

  return property?.enumerable && "value" in property ? property.value : refuse("not_plain_json");
};

/** Sparse arrays and extra members would hash differently than shown. */
const copyItems = (value: readonly unknown[], maxDepth: number, budget: Budget): Json => {
  const isWhole = Object.getOwnPropertyNames(value).length === value.length + 1;
  if (!isWhole || Object.getPrototypeOf(value) !== Array.prototype) return refuse("not_plain_json");
  const copy: Json[] = [];
  for (let index = 0; index < value.length; index += 1) copy.push(copyOf(dataOf(value, index), maxDepth, budget));

  return copy;
};

const copyMembers = (value: object, maxDepth: number, budget: Budget): Json => {
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return refuse("not_plain_json");
  const copy: Record<string, Json> = {};
  for (const key of Object.getOwnPropertyNames(value)) {
    if (forbidden.has(key) || !key.isWellFormed()) return refuse("not_plain_json");
    copy[key] = copyOf(dataOf(value, key), maxDepth, budget);
    budget.maxBytes += key.length * MAX_CHAR_BYTES;
  }

  return copy;
};

/** Copies while checking, so nothing changes in between. @throws Unfit */
const copyOf = (value: unknown, maxDepth: number, budget: Budget): Json => {
  budget.left -= 1;
  if (budget.left < 0) return refuse("value_too_large");
  budget.maxBytes += MAX_SCALAR_BYTES;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") {
    budget.maxBytes += value.length * MAX_CHAR_BYTES;

    return value.isWellFormed() ? value : refuse("not_plain_json");
  }
  // -0 is written as "0"; replay would differ from the live value.
  if (typeof value === "number") return Number.isFinite(value) ? value || 0 : refuse("not_plain_json");
  if (typeof value !== "object") return refuse("not_plain_json");
  if (maxDepth <= 0) return refuse("value_too_deep");
  if (Object.getOwnPropertySymbols(value).length > 0) return refuse("not_plain_json");

  return Array.isArray(value) ? copyItems(value, maxDepth - 1, budget) : copyMembers(value, maxDepth - 1, budget);
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

    return budget.maxBytes > limits.maxBytes && countJsonBytes(copy) > limits.maxBytes ? err("value_too_large") : ok(copy);
  } catch (error) {
    return err(error instanceof Unfit ? error.fault : "not_plain_json");
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

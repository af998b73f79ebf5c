/** Plain JSON: what may be proposed, hashed, stored and shown. */
import canonicalize from "canonicalize";
import { z } from "zod";
import { err, ok, type Result } from "@/lib/result";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** JSON of any shape; bounds and plainness are checked by `plainJson`. */
export const jsonSchema: z.ZodType<Json> = z.json();

/** Names that never exist as keys of our data, whatever a document says. */
export const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype", "toJSON"] as const;

export type JsonLimits = { maxBytes: number; maxDepth: number };
export type JsonFault = "not_plain_json" | "value_too_deep" | "value_too_large";

const encoder = new TextEncoder();

const isForbidden = (key: string) => (FORBIDDEN_KEYS as readonly string[]).includes(key);

const isPlainObject = (value: object): value is Record<string, unknown> => {
  const proto: unknown = Object.getPrototypeOf(value);

  return (proto === Object.prototype || proto === null) && Object.getOwnPropertySymbols(value).length === 0;
};

/** The first reason why `value` is not plain JSON within `maxDepth`, or `null`. Bounded by `maxDepth` levels. */
const faultOf = (value: unknown, maxDepth: number): JsonFault | null => {
  if (value === null || typeof value === "boolean") return null;
  if (typeof value === "string") return value.isWellFormed() ? null : "not_plain_json";
  if (typeof value === "number") return Number.isFinite(value) ? null : "not_plain_json";
  if (typeof value !== "object") return "not_plain_json";
  if (maxDepth <= 0) return "value_too_deep";

  if (Array.isArray(value)) {
    // A sparse array or one with extra properties would hash differently from what it shows.
    if (Object.keys(value).length !== value.length) return "not_plain_json";

    return value.reduce<JsonFault | null>((fault, item) => fault ?? faultOf(item, maxDepth - 1), null);
  }
  if (!isPlainObject(value)) return "not_plain_json";

  for (const key of Object.getOwnPropertyNames(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (isForbidden(key) || !key.isWellFormed() || !property?.enumerable || property.get) return "not_plain_json";
    const fault = faultOf(value[key], maxDepth - 1);
    if (fault) return fault;
  }

  return null;
};

/** RFC 8785 text of a value already known to be plain JSON. Digests are over this text, never over what a database returns. */
export const canonicalJson = (value: Json): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("canonicalJson: the value is not JSON");

  return text;
};

/** UTF-8 size of the canonical text. */
export const jsonBytes = (value: Json): number => encoder.encode(canonicalJson(value)).length;

/** Accepts exactly plain JSON: finite numbers, well-formed strings, plain objects without inherited or hidden members. */
export const plainJson = (value: unknown, limits: JsonLimits): Result<Json, JsonFault> => {
  const fault = faultOf(value, limits.maxDepth);
  if (fault) return err(fault);
  const json = value as Json;

  return jsonBytes(json) > limits.maxBytes ? err("value_too_large") : ok(json);
};

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Own members only: `constructor` and its like never resolve. */
export const ownMember = (value: Json | undefined, key: string): Json | undefined => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;

  return (value as Record<string, Json>)[key];
};

/** A deep copy that nobody can change. */
export const frozenCopy = <T extends Json>(value: T): T => {
  if (typeof value !== "object" || value === null) return value;
  const copy: Json = Array.isArray(value)
    ? value.map((item: Json) => frozenCopy(item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)]));

  return Object.freeze(copy) as T;
};

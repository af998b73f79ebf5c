/** Form of an extract; misfits are refused, never repaired. */
import type { NodeOf } from "@/lib/graph/document";
import type { ExtractField, ExtractValue } from "@/lib/graph/kinds/extract";
import { isJsonObject, ownMember, type Json } from "@/lib/json";

const MAX_URL = 2_048;
const MAX_EMAIL = 254;
const MAX_PATH = 1_024;

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;
const DATE = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/;
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** Returns whether text is a date such as `2026-11-22`. */
export const isDate = (text: string): boolean => {
  const { year = "", month = "", day = "" } = DATE.exec(text)?.groups ?? {};
  if (year === "" || year === "0000") return false;
  const date = new Date(`${text}T00:00:00Z`);

  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
};

/** Parses a web address; null for backslash, white space, invisible characters or user, which parsers read differently. */
export const parseWebAddress = (text: string): URL | null => {
  if (text.length > MAX_URL || !/^https?:\/\/[^/]/i.test(text) || /[\s\\]/.test(text) || UNSEEN.test(text)) return null;
  // Parsers may rewrite a host.
  const authority = /^https?:\/\/(?<authority>[^/?#]*)/i.exec(text)?.groups?.["authority"] ?? "";
  if (!/^[A-Za-z0-9.:[\]-]+$/.test(authority)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** Returns whether text has no backslash or invisible characters. */
export const isFilePath = (text: string): boolean =>
  text !== "" && text.length <= MAX_PATH && text.isWellFormed() && !text.includes("\\") && !UNSEEN.test(text);

const isText = (value: Json, fits: (text: string) => boolean): boolean => typeof value === "string" && value.isWellFormed() && fits(value);

/** Counts code points. */
export const countCharacters = (text: string): number => Array.from(text).length;

const fits = (rule: ExtractValue, value: Json): boolean => {
  switch (rule.type) {
    case "enum":
      return isText(value, (text) => rule.values.includes(text));
    case "integer":
      return typeof value === "number" && Number.isSafeInteger(value) && value >= rule.min && value <= rule.max;
    case "number":
      return typeof value === "number" && Number.isFinite(value) && value >= rule.min && value <= rule.max;
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return isText(value, isDate);
    case "text":
      return isText(value, (text) => countCharacters(text) <= rule.max_length);
    case "url":
      return isText(value, (text) => parseWebAddress(text) !== null);
    case "email":
      return isText(value, (text) => text.length <= MAX_EMAIL && EMAIL.test(text));
    case "path":
      return isText(value, isFilePath);
    default:
      return rule satisfies never;
  }
};

/** Returns null if the value exactly fits the form, else the faulty fields, possibly none. */
export const findFormFaults = (fields: readonly ExtractField[], value: Json): readonly string[] | null => {
  if (!isJsonObject(value)) return [];
  const named = new Set(fields.map((field) => field.name));
  const faults = fields.filter(({ name, required, value: rule }) => {
    const member = ownMember(value, name);

    return member === undefined ? required : !fits(rule, member);
  });
  const isExact = Object.keys(value).every((name) => named.has(name));

  return faults.length === 0 && isExact ? null : faults.map((field) => field.name);
};

export const extractPath = ({ config, write_keys: writes }: NodeOf<"extract">): string | undefined => {
  const paths = writes.filter((grant) => grant !== "*");

  return config.write_to ?? (paths.length === 1 ? paths[0] : undefined);
};

import { isJsonObject, type Json } from "@/lib/json";
import { sanitizeText } from "./text";

/** Sanitizes strings and member names; a tool can hide text in either. */
export const sanitizeJson = (value: Json): Json => {
  if (typeof value === "string") return sanitizeText(value);
  if (Array.isArray(value)) return value.map((item: Json) => sanitizeJson(item));
  if (!isJsonObject(value)) return value;

  return Object.fromEntries(Object.entries(value).map(([key, item]) => [sanitizeText(key), sanitizeJson(item)]));
};

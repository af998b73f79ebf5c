import { jsonSchema, type Json } from "@/lib/json";

/** Parses JSON, else returns the text. */
export const parseLoose = (text: string): Json => {
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    return text;
  }
};

/** Formats the shortest text for the value. */
export const formatLoose = (value: Json): string =>
  typeof value === "string" && parseLoose(value) === value ? value : JSON.stringify(value);

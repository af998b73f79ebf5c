/** JSON as people type it: `3` is a number, `yes` is a text, and `"3"` is the text that looks like a number. */
import { jsonSchema, type Json } from "@/lib/json";

/** What is typed is JSON where it can be, otherwise the text itself. */
export const parseLoose = (text: string): Json => {
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    return text;
  }
};

/** The shortest text that is this value when it is typed. */
export const formatLoose = (value: Json): string =>
  typeof value === "string" && parseLoose(value) === value ? value : JSON.stringify(value);

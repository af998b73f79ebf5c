import type { Json } from "@/lib/json";
import { toVisibleText } from "./visible-text";

/** Formats a value: strings are quoted, so that "5" and 5 differ, and keep their line breaks. */
export const displayJson = (value: Json): string =>
  typeof value === "string" ? `"${toVisibleText(value)}"` : toVisibleText(JSON.stringify(value, null, 2));

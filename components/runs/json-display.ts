import type { Json } from "@/lib/json";
import { visibleText } from "./visible-text";

/** Formats a value: strings are quoted, so that "5" and 5 differ, and keep their line breaks. */
export const displayJson = (value: Json): string =>
  typeof value === "string" ? `"${visibleText(value)}"` : visibleText(JSON.stringify(value, null, 2));

import type { Json } from "@/lib/json";
import { visibleText } from "./visible-text";

/** A value as text: strings in quotation marks, so that "5" and 5 differ, with their line breaks as they are. */
export const displayJson = (value: Json): string =>
  typeof value === "string" ? `"${visibleText(value)}"` : visibleText(JSON.stringify(value, null, 2));

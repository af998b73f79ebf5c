import type { Json } from "@/lib/json";
import { toVisibleText } from "./visible-text";

/** Quotes strings, so that "5" and 5 differ. */
export const displayJson = (value: Json): string =>
  typeof value === "string" ? `"${toVisibleText(value)}"` : toVisibleText(JSON.stringify(value, null, 2));

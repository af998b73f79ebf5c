import { parsePath } from "@/lib/graph/path";

/** One sentence when the text is no dot path. */
export const notAPath = (text: string): string | null => (parsePath(text) === null ? "Enter a path like key or key.field." : null);

export const notAGrant = (text: string): string | null => (text === "*" ? null : notAPath(text));

export const notAnOptionalPath = (text: string): string | null => (text === "" ? null : notAPath(text));

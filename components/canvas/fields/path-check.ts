import { parsePath } from "@/lib/graph/path";

/** Explains why the text is no dot path. */
export const findPathFault = (text: string): string | null => (parsePath(text) === null ? "Enter a path like key or key.field." : null);

export const findGrantFault = (text: string): string | null => (text === "*" ? null : findPathFault(text));

export const findOptionalPathFault = (text: string): string | null => (text === "" ? null : findPathFault(text));

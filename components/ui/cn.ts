import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Custom size names (globals.css): without this, `text-sm` and `text-muted` would count as one group.
const merge = extendTailwindMerge({ extend: { classGroups: { shadow: ["shadow-float"] } } });

/** Joins class names; a later utility wins over an earlier one of the same group. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));

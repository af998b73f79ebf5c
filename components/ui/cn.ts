import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Otherwise our `text-sm` and `text-muted` would count as one group.
const merge = extendTailwindMerge({ extend: { classGroups: { shadow: ["shadow-float"] } } });

/** Joins classes; later utilities win. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));

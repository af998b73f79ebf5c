import { align } from "@/lib/engine/forks/align";

export type DiffLine = { readonly kind: "same" | "removed" | "added"; readonly text: string };

const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.split("\n"));

/** Lines of both texts in order; an empty text has none. */
export const diffLines = (a: string, b: string): readonly DiffLine[] => {
  const [left, right] = [linesOf(a), linesOf(b)];

  return align(left, right).map(({ a: at, b: to }): DiffLine => {
    if (at === null) return { kind: "added", text: right[to ?? 0] ?? "" };

    return { kind: to === null ? "removed" : "same", text: left[at] ?? "" };
  });
};

/** Alignment would cost more than it shows. */
const MOST_COMPARED = 2_000_000;

export type Pair = { readonly a: number | null; readonly b: number | null };

const samePrefix = (a: readonly string[], b: readonly string[]): number => {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;

  return at;
};

const lengthsOf = (a: readonly string[], b: readonly string[]): readonly Int32Array[] => {
  const lengths = Array.from({ length: a.length + 1 }, () => new Int32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const [here, below] = [lengths[i], lengths[i + 1]];
    if (!here || !below) break;
    for (let j = b.length - 1; j >= 0; j -= 1) {
      here[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0);
    }
  }

  return lengths;
};

const alignMiddle = (a: readonly string[], b: readonly string[], from: number): readonly Pair[] => {
  const lengths = lengthsOf(a, b);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pairs.push({ a: from + i, b: from + j });
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      pairs.push({ a: from + i, b: null });
      i += 1;
    } else {
      pairs.push({ a: null, b: from + j });
      j += 1;
    }
  }

  return pairs;
};

/** Aligns lists by longest common subsequence. */
export const align = (a: readonly string[], b: readonly string[]): readonly Pair[] => {
  const same = samePrefix(a, b);
  const [left, right] = [a.slice(same), b.slice(same)];
  const before = Array.from({ length: same }, (_, at): Pair => ({ a: at, b: at }));
  if (left.length * right.length <= MOST_COMPARED) return [...before, ...alignMiddle(left, right, same)];
  const rest = Array.from({ length: Math.max(left.length, right.length) }, (_, at): Pair => ({
    a: at < left.length ? same + at : null,
    b: at < right.length ? same + at : null,
  }));

  return [...before, ...rest];
};

/** A median and its interval. */
export type Interval = { readonly median: number; readonly low: number; readonly high: number };

const CONFIDENCE = 0.95;

/** Values left out at each end: the median lies outside the rest in at most 5 % of samples, of any distribution. */
const countOutside = (count: number): number => {
  let [chance, term, outside] = [0, 0.5 ** count, 0];
  while (outside < count / 2) {
    chance += term;
    if (2 * chance > 1 - CONFIDENCE) break;
    outside += 1;
    term *= (count - outside + 1) / outside;
  }

  return Math.max(0, outside - 1);
};

/** Finds the median with its interval by order statistics. Below six values the interval is the whole range. */
export const findMedian = (values: readonly number[]): Interval => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const outside = countOutside(sorted.length);

  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, low: at(outside), high: at(sorted.length - 1 - outside) };
};

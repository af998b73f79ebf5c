/** Which records to fetch next. */

/** Records of one page: small enough that reading one is no long task, large enough that a long run is not a thousand requests. */
export const PAGE = 250;

export type Range = { readonly from: number; readonly count: number };

type Known = {
  readonly has: (seq: number) => boolean;
  readonly total: number;
  /** The record that is looked at. */
  readonly want: number;
  readonly isBusy: (page: number) => boolean;
};

const missingIn = (page: number, { has, total }: Known): Range | null => {
  const end = Math.min(total, (page + 1) * PAGE);
  for (let from = page * PAGE; from < end; from += 1) if (!has(from)) return { from, count: end - from };

  return null;
};

/** What is missing around the record that is looked at, its own page first; then from the first record on. Null: nothing. */
export const nextRange = (known: Known): Range | null => {
  const pages = Math.ceil(known.total / PAGE);
  const at = Math.min(Math.max(0, pages - 1), Math.floor(Math.max(0, known.want) / PAGE));
  // A row or two of the neighbour is in sight as soon as the record stands near the edge of its page.
  const near = known.want % PAGE < PAGE / 2 ? [at, at - 1] : [at, at + 1];
  const order = [...near, ...Array(pages).keys()].filter((page) => page >= 0 && page < pages && !known.isBusy(page));
  for (const page of order) {
    const range = missingIn(page, known);
    if (range) return range;
  }

  return null;
};

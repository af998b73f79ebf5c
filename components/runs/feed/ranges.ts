/** Which records to fetch next. */

/** Records of one page: small enough that reading one is no long task, large enough that a long run is not a thousand requests. */
export const PAGE = 500;

/** What is fetched first, around the record that is looked at: somewhat more than a screen shows. */
const FIRST = 80;

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

/** The records around the one that is looked at: what a page of a run begins with. */
export const firstRange = (want: number, total: number): Range => {
  const from = Math.max(0, Math.min(want - FIRST / 2, total - FIRST));

  return { from, count: Math.max(1, Math.min(FIRST, total - from)) };
};

/** As the procedure is asked for them. */
export const recordsInput = (runId: string, { from, count }: Range) => ({ run_id: runId, after_seq: from - 1, limit: count });

/** What the page of a run arrives with. @param at the record that is looked at */
export const firstRecords = (runId: string, at: number, total: number) => recordsInput(runId, firstRange(at, total));

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

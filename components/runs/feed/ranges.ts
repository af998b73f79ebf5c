/** Avoids long tasks and many requests. */
export const PAGE = 500;

/** Just over one screen. */
const FIRST = 80;

export type Range = { readonly from: number; readonly count: number };

type Known = {
  readonly has: (seq: number) => boolean;
  readonly total: number;
  /** The selected record. */
  readonly want: number;
  readonly isBusy: (page: number) => boolean;
};

const missingIn = (page: number, { has, total }: Known): Range | null => {
  const end = Math.min(total, (page + 1) * PAGE);
  for (let from = page * PAGE; from < end; from += 1) if (!has(from)) return { from, count: end - from };

  return null;
};

/** First range around the selected record. */
export const getFirstRange = (want: number, total: number): Range => {
  const from = Math.max(0, Math.min(want - FIRST / 2, total - FIRST));

  return { from, count: Math.max(1, Math.min(FIRST, total - from)) };
};

export const toRecordsInput = (runId: string, { from, count }: Range) => ({ runId, afterSeq: from - 1, limit: count });

/** First records of the page. @param at selected record */
export const queryFirstRecords = (runId: string, at: number, total: number) => toRecordsInput(runId, getFirstRange(at, total));

/** Next missing range: near the selected record, then from the start; null: all loaded. */
export const getNextRange = (known: Known): Range | null => {
  const pages = Math.ceil(known.total / PAGE);
  const at = Math.min(Math.max(0, pages - 1), Math.floor(Math.max(0, known.want) / PAGE));
  // Rows of the next page may be visible too.
  const near = known.want % PAGE < PAGE / 2 ? [at, at - 1] : [at, at + 1];
  const order = [...near, ...Array(pages).keys()].filter((page) => page >= 0 && page < pages && !known.isBusy(page));
  for (const page of order) {
    const range = missingIn(page, known);
    if (range) return range;
  }

  return null;
};

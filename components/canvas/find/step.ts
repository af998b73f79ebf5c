/** Adjacent hit, wrapping. @param at -1: none yet */
export const findHitBeside = (at: number, by: 1 | -1, count: number): number => {
  const from = at < 0 && by < 0 ? 0 : at;

  return count === 0 ? -1 : (from + by + count) % count;
};

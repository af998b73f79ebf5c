/** The hit that is next to another, round and round. @param at -1: none has been gone to yet, so forwards is the first and back the last */
export const findHitBeside = (at: number, by: 1 | -1, count: number): number => {
  const from = at < 0 && by < 0 ? 0 : at;

  return count === 0 ? -1 : (from + by + count) % count;
};

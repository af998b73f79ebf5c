/** Proofs that were used in this process. */

/** Beyond it the oldest are forgotten: a replay then needs that many genuine proofs before it. */
const MOST_REMEMBERED = 50_000;

export type SpentProofs = {
  /** Returns whether the proof may be used now. @param mayRepeat whether it may be used again while no answer came */
  spend(id: string, mayRepeat: boolean): boolean;
  /** A call by this proof was answered: it is not made again. */
  settle(id: string): void;
};

export const createSpentProofs = (): SpentProofs => {
  /** Id -> whether it may be used again. */
  const used = new Map<string, boolean>();

  const remember = (id: string, mayRepeat: boolean): void => {
    used.delete(id);
    used.set(id, mayRepeat);
    const oldest = used.size > MOST_REMEMBERED ? used.keys().next() : null;
    if (oldest && !oldest.done) used.delete(oldest.value);
  };

  return {
    spend: (id, mayRepeat) => {
      if (used.get(id) === false) return false;
      remember(id, mayRepeat);

      return true;
    },
    settle: (id) => remember(id, false),
  };
};

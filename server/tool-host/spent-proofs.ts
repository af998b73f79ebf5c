/** A replay needs that many genuine proofs first. */
const MOST_REMEMBERED = 50_000;

export type SpentProofs = {
  /** @param mayRepeat allowed again until answered */
  spend(id: string, mayRepeat: boolean): boolean;
  settle(id: string): void;
};

export const createSpentProofs = (): SpentProofs => {
  /** Id to repeatability. */
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

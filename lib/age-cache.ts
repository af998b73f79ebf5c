type Entry<T> = { readonly readAtMs: number; readonly value: Promise<T> };

const MOST_KEPT = 1_000;

/** Caches results by key for `mostMs`; failures are not kept. */
export const createAgeCache = <T>(
  mostMs: number,
  clock: { readonly now: () => number },
): ((key: string, read: () => Promise<T>) => Promise<T>) => {
  const kept = new Map<string, Entry<T>>();

  return (key, read) => {
    const found = kept.get(key);
    if (found && clock.now() - found.readAtMs < mostMs) return found.value;
    const entry = { readAtMs: clock.now(), value: read() };
    kept.delete(key);
    kept.set(key, entry);
    entry.value.catch(() => kept.get(key) === entry && kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);

    return entry.value;
  };
};

/**
 * Lets at most so many work at once; the others wait in the order in which they came, for as long as it takes.
 * @returns what runs a piece of work in its turn, and answers or throws as the work does
 */
export const atMost = (limit: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let free = limit;

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};

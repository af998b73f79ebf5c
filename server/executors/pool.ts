/** Work on many things at once, but never on more than a few. */
import { Suspended } from "@/server/executors/contract";

type Settled<T> = { readonly index: number; readonly result: T };

/**
 * Works on all things in their order, on at most `limit` at once. After one has thrown, or has come to something
 * that `ends` it all, none is started any more, and those under way settle: what they do is recorded, whoever waits for it.
 * @returns by index; absent where nothing was started
 * @throws what was thrown; a suspension before anything else, because then the run waits and nothing of it has failed
 */
export const pooled = async <S, T>(
  things: readonly S[],
  limit: number,
  work: (thing: S, index: number) => Promise<T>,
  ends: (result: T) => boolean,
): Promise<(T | undefined)[]> => {
  const settled: Settled<T>[] = [];
  const errors: unknown[] = [];
  const queue = things.entries();
  let over = false;
  const worker = async (): Promise<void> => {
    while (!over) {
      const { value: next } = queue.next();
      if (!next) return;
      const [index, thing] = next;
      try {
        const result = await work(thing, index);
        settled.push({ index, result });
        over ||= ends(result);
      } catch (error) {
        over = true;
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, things.length) }, worker));
  if (errors.length > 0) throw errors.find((error) => error instanceof Suspended) ?? errors[0];
  const results = new Map(settled.map(({ index, result }) => [index, result]));

  return things.map((_, index) => results.get(index));
};

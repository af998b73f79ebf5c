import { Suspended } from "@/server/executors/contract";

type Settled<T> = { readonly index: number; readonly result: T };

/**
 * Works on all things in order, `limit` at once; work under way settles, so that it is recorded. @returns by index; absent where not
 * started @throws the first error, but suspensions first
 */
export const runPooled = async <S, T>(
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

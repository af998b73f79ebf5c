type Waiting<K, T> = { readonly item: K; readonly resolve: (result: T) => void; readonly reject: (error: unknown) => void };

/**
 * Batches concurrent calls per group; no result predates its call. An item that fails does not fail its neighbours.
 * @param work returns one result for each item, in order
 */
export const batchCalls = <K, T>(
  work: (group: string, items: readonly K[]) => Promise<readonly T[]>,
  mostItems: number,
): ((group: string, item: K) => Promise<T>) => {
  const queues = new Map<string, Waiting<K, T>[]>();

  const answer = async (group: string, batch: readonly Waiting<K, T>[]): Promise<void> => {
    try {
      const results = await work(
        group,
        batch.map(({ item }) => item),
      );
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} calls`);
      for (const [place, result] of results.entries()) batch[place]?.resolve(result);
    } catch (error) {
      if (batch.length > 1) await Promise.all(batch.map((one) => answer(group, [one])));
      else batch[0]?.reject(error);
    }
  };

  const serve = async (group: string, queue: Waiting<K, T>[]): Promise<void> => {
    // Calls of one turn share the first batch too.
    await Promise.resolve();
    while (queue.length > 0) await answer(group, queue.splice(0, mostItems));
    queues.delete(group);
  };

  return (group, item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = queues.get(group);
      if (queue) queue.push(waiting);
      else {
        const fresh = [waiting];
        queues.set(group, fresh);
        void serve(group, fresh);
      }
    });
};

type Lane<T> = { hasStarted: boolean; readonly running: Promise<T>; next: Promise<T> | null };

/** Merges calls per key; no result predates its call. */
export const mergeCalls = <T>(work: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const lanes = new Map<string, Lane<T>>();
  const start = (key: string): Promise<T> => {
    const running = Promise.resolve().then(() => {
      lane.hasStarted = true;

      return work(key);
    });
    const lane: Lane<T> = { hasStarted: false, running, next: null };
    lanes.set(key, lane);
    const end = () => {
      if (lane.next === null) lanes.delete(key);
    };
    running.then(end, end);

    return running;
  };

  return (key) => {
    const lane = lanes.get(key);
    if (!lane) return start(key);
    if (!lane.hasStarted) return lane.running;
    const startNext = () => start(key);

    return (lane.next ??= lane.running.then(startNext, startNext));
  };
};

type Lane<T> = { hasStarted: boolean; readonly running: Promise<T>; next: Promise<T> | null };

/** Merges calls with equal arguments, which have no zero characters; no result predates its call. */
export const mergeCalls = <Args extends readonly string[], T>(work: (...args: Args) => Promise<T>): ((...args: Args) => Promise<T>) => {
  const lanes = new Map<string, Lane<T>>();
  const start = (key: string, args: Args): Promise<T> => {
    const running = Promise.resolve().then(() => {
      lane.hasStarted = true;

      return work(...args);
    });
    const lane: Lane<T> = { hasStarted: false, running, next: null };
    lanes.set(key, lane);
    const end = () => {
      if (lane.next === null) lanes.delete(key);
    };
    running.then(end, end);

    return running;
  };

  return (...args) => {
    const key = args.join("\0");
    const lane = lanes.get(key);
    if (!lane) return start(key, args);
    if (!lane.hasStarted) return lane.running;
    const startNext = () => start(key, args);

    return (lane.next ??= lane.running.then(startNext, startNext));
  };
};

/** Auto-reset event with a timeout. */
export const createAutoResetEvent = (signal: AbortSignal) => {
  let rung = false;
  let wake: (() => void) | null = null;
  const ring = (): void => {
    rung = true;
    wake?.();
  };
  signal.addEventListener("abort", ring, { once: true });

  return {
    ring,
    wait: async (maxMs: number): Promise<void> => {
      await new Promise<void>((resolve) => {
        if (rung || signal.aborted) return resolve();
        const timer = setTimeout(resolve, maxMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      rung = false;
      wake = null;
    },
  };
};

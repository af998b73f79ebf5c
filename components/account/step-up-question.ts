/** Outside React: the user may navigate during a pending call. */
let answer: ((isProven: boolean) => void) | null = null;
let asked: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

const tell = () => {
  for (const listener of listeners) listener();
};

export const stepUpQuestion = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);

    return () => {
      listeners.delete(listener);
    };
  },
  isOpen: (): boolean => asked !== null,
  /** Asks, or joins an open question. @returns false when cancelled */
  ask: (): Promise<boolean> => {
    asked ??= new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    tell();

    return asked;
  },
  settle: (isProven: boolean): void => {
    answer?.(isProven);
    answer = null;
    asked = null;
    tell();
  },
};

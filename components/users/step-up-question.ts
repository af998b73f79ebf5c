/** Whether somebody is being asked to prove who they are. Not React: a call may be answered on another page than it was made on. */
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
  /** Asks, or joins whoever asks already. @returns whether they proved it; false when they put it off */
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

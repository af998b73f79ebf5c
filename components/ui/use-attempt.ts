"use client";

import { useState } from "react";

/** Runs a form's or dialog's asynchronous work. */
export const useAttempt = () => {
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>(null);

  /** @returns success; `error` is the reason otherwise */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setIsPending(true);
    setError(null);
    try {
      await work();

      return true;
    } catch (fault) {
      setError(fault);

      return false;
    } finally {
      setIsPending(false);
    }
  };

  return { attempt, isPending, error, reset: () => setError(null) };
};

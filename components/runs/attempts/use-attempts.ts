"use client";

import { parseAsBoolean, useQueryState } from "nuqs";

/** Stored in the URL (`?tried=true`). */
export const useAttemptsOpen = () => {
  const [isOpen, setOpen] = useQueryState("tried", parseAsBoolean.withDefault(false).withOptions({ history: "push" }));

  return { isOpen, setOpen: (next: boolean) => void setOpen(next ? true : null) };
};

"use client";

import { parseAsBoolean, useQueryState } from "nuqs";

/** Whether the refused proposals are open, stored in the URL (`?tried=true`). */
export const useAttemptsOpen = () => {
  const [isOpen, setOpen] = useQueryState("tried", parseAsBoolean.withDefault(false).withOptions({ history: "push" }));

  return { isOpen, setOpen: (next: boolean) => void setOpen(next ? true : null) };
};

"use client";

import { parseAsBoolean, useQueryState } from "nuqs";

/** Whether what was tried is looked at. It lives in the address (`?tried=true`). */
export const useAttemptsOpen = () => {
  const [isOpen, setOpen] = useQueryState("tried", parseAsBoolean.withDefault(false).withOptions({ history: "push" }));

  return { isOpen, setOpen: (next: boolean) => void setOpen(next ? true : null) };
};

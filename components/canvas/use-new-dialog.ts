"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";

const DIALOGS = ["graph", "template"] as const;

export const useNewDialog = (name: (typeof DIALOGS)[number]) => {
  const [open, setOpen] = useQueryState("new", parseAsStringLiteral(DIALOGS));

  return { isOpen: open === name, setOpen: (next: boolean) => void setOpen(next ? name : null) };
};

"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";

const DIALOGS = ["graph", "template"] as const;

/** A dialog of the graph list, stored in the URL (`?new=graph`), so that other pages can link to it. */
export const useNewDialog = (name: (typeof DIALOGS)[number]) => {
  const [open, setOpen] = useQueryState("new", parseAsStringLiteral(DIALOGS));

  return { isOpen: open === name, setOpen: (next: boolean) => void setOpen(next ? name : null) };
};

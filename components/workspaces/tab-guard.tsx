"use client";

import { useEffect, type ReactNode } from "react";
import { tab } from "./tab";

type Props = { readonly workspace: string | null; readonly children: ReactNode };

/** Withholds content of another workspace, which a navigation after a switch would render. */
export const TabGuard = ({ workspace, children }: Props) => {
  const isOther = workspace !== null && tab.showsOther(workspace);
  useEffect(() => {
    if (isOther) tab.markStale();
  }, [isOther]);

  return isOther ? null : children;
};

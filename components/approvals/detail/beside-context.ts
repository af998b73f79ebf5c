"use client";

import { createContext } from "react";
import type { ApprovalAround } from "@/components/approvals/types";
import type { Transition } from "@/lib/engine/event";

export type Beside = {
  readonly runId: string;
  /** Null while it loads, and where it is unavailable. */
  readonly around: ApprovalAround | null;
  /** The signed transition; null when its bytes don't match the view. */
  readonly transition: Transition | null;
  /** Whether this reader may reveal hidden values; each reveal is recorded. */
  readonly mayReveal: boolean;
};

/** Context of a view: links into the run and values that may be revealed. Not part of what is signed. */
export const BesideContext = createContext<Beside | null>(null);

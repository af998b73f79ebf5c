"use client";

import { createContext } from "react";
import type { ApprovalAround } from "@/components/approvals/types";
import type { Transition } from "@/lib/engine/event";

export type Beside = {
  readonly runId: string;
  /** Null until it has arrived, and where it cannot be known. */
  readonly around: ApprovalAround | null;
  /** What is signed; null when its bytes are not what the view names. */
  readonly transition: Transition | null;
  /** Whether this reader may open hidden values, on record. */
  readonly mayReveal: boolean;
};

/** What is known beside a view: links into the run, and what may be opened. Nothing of it is part of what is signed. */
export const BesideContext = createContext<Beside | null>(null);

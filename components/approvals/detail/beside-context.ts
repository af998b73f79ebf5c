"use client";

import { createContext } from "react";
import type { ApprovalAround } from "@/components/approvals/types";
import type { Transition } from "@/lib/engine/event";

export type Beside = {
  readonly runId: string;
  readonly around: ApprovalAround | null;
  readonly transition: Transition | null;
  /** Each reveal is recorded. */
  readonly mayReveal: boolean;
};

/** Run links and revealable values, not part of the signed view. */
export const BesideContext = createContext<Beside | null>(null);

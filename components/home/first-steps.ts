import type { RunStatus } from "@/lib/engine/event";

export type StepFacts = {
  readonly runs: readonly { readonly id: string; readonly status: RunStatus; readonly refusals: number }[];
  readonly decided: readonly { readonly status: string }[];
  /** Verified in this browser. */
  readonly verified: readonly string[];
};

export type Step = { readonly id: string; readonly title: string; readonly how: string; readonly href: string; readonly isDone: boolean };

export const listFirstSteps = ({ runs, decided, verified }: StepFacts): readonly Step[] => {
  const attacked = runs.find(({ refusals }) => refusals > 0);
  const newest = runs[0];

  return [
    {
      id: "attack",
      title: "Watch an attack fail",
      how: attacked
        ? "Each refused attempt is a record of the run. Read the attempt."
        : "As a builder, start the support desk with the hostile mail and the compromised agents.",
      href: attacked ? `/runs/${attacked.id}` : "/graphs",
      isDone: attacked !== undefined,
    },
    {
      id: "decide",
      title: "Decide a risky step",
      how: "As a reviewer, check what would change and where each value comes from. Then approve or reject.",
      href: "/approvals",
      isDone: decided.some(({ status }) => status === "approved" || status === "rejected"),
    },
    {
      id: "verify",
      title: "Verify the ledger",
      how: "Open a run and let your browser recompute every hash and signature.",
      href: newest ? `/runs/${newest.id}` : "/runs",
      isDone: verified.length > 0,
    },
  ];
};

"use client";

import { ProblemFixes } from "@/components/canvas/analyst/problem-fixes";
import { Witness } from "@/components/analysis/witness";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { ShowFlow } from "@/components/canvas/overlay/show-flow";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Mark } from "@/components/ui/marks/mark";
import type { Step } from "@/lib/graph/analyse/flows";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";

type Props = {
  readonly problems: readonly Problem[];
  readonly current: string | null;
  readonly onJump: (problem: Problem) => void;
  readonly onStep?: (problem: Problem, step: Step) => void;
};

export const ProblemsPanel = ({ problems, current, onJump, onStep }: Props) => {
  const isChecked = useCanvas((state) => state.checked !== null);
  const nameOf = useNodeNames();
  if (!isChecked) return <SkeletonRows />;
  if (problems.length === 0)
    return (
      <EmptyState kind="nothing_yet" title="No problems">
        The graph can be published as it is.
      </EmptyState>
    );

  return (
    <ul className="divide-y">
      {problems.map((found, index) => {
        const id = getProblemId(found);
        const isError = found.severity === "error";

        return (
          <li
            key={`${id} ${index}`}
            data-problem={id}
            className={cn("flex flex-col items-start gap-1.5 px-3 py-2", id === current && "bg-accent-soft")}
          >
            <button
              type="button"
              className="flex flex-col items-start gap-1 text-left text-sm hover:text-accent"
              onClick={() => onJump(found)}
            >
              <Mark kind={isError ? "refused" : "tainted"}>{isError ? "Error" : "Warning"}</Mark>
              {found.message}
            </button>
            {found.witness ? (
              <Witness steps={found.witness} nameOf={nameOf} {...(onStep ? { onStep: (step: Step) => onStep(found, step) } : {})} />
            ) : null}
            <div className="flex flex-wrap gap-2 empty:hidden">
              <ProblemFixes problem={found} />
              <ShowFlow problem={found} />
            </div>
          </li>
        );
      })}
    </ul>
  );
};

"use client";

import { ProblemFixes } from "@/components/canvas/analyst/problem-fixes";
import { Callout } from "@/components/ui/callout";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";

export const NodeProblems = ({ problems }: { readonly problems: readonly Problem[] }) =>
  problems.map((found, index) => (
    <Callout key={`${getProblemId(found)} ${index}`} kind={found.severity === "error" ? "refused" : "tainted"} title={found.message}>
      {found.fix || found.widens ? (
        <div className="mt-1 flex flex-wrap gap-2">
          <ProblemFixes problem={found} />
        </div>
      ) : null}
    </Callout>
  ));

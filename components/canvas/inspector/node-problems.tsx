"use client";

import { applyFix } from "@/components/canvas/analyst/apply-fix";
import { useCanvasStore } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";

/** Problems of the selection, with fixes. */
export const NodeProblems = ({ problems }: { readonly problems: readonly Problem[] }) => {
  const store = useCanvasStore();

  return problems.map((found, index) => (
    <Callout key={`${getProblemId(found)} ${index}`} kind={found.severity === "error" ? "refused" : "tainted"} title={found.message}>
      {found.fix ? (
        <Button size="sm" className="mt-1" onClick={() => applyFix(store, found)}>
          {found.fix.title}
        </Button>
      ) : null}
    </Callout>
  ));
};

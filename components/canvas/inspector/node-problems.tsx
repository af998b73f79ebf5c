"use client";

import { useEdit } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { problemId, type Problem } from "@/lib/graph/problems/problem";

/** What is wrong with the thing that is selected, where it can be put right. */
export const NodeProblems = ({ problems }: { readonly problems: readonly Problem[] }) => {
  const edit = useEdit();

  return problems.map((found, index) => (
    <Callout key={`${problemId(found)} ${index}`} kind={found.severity === "error" ? "refused" : "tainted"} title={found.message}>
      {found.fix ? (
        <Button size="sm" className="mt-1" onClick={() => edit(found.fix?.edits ?? [])}>
          {found.fix.title}
        </Button>
      ) : null}
    </Callout>
  ));
};

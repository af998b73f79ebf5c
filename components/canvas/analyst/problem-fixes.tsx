"use client";

import { AgentDialog } from "@/components/agents/agent-dialog";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/lib/graph/problems/problem";
import { applyFix } from "./apply-fix";

/** Opens the agent, outside the graph, for a person to widen and save. */
const Widen = ({ agent: id, side, path }: NonNullable<Problem["widens"]>) => {
  const catalog = useCanvas((state) => state.catalog);
  const agent = catalog.agents.find((known) => known.id === id);
  const label = `Let ${agent?.name ?? id} ${side === "read_keys" ? "read" : "write"} ${path}…`;

  return <AgentDialog agentId={id} tools={catalog.tools} label={label} adds={{ side, path }} onSaved={() => undefined} />;
};

/** Fixes of a problem; none if read-only. */
export const ProblemFixes = ({ problem }: { readonly problem: Problem }) => {
  const store = useCanvasStore();
  const isReadOnly = useCanvas((state) => state.readOnly !== null);
  if (isReadOnly) return null;

  return (
    <>
      {problem.fix ? (
        <Button size="sm" onClick={() => applyFix(store, problem)}>
          {problem.fix.title}
        </Button>
      ) : null}
      {problem.widens ? <Widen {...problem.widens} /> : null}
    </>
  );
};

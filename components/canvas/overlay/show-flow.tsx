"use client";

import { useMemo } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import type { Flow } from "@/lib/graph/analyse/flows";
import { getFlowId } from "@/lib/graph/analyse/sinks";
import type { Problem } from "@/lib/graph/problems/problem";
import { useOverlay } from "./use-overlay";

/** A witness identifies its flow. */
const isOf = (problem: Problem, { sink, witness }: Flow): boolean =>
  (problem.node === sink.node || (sink.kind === "route" && problem.edge === sink.edge)) &&
  JSON.stringify(witness) === JSON.stringify(problem.witness);

export const ShowFlow = ({ problem }: { readonly problem: Problem }) => {
  const flows = useCanvas((state) => state.findings.flows);
  const flow = useMemo(() => (problem.witness ? flows.find((one) => isOf(problem, one)) : undefined), [flows, problem]);
  const { setPlace } = useOverlay();
  if (!flow) return null;
  const overlay = flow.kind === "confidential" ? "secrets" : "taint";

  return (
    <Button size="sm" variant="ghost" onClick={() => void setPlace({ overlay, flow: getFlowId(flow), step: null, panel: "overlay" })}>
      Show on canvas
    </Button>
  );
};

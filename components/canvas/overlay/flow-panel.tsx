"use client";

import { useReactFlow } from "@xyflow/react";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import type { Flow } from "@/lib/graph/analyse/flows";
import { getFlowId } from "@/lib/graph/analyse/sinks";
import { describeSink } from "@/lib/graph/analyse/labels";
import { getNodeName } from "@/lib/graph/facts/facts";
import { describeEffectClass } from "@/lib/graph/problems/effects";
import { Told } from "./disclosures";
import { FlowCard, decorateVerdict } from "./flow-card";
import { isLookedAt } from "./current-flows";
import { useUnreachable, type OverlayState } from "./use-overlay";

/** Others are found on their nodes. */
const MOST_LISTED = 100;

const VIEW = { maxZoom: 1, duration: 0, padding: 2 };

type RowProps = { readonly flow: Flow; readonly isChosen: boolean; readonly onChoose: () => void };

const Row = ({ flow, isChosen, onChoose }: RowProps) => {
  const nameOf = useNodeNames();
  const { kind, word } = decorateVerdict(flow);

  return (
    <li className={cn(isChosen && "bg-accent-soft")}>
      <button
        type="button"
        aria-current={isChosen || undefined}
        className="flex w-full flex-col items-start gap-1 px-3 py-2 text-left text-sm hover:bg-hover"
        onClick={onChoose}
      >
        <Mark kind={kind} bare>
          {word}
        </Mark>
        {describeSink(flow.sink, nameOf)}.
      </button>
    </li>
  );
};

const Unreachable = () => {
  const select = useCanvas((state) => state.select);
  const unreachable = useUnreachable();
  if (unreachable.length === 0) return null;

  return (
    <ul aria-label="Unreachable effects" className="divide-y border-b">
      {unreachable.map(({ node, effect }) => (
        <li key={node.id}>
          <button
            type="button"
            className="flex w-full flex-col items-start gap-1 px-3 py-2 text-left text-sm hover:bg-hover"
            onClick={() => select({ nodes: [node.id], edges: [] })}
          >
            <Mark kind="waiting" bare>
              Unreachable
            </Mark>
            “{getNodeName(node)}” {describeEffectClass(effect)}, but no path from the start reaches it.
          </button>
        </li>
      ))}
    </ul>
  );
};

export const FlowPanel = ({ overlay, flows, chosen, step, setPlace }: OverlayState) => {
  const store = useCanvasStore();
  const isChecked = useCanvas((state) => state.checked !== null);
  const isLooked = useCanvas(isLookedAt);
  const { fitView } = useReactFlow();
  const look = (id: string) => void fitView({ ...VIEW, nodes: [{ id }] });
  const choose = (flow: Flow) => {
    void setPlace({ flow: getFlowId(flow), step: null });
    const ids = [...new Set(flow.witness.flatMap((one) => ("node" in one ? [one.node] : [])))];
    void fitView({ maxZoom: 1, duration: 0, padding: 0.3, nodes: ids.map((id) => ({ id })) });
  };
  const toStep = (index: number) => {
    const at = chosen?.witness[index];
    if (chosen) void setPlace({ flow: getFlowId(chosen), step: index });
    if (at && "node" in at) look(at.node);
  };
  if (!isChecked) return <p className="p-3 text-sm text-muted">Analysing the graph…</p>;
  if (!isLooked)
    return <p className="p-3 text-sm text-muted">The graph can't be analysed yet. Fix the schema errors in the Problems panel first.</p>;
  if (flows.length === 0) {
    return overlay === "secrets" ? (
      <>
        <EmptyState kind="nothing_yet" title="No leaks">
          No tool can receive data that it is not cleared for.
        </EmptyState>
        <Told />
      </>
    ) : (
      <>
        <Unreachable />
        <EmptyState kind="nothing_yet" title="No untrusted flows">
          No untrusted data reaches an effect, a guarded key or a decision.
        </EmptyState>
      </>
    );
  }

  return (
    <>
      {chosen ? (
        <FlowCard
          flow={chosen}
          step={step}
          onStep={toStep}
          onClose={() => {
            store.getState().select({ nodes: [], edges: [] });
            void setPlace({ flow: null, step: null });
          }}
        />
      ) : null}
      {overlay === "taint" ? <Unreachable /> : null}
      <ul aria-label="Flows, worst first" className="divide-y">
        {flows.slice(0, MOST_LISTED).map((flow) => (
          <Row key={getFlowId(flow)} flow={flow} isChosen={flow === chosen} onChoose={() => choose(flow)} />
        ))}
      </ul>
      {overlay === "secrets" ? <Told /> : null}
      {flows.length > MOST_LISTED ? (
        <p className="px-3 py-2 text-xs text-muted">And {flows.length - MOST_LISTED} more: select a node to see what reaches it.</p>
      ) : null}
    </>
  );
};

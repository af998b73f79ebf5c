"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useDeferredValue, useMemo } from "react";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { Flow } from "@/lib/graph/analyse/flows";
import type { Verdict } from "@/lib/graph/analyse/verdict";
import { describeFlow } from "@/lib/graph/analyse/labels";
import { findRemedies } from "@/lib/graph/remedies";
import { CARD } from "./overlay-commands";
import { PathList } from "./path-list";

const VERDICT_LOOKS: Record<Verdict, { readonly kind: MarkKind; readonly word: string }> = {
  open: { kind: "refused", word: "No approval" },
  noted: { kind: "tainted", word: "Influenced" },
  held: { kind: "waiting", word: "Needs approval" },
};

/** Approval can't allow a call without clearance. */
export const decorateVerdict = ({ kind, verdict }: Flow): { readonly kind: MarkKind; readonly word: string } =>
  kind === "confidential" ? { kind: "refused", word: "Not cleared" } : VERDICT_LOOKS[verdict];

const Fixes = ({ flow }: { readonly flow: Flow }) => {
  const store = useCanvasStore();
  const readOnly = useCanvas((state) => state.readOnly);
  const catalog = useCanvas((state) => state.catalog);
  const document = useDeferredValue(useDocument());
  const fixes = useMemo(() => findRemedies(document, catalog, flow), [document, catalog, flow]);
  const apply = (title: string) => {
    const { history, edit } = store.getState();
    // A stale fix would undo later edits.
    const fix = findRemedies(history.document, catalog, flow).find((one) => one.title === title);
    if (fix) edit(fix.edits);
    globalThis.document.getElementById(CARD)?.focus();
  };
  if (flow.verdict !== "open") return null;
  if (fixes.length === 0) return <p className="text-xs text-muted">No automatic fix is available.</p>;

  return (
    <fieldset aria-label="Fixes" className="flex flex-wrap gap-2">
      {fixes.map(({ title }, index) => (
        <Button
          key={title}
          size="sm"
          variant={index === 0 ? "primary" : "secondary"}
          disabledReason={readOnly}
          onClick={() => apply(title)}
        >
          {title}
        </Button>
      ))}
    </fieldset>
  );
};

type Props = {
  readonly flow: Flow;
  readonly step: number | null;
  readonly onStep: (step: number) => void;
  readonly onClose: () => void;
};

export const FlowCard = ({ flow, step, onStep, onClose }: Props) => {
  const nameOf = useNodeNames();
  const { kind, word } = decorateVerdict(flow);
  const last = flow.witness.length - 1;

  return (
    <section id={CARD} tabIndex={-1} aria-label="Selected flow" className="flex flex-col gap-3 border-b bg-canvas p-3">
      <div className="flex items-center gap-2">
        <Mark kind={kind}>{word}</Mark>
        <span className="flex-1" />
        <Button
          size="icon"
          variant="ghost"
          aria-label="Highlight previous step"
          disabledReason={step === null || step === 0 ? "This is the first step" : null}
          onClick={() => onStep((step ?? 1) - 1)}
        >
          <ChevronLeft aria-hidden />
        </Button>
        <Button
          size="icon"
          variant="ghost"
          aria-label="Highlight next step"
          disabledReason={step === last ? "This is the last step" : null}
          onClick={() => onStep(step === null ? 0 : step + 1)}
        >
          <ChevronRight aria-hidden />
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          All
        </Button>
      </div>
      <p className="text-sm">{describeFlow(flow, nameOf)}</p>
      <PathList steps={flow.witness} nameOf={nameOf} current={step} onStep={onStep} />
      {flow.gates.length === 0 ? null : <p className="text-xs text-muted">Approvals on this route: {flow.gates.map(nameOf).join(", ")}.</p>}
      <Fixes flow={flow} />
    </section>
  );
};

"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { stripPrefix } from "@/lib/engine/frame";
import { explainTaint, type TaintStep } from "@/lib/engine/labels/why-tainted";
import type { Entry } from "./entries";
import { LabelMark } from "@/components/values/label-mark";
import { formatNodeTitle, trackPlacesBefore, type NodeNames } from "./node-names";
import { shortenPath } from "@/components/values/shorten-path";

const VIA = {
  written: "wrote this value",
  read: "was read by the next record",
  effect: "requested the next record",
  gate: "was decided in the next record",
  control: "led to the next record",
} as const satisfies Record<TaintStep["via"], string>;

const Step = ({ step, node }: { readonly step: TaintStep; readonly node: string | null }) => (
  <li className="flex flex-wrap items-center gap-x-2 py-1">
    <span className="tabular w-8 text-right font-mono text-xs text-faint">{step.seq}</span>
    <LabelMark integrity={step.label.integrity} shapeOnly />
    <span className="font-mono text-xs break-all" title={step.path ?? undefined}>
      {step.path === null ? step.proposalKind.replaceAll("_", " ") : shortenPath(stripPrefix(step.path))}
    </span>
    <span className="text-xs text-muted">
      {node === null ? "" : `in ${node}, `}
      {VIA[step.via]}
    </span>
  </li>
);

const Chains = ({ entries, names, path, seq }: Omit<Props, "shownPath">) => {
  const records = entries.flatMap((entry) => entry.record ?? []);
  const taint = explainTaint(records, path, seq);
  if (!taint) return <p className="text-sm text-muted">No untrusted value at this path.</p>;
  const places = trackPlacesBefore(entries);
  const nodeOf = (step: TaintStep) => (step.node === null ? null : formatNodeTitle(names, places[step.seq] ?? [], step.node));

  return (
    <ul className="flex flex-col gap-3">
      {taint.chains.map((chain) => (
        <li key={chain.source}>
          <h3 className="font-mono text-xs font-semibold break-all">{chain.source}</h3>
          <ol>
            {chain.steps.map((step) => (
              <Step key={`${step.seq} ${step.path ?? ""}`} step={step} node={nodeOf(step)} />
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
};

type Props = {
  readonly entries: readonly Entry[];
  readonly names: NodeNames;
  readonly path: string;
  readonly shownPath: string;
  /** After this record. */
  readonly seq: number;
};

/** Shortest taint path from each source, by ledger data only. */
export const WhyTainted = ({ shownPath, ...asked }: Props) => (
  <Dialog
    title={`Why ${shortenPath(shownPath)} is tainted`}
    description="The shortest path that data took from each source. Values themselves are not inspected."
    size="lg"
    trigger={
      <Button size="sm" variant="ghost" aria-label={`Why? ${shortenPath(shownPath)} is tainted`}>
        Why?
      </Button>
    }
  >
    <Chains {...asked} />
  </Dialog>
);

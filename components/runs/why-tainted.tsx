"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { LedgerRecord } from "@/lib/engine/record";
import { whyTainted, type TaintStep } from "@/lib/engine/why-tainted";
import { LabelMark } from "./label-mark";

const VIA = {
  written: "stands there since",
  read: "was read for",
  effect: "asked for",
  gate: "was decided in",
  control: "led the way to",
} as const satisfies Record<TaintStep["via"], string>;

const Step = ({ step }: { readonly step: TaintStep }) => (
  <li className="flex flex-wrap items-center gap-2 py-1">
    <span className="tabular w-8 text-right font-mono text-xs text-faint">{step.seq}</span>
    <LabelMark integrity={step.label.integrity} shapeOnly />
    <span className="font-mono text-xs break-all">{step.path ?? step.proposal_kind}</span>
    <span className="text-xs text-muted">
      {step.node === null ? "" : `in ${step.node}, `}
      {VIA[step.via]}
      {step.via === "written" ? "" : " the next one"}
    </span>
  </li>
);

const Chains = ({ records, path, seq }: Omit<Props, "shownPath">) => {
  const taint = whyTainted(records, path, seq);
  if (!taint) return <p className="text-sm text-muted">Nothing untrusted stands there.</p>;

  return (
    <ul className="flex flex-col gap-3">
      {taint.chains.map((chain) => (
        <li key={chain.source}>
          <h3 className="font-mono text-xs font-semibold break-all">{chain.source}</h3>
          <ol>
            {chain.steps.map((step) => (
              <Step key={`${step.seq} ${step.path ?? ""}`} step={step} />
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
};

type Props = {
  readonly records: readonly LedgerRecord[];
  /** As the ledger has it. */
  readonly path: string;
  readonly shownPath: string;
  /** The record after which it is asked. */
  readonly seq: number;
};

/** How untrusted data came to a path: from each source the shortest way, by the ledger alone. */
export const WhyTainted = ({ records, path, shownPath, seq }: Props) => (
  <Dialog
    title={`Why ${shownPath} is tainted`}
    description="From each source, the shortest way that its data took. No value is looked at."
    size="lg"
    trigger={
      <Button size="sm" variant="ghost">
        Why?
      </Button>
    }
  >
    <Chains records={records} path={path} seq={seq} />
  </Dialog>
);

"use client";

import { LabelMark } from "@/components/values/label-mark";
import { shortenPath } from "@/components/values/shorten-path";
import { Badge } from "@/components/ui/badge";
import { count } from "@/lib/format";
import { joinLabels } from "@/lib/graph/label";
import { stripPrefix } from "@/lib/engine/frame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { SliceStep } from "@/lib/engine/ledger/slice";

/** The rest is counted. */
const MOST_SHOWN = 400;
/** Keeps deep text readable. */
const DEEPEST = 12;

export const BACKWARD = {
  written: "wrote this value",
  read: "was read by the record above",
  effect: "requested the call above",
  gate: "opened the gate above",
  control: "led to the record above",
} as const satisfies Record<SliceStep["via"], string>;

export const FORWARD = {
  written: "wrote this value",
  read: "read this value",
  effect: "is the result of the call above",
  gate: "is the decision at the gate above",
  control: "was reached through the record above",
} as const satisfies Record<SliceStep["via"], string>;

type Props = {
  readonly label: string;
  readonly steps: readonly SliceStep[];
  readonly words: Readonly<Record<SliceStep["via"], string>>;
  readonly recordAt: (seq: number) => LedgerRecord | null | undefined;
  readonly nodeOf: (record: LedgerRecord) => string | null;
  readonly onJump: (seq: number) => void;
};

const Step = ({ step, words, recordAt, nodeOf, onJump }: Omit<Props, "label" | "steps"> & { readonly step: SliceStep }) => {
  const record = recordAt(step.seq);
  const node = record ? nodeOf(record) : null;
  const integrity = record && record.writes.length > 0 ? joinLabels(record.writes.map((write) => write.label)).integrity : null;

  return (
    <li style={{ paddingLeft: `${Math.min(step.depth, DEEPEST)}rem` }} className="flex flex-wrap items-center gap-x-2 py-0.5">
      <button
        type="button"
        className="tabular inline-flex min-h-6 items-center font-mono text-xs text-accent underline underline-offset-2"
        onClick={() => onJump(step.seq)}
      >
        record {step.seq}
      </button>
      {integrity === null ? null : <LabelMark integrity={integrity} shapeOnly />}
      <span className="text-xs">{(record?.proposal_kind ?? "").replaceAll("_", " ")}</span>
      {node === null ? null : <span className="text-xs text-muted">in {node}</span>}
      <span className="text-xs text-muted">
        {words[step.via]}
        {step.path === null || step.via === "written" ? "" : ": "}
        {step.path === null || step.via === "written" ? null : (
          <span className="font-mono break-all" title={step.path}>
            {shortenPath(stripPrefix(step.path))}
          </span>
        )}
      </span>
      {step.isInput ? <Badge>from outside</Badge> : null}
    </li>
  );
};

export const SliceList = ({ label, steps, ...rest }: Props) => (
  <>
    <ol aria-label={label}>
      {steps.slice(0, MOST_SHOWN).map((step) => (
        <Step key={step.seq} step={step} {...rest} />
      ))}
    </ol>
    {steps.length > MOST_SHOWN ? (
      <p className="mt-1 text-xs text-muted">{count(steps.length - MOST_SHOWN)} more records not shown</p>
    ) : null}
  </>
);

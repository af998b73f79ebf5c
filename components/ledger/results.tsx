import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import type { LedgerFault } from "@/lib/engine/verify/fault-text";
import { FAULT_TEXT } from "@/lib/engine/verify/fault-text";
import type { WorkspaceExportVerification } from "@/lib/engine/verify/verify-workspace-export";
import { listWorkspaceNotProved } from "@/lib/engine/verify/verify-workspace-export";
import { count } from "@/lib/format";
import { NotProved } from "@/components/proof/not-proved";

type Fault = { readonly reason: LedgerFault; readonly run: string | null; readonly seq: number | null };

const titleOf = ({ run, seq, reason }: Fault): string => {
  if (run === null) return `The log is invalid: ${reason}`;
  if (seq === null) return `Run ${run.slice(0, 8)} is invalid: ${reason}`;

  return `Record ${seq} of run ${run.slice(0, 8)} is invalid: ${reason}`;
};

/** First fault with a link; `ownLedger` has no run page. */
export const FaultCallout = ({
  fault,
  ownLedger,
  isLab = false,
}: {
  readonly fault: Fault;
  readonly ownLedger: string;
  readonly isLab?: boolean;
}) => (
  <Callout kind="refused" title={titleOf(fault)} alert>
    <p>{FAULT_TEXT[fault.reason]} Don&apos;t rely on anything after it.</p>
    {fault.run === null || fault.run === ownLedger || isLab ? null : (
      <Link href={fault.seq === null ? `/runs/${fault.run}` : `/runs/${fault.run}?t=${fault.seq}`} className="underline underline-offset-2">
        Go to {fault.seq === null ? "the run" : `record ${fault.seq}`}
      </Link>
    )}
  </Callout>
);

type Figures = readonly (readonly [label: string, value: string])[];

const figuresOf = (result: Extract<WorkspaceExportVerification, { ok: true }>): Figures => [
  ["Records", count(result.records)],
  ["Runs", count(result.runs)],
  ["Covered by latest checkpoint", count(result.counted)],
  ["Logged after it", count(result.logged)],
  ["Not logged yet", count(result.pending)],
  ["Checkpoints, each extending the previous one", count(result.checkpoints)],
  ["Compared with kept checkpoints", result.kept === 0 ? "none" : `${count(result.kept)} checkpoint${result.kept === 1 ? "" : "s"}`],
];

type Props = {
  readonly result: WorkspaceExportVerification;
  readonly ownLedger: string;
  readonly took: string | null;
  readonly isLab?: boolean;
};

export const WorkspaceResult = ({ result, ownLedger, took, isLab = false }: Props) => {
  if (!result.ok) {
    return (
      <>
        <FaultCallout fault={result} ownLedger={ownLedger} isLab={isLab} />
        {result.logIntactTo === null ? null : (
          <p className="text-xs text-muted">The log matches a checkpoint up to entry {count(result.logIntactTo)}.</p>
        )}
      </>
    );
  }

  return (
    <>
      <Callout kind="clean" title="Workspace verified" alert>
        <p>Checked every record and its link to the previous one, every head, every checkpoint, and the log against the records.</p>
        <dl className="mt-2 grid grid-cols-[minmax(11rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
          {figuresOf(result).map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="tabular">{value}</dd>
            </div>
          ))}
          {result.newest === null ? null : (
            <>
              <dt className="text-muted">Root</dt>
              <dd>
                <DigestChip digest={result.newest.checkpoint.root} label="root" />
              </dd>
            </>
          )}
          {took === null ? null : (
            <>
              <dt className="text-muted">Checked in</dt>
              <dd className="tabular">{took}</dd>
            </>
          )}
        </dl>
      </Callout>
      <NotProved gaps={listWorkspaceNotProved(result.kept > 0)} />
    </>
  );
};

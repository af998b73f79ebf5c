import Link from "next/link";
import type { ReactNode } from "react";
import { DigestChip } from "@/components/ui/digest-chip";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { ApprovalAround, ApprovalDetails } from "@/components/approvals/types";
import { getNodeTitle } from "./heading";
import { Place } from "./place";

const link = "font-medium text-accent underline underline-offset-2";

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-2">
    <dt className="text-xs leading-6 text-muted">{name}</dt>
    <dd className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm leading-6">{children}</dd>
  </div>
);

type Props = {
  readonly details: ApprovalDetails;
  readonly around: ApprovalAround | null;
  readonly failed: ReactNode;
};

export const Surroundings = ({ details, around, failed }: Props) => {
  const { run, gate, view } = details;

  return (
    <Panel title="Context">
      <dl className="flex flex-wrap gap-x-6 border-b px-3 py-1.5">
        <Fact name="Run">
          <Link className={link} href={gate.seq === null ? `/runs/${run.id}` : `/runs/${run.id}?t=${gate.seq}`}>
            {run.graphName} <span className="font-mono text-xs">{run.id.slice(0, 8)}</span>
          </Link>
          {gate.seq === null ? null : <span className="tabular text-xs text-muted">record {gate.seq}</span>}
        </Fact>
        <Fact name="Graph">
          <Link className={link} href={`/graphs/${run.graphId}`}>
            version {run.versionNumber}
          </Link>
          <DigestChip digest={view.graph_hash} label="graph digest" />
        </Fact>
        <Fact name="Node">
          {[...(around?.within ?? []), view.node].map((node) => getNodeTitle(details, node)).join(" / ")}{" "}
          <span className="font-mono text-xs text-muted">{view.node}</span>
        </Fact>
      </dl>
      {around ? (
        <Place around={around} runId={run.id} />
      ) : (
        (failed ?? (
          <div className="h-52">
            <SkeletonRows rows={5} />
          </div>
        ))
      )}
    </Panel>
  );
};

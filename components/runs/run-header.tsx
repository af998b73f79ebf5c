"use client";

import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { count } from "@/lib/format";
import type { Role } from "@/lib/roles";
import { heldBy, type RunState } from "@/lib/engine/state";
import { useAttemptsOpen } from "./attempts/use-attempts";
import { AskedLine } from "./asked-line";
import { withArticle } from "./blame/author";
import { CancelRun } from "./cancel-run";
import { LimitFigures } from "./limit-figures";
import type { NodeNames } from "./node-names";
import { PrefixProof } from "./prefix-proof";
import { RunComments } from "./run-comments";
import { RunActions } from "./run-actions";
import { describeEnd, findWaitEnd } from "./run-facts";
import { RunStatusMark } from "@/components/values/run-status";
import type { RunDetails } from "./types";
import { useStateOpen, WorkflowStateDialog } from "./workflow-state-dialog";

type Props = {
  readonly details: RunDetails;
  readonly state: RunState;
  /** After the first record; without goal until it is loaded. */
  readonly begun: RunState;
  readonly names: NodeNames;
  readonly role: Role;
  readonly onVerify: () => void;
};

const Figure = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div className="flex min-h-6 items-center gap-1.5">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="tabular flex items-center gap-1 text-sm">{children}</dd>
  </div>
);

/** The last shared record precedes the fork's first own one. */
const ForkedFrom = ({ run, parent }: { readonly run: RunDetails["run"]; readonly parent: string }) => {
  const shared = (run.forkSeq ?? 0) - 1;

  return (
    <>
      , forked from{" "}
      <Link href={shared < 0 ? `/runs/${parent}` : `/runs/${parent}?t=${shared}`} className="hover:text-ink hover:underline">
        <span className="font-mono">{parent.slice(0, 8)}</span>
        {shared < 0 ? " at the start" : ` after record ${shared}`}
      </Link>
    </>
  );
};

export const RunHeader = ({ details: { run }, state, begun, names, role, onVerify }: Props) => {
  const attempts = useAttemptsOpen();
  const status = state.version === 0 ? run.status : state.status;
  const waiting = Object.values(state.gates).find((gate) => gate.status === "open");
  const held = heldBy(state)?.gate.transition.effect;
  const model = state.start?.model ?? null;
  const waitEnd = findWaitEnd(state);
  const end = describeEnd(state, names.at([]));
  const workflowState = useStateOpen();

  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b bg-surface px-6 py-3 max-sm:px-4">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="text-xs text-muted">
          <Link href="/runs" className="hover:text-ink hover:underline">
            Runs
          </Link>{" "}
          / <span className="font-mono">{run.id.slice(0, 8)}</span>
          {run.parentRun === null ? null : <ForkedFrom run={run} parent={run.parentRun} />}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="truncate text-lg font-semibold">{run.graphName || "Run"}</h1>
          <output aria-label="Run status">
            <RunStatusMark status={status} />
          </output>
          {run.simulated ? <Badge>Simulation: no tools are called</Badge> : null}
          {run.frozen === null ? null : <Mark kind="refused">Frozen: {run.frozen}</Mark>}
          {waiting ? (
            <Link href={`/approvals/${waiting.gate.id}`} className="text-xs font-medium text-accent underline underline-offset-2">
              Waiting for {withArticle(waiting.gate.role)}
            </Link>
          ) : null}
          {waitEnd === null ? null : (
            <span className="text-xs text-muted">
              expires <RelativeTime at={waitEnd} />
            </span>
          )}
          {end === null ? null : <span className="text-xs text-muted">{end}</span>}
          {held ? (
            <Link
              href={`/admin/mcp/${held.server}?tool=${held.tool}`}
              className="text-xs font-medium text-accent underline underline-offset-2"
            >
              Waiting for {held.tool} to become available
            </Link>
          ) : null}
        </div>
      </div>
      <div className="flex items-center gap-2 max-sm:flex-wrap">
        <Link href={`/graphs/${run.graphId}`} className={buttonStyle({ size: "sm", variant: "ghost" })}>
          Open graph
        </Link>
        <RunComments runId={run.id} role={role} />
        <CancelRun runId={run.id} status={status} role={role} />
        <RunActions run={run} role={role} />
        <Button size="sm" variant="primary" onClick={onVerify}>
          Verify
        </Button>
      </div>
      {begun.version === 0 ? null : <AskedLine begun={begun} />}
      <dl className="-mt-1 flex w-full flex-wrap items-center gap-x-4 gap-y-1">
        <Figure label={run.versionNumber === null ? "Version" : `Version ${run.versionNumber}`}>
          <DigestChip digest={run.graphHash} label="version digest" />
        </Figure>
        <Figure label="Model">
          <span className="font-mono text-xs">{model ?? "…"}</span> {model?.startsWith("scripted") ? <Badge>scripted</Badge> : null}
        </Figure>
        {run.environment === null ? null : <Figure label="Environment">{run.environment}</Figure>}
        <Figure label="Started by">{run.initiatorName}</Figure>
        <LimitFigures state={state} updatedAt={run.updatedAt} />
        <Figure label="Refusals">
          {state.refusals > 0 ? <Mark kind="refused">{count(state.refusals)}</Mark> : "0"}
          <Button size="sm" variant="ghost" onClick={() => attempts.setOpen(true)}>
            View refused proposals
          </Button>
        </Figure>
        <div>
          <dt className="sr-only">Workflow state</dt>
          <dd className="max-sm:-ml-2">
            <Button size="sm" variant="ghost" onClick={() => workflowState.setOpen(true)}>
              View workflow state
            </Button>
          </dd>
        </div>
      </dl>
      {run.parentRun === null ? null : <PrefixProof run={run} parent={run.parentRun} />}
      <WorkflowStateDialog runId={run.id} version={state.version} />
    </header>
  );
};

"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { LabelMark } from "@/components/values/label-mark";
import { Provenance } from "@/components/values/provenance";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import type { Finding } from "@/lib/engine/approvals/case";
import type { Json } from "@/lib/json";
import { ViewLines } from "@/components/approvals/view-lines";
import type { ApprovalDetails, DeskDetails } from "@/components/approvals/types";
import { FieldTable } from "./field-table";
import { buildFieldRows, findFormObjection } from "./field-rows";
import { splitSource } from "./literal-places";
import { SealedPanel } from "./sealed-panel";
import { Seats } from "./seats";
import { SourceText } from "./source-text";
import { TargetText } from "./target-text";

const REFRESH_MS = 3_000;

type Props = {
  readonly details: ApprovalDetails;
  readonly findings: readonly Finding[];
  readonly onFindings: (findings: readonly Finding[]) => void;
};

const valueOf = (line: ViewLine | undefined): Json | undefined => (line?.after && !line.after.hidden ? line.after.value : undefined);

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const From = ({ line, people }: { readonly line: ViewLine | undefined; readonly people: ApprovalDetails["people"] }) =>
  line ? (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-1.5 text-xs">
      <LabelMark integrity={line.integrity} bare />
      <span className="text-muted">{line.confidentiality}</span>
      <Provenance sources={line.provenance} people={people} />
    </div>
  ) : null;

const Opened = ({ details, desk, findings, onFindings }: Props & { readonly desk: DeskDetails }) => {
  const lineAt = (path: string | null) => details.view.lines.find((line) => line.path === path);
  const target = valueOf(lineAt(desk.target));
  const source = valueOf(lineAt(desk.source));
  const parts = useMemo(() => (source === undefined ? null : splitSource(source)), [source]);
  const rows = useMemo(
    () => (target === undefined ? [] : buildFieldRows(target, desk.fields, desk.judge?.rules ?? [], parts)),
    [target, desk.fields, desk.judge, parts],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? rows.find(({ places }) => places.length > 0)?.name ?? null;
  if (target === undefined) {
    return (
      <EmptyState kind="not_permitted" title="You don't have access to the reviewed data.">
        Its classification is above your role's clearance.
      </EmptyState>
    );
  }
  const objection = desk.judge ? findFormObjection(target, desk.fields, rows) : null;

  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel
          title={desk.fields === null ? "Under review" : "Extracted fields"}
          actions={
            desk.judge ? (
              <Mark kind={objection === null ? "clean" : "refused"}>{objection ?? "Passes the judge's rules"}</Mark>
            ) : (
              <span className="text-xs text-muted">No judge follows</span>
            )
          }
        >
          <From line={lineAt(desk.target)} people={details.people} />
          <FieldTable rows={rows} hasSource={parts !== null} hasJudge={desk.judge !== null} shown={shown} onShow={setChosen} />
        </Panel>
        <Panel title="Source" actions={<span className="text-xs text-muted">{shown ? `${shown} highlighted` : ""}</span>}>
          <From line={lineAt(desk.source)} people={details.people} />
          {parts === null ? (
            <p className="px-3 py-2 text-sm text-muted">The graph declares no source, or you don&apos;t have access to it.</p>
          ) : (
            <SourceText parts={parts} row={rows.find(({ name }) => name === shown) ?? null} follow={chosen !== null} />
          )}
        </Panel>
      </div>
      <Panel title="Target as text" actions={<span className="text-xs text-muted">Invisible characters are written out</span>}>
        <TargetText
          text={textOf(target)}
          codes={desk.findingCodes}
          findings={findings}
          onFindings={onFindings}
          blocked={details.canDecide.ok ? null : details.canDecide.reason}
        />
      </Panel>
    </>
  );
};

/** Sealed values first. */
const Subject = (props: Props & { readonly desk: DeskDetails }) => {
  const { details, desk } = props;
  if (details.sealed.length > 0) {
    return <SealedPanel details={details} blocked={details.canOpen.ok ? null : details.canOpen.reason} />;
  }

  return desk.target === null ? <ViewLines view={details.view} people={details.people} /> : <Opened {...props} />;
};

export const ReviewDesk = (props: Props) => {
  const { details } = props;
  const trpc = useTRPC();
  const desk = useQuery(trpc.approvals.desk.queryOptions({ approvalId: details.approval.id }, { refetchInterval: REFRESH_MS }));
  if (desk.isPending) return <SkeletonRows rows={6} />;
  if (desk.isError) {
    const { message, requestId } = toApiError(desk.error);

    return (
      <EmptyState
        kind="failed"
        title="The review case could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void desk.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }

  return (
    <>
      <Seats desk={desk.data} />
      <Subject {...props} desk={desk.data} />
    </>
  );
};

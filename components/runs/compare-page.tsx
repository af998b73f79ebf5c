"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { QueryState } from "@/components/ui/query-state";
import { useTRPC } from "@/components/trpc/trpc";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { count, formatMoney } from "@/lib/format";
import { describeEndReason } from "@/lib/engine/end-reasons";
import type { Comparison, Divergence, Side } from "@/lib/engine/forks/compare";
import type { MemoryChange, Standing } from "@/lib/engine/timeline";
import { DifferenceSides, RecordLink, StepTable } from "./compare-steps";
import type { NameNode } from "@/lib/engine/events/event-entry";
import { ID_NAMES, getNodeNames, type NodeNames } from "./node-names";
import { RunStatusMark } from "@/components/values/run-status";
import type { RunDetails } from "./types";
import { ABSENT, toShown, type Shown } from "@/components/values/visible-value";
import { ValueDiff } from "./value-diff";

const ASPECTS = {
  record: "the proposal, its node, or whether it was refused",
  events: "the resulting events",
  writes: "the paths written",
  values: "a value",
  end: "one run had ended",
} as const satisfies Record<Divergence["aspect"], string>;

const sameIn = (common: number): string =>
  common === 0
    ? "The runs differ from the first record"
    : common === 1
      ? "The first record is identical"
      : `The first ${count(common)} records are identical`;

const FirstDifference = ({ found: { common, divergence, a, b } }: { readonly found: Comparison }) => {
  if (divergence === null) {
    return (
      <p className="text-sm">
        No visible differences in {count(common)} {common === 1 ? "record" : "records"}. Hidden values are not compared.
      </p>
    );
  }

  return (
    <p className="text-sm">
      {sameIn(common)}. {divergence.aspect === "end" ? "Then " : "The first difference is "}
      {ASPECTS[divergence.aspect]}: {divergence.a === null ? "no record" : <RecordLink run={a.run} seq={divergence.a} />} in run A,{" "}
      {divergence.b === null ? "no record" : <RecordLink run={b.run} seq={divergence.b} />} in run B.
    </p>
  );
};

const ForkNote = ({ run, otherId }: { readonly run: RunDetails["run"] | undefined; readonly otherId: string }) =>
  run && run.parentRun === otherId && run.forkSeq !== null ? (
    <p className="text-sm">
      Run B is a {run.simulated ? "simulated" : "live"} fork of run A
      {run.forkSeq === 0 ? " from the start" : ` after record ${run.forkSeq - 1}`}. Its change is in{" "}
      <RecordLink run={run.id} seq={run.forkSeq} />.
    </p>
  ) : null;

const shownOf = (standing: Standing | null): Shown => (standing === null ? ABSENT : toShown(standing));

/** Names what repeats once, with its count. */
const listOf = (names: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);

  return names.length === 0 ? "none" : Array.from(counts, ([name, times]) => (times === 1 ? name : `${name} (${times} times)`)).join(", ");
};

type Names = { readonly a: NodeNames; readonly b: NodeNames };
type Runs = { readonly a: RunDetails["run"] | undefined; readonly b: RunDetails["run"] | undefined };

const nameOfRun = (id: string, run: RunDetails["run"] | undefined): string => `${run?.graphName ?? "Run"} ${id.slice(0, 8)}`;

type Row = { readonly name: string; readonly of: (side: Side, name: NameNode, run: RunDetails["run"] | undefined) => React.ReactNode };

const ROWS: readonly Row[] = [
  {
    name: "Run",
    of: (side, _name, run) => (
      <Link href={`/runs/${side.run}`} className="inline-flex min-h-6 items-center text-accent underline underline-offset-2">
        {nameOfRun(side.run, run)}
      </Link>
    ),
  },
  { name: "Version", of: (_side, _name, run) => (run?.versionNumber ? `v${run.versionNumber}` : "") },
  { name: "Model", of: ({ model }) => <span className="font-mono text-xs">{model ?? "none"}</span> },
  { name: "Started by", of: (_side, _name, run) => run?.initiatorName ?? "" },
  {
    name: "Status",
    of: ({ status, endReason: reason }) => (
      <>
        <RunStatusMark status={status} />
        {reason === null ? null : <span className="ml-1.5 text-xs text-muted">{describeEndReason(reason) ?? reason}</span>}
      </>
    ),
  },
  { name: "Records", of: (side) => count(side.records) },
  { name: "Route", of: (side, name) => side.route.map(name).join(" → ") },
  { name: "Tokens", of: (side) => count(side.tokens) },
  { name: "Cost", of: (side) => formatMoney(side.costMicroUsd) },
  {
    name: "Refusals",
    of: (side, name) => listOf(side.refusals.map(({ code, node }) => (node === null ? code : `${code} in ${name(node)}`))),
  },
  {
    name: "Decisions",
    of: (side, name) => listOf(side.decisions.map(({ node, outcome }) => `${name(node)}: ${outcome.replaceAll("_", " ")}`)),
  },
];

type SidesProps = Pick<Comparison, "a" | "b"> & { readonly names: Names; readonly runs: Runs };

const Sides = ({ a, b, names, runs }: SidesProps) => (
  <table className="w-full table-fixed text-sm">
    <thead>
      <tr className="text-left text-xs text-muted">
        <th scope="col" className="w-38 px-3 max-sm:w-24 py-1.5 font-medium">
          Property
        </th>
        <th scope="col" className="px-3 py-1.5 font-medium">
          Run A
        </th>
        <th scope="col" className="px-3 py-1.5 font-medium">
          Run B
        </th>
      </tr>
    </thead>
    <tbody>
      {ROWS.map(({ name, of }) => (
        <tr key={name} className="border-t align-top">
          <th scope="row" className="px-3 py-1.5 text-left text-xs font-medium text-muted">
            {name}
          </th>
          <td className="px-3 py-1.5 break-words">{of(a, names.a.at([]), runs.a)}</td>
          <td className="px-3 py-1.5 break-words">{of(b, names.b.at([]), runs.b)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const MemoryRow = ({ change }: { readonly change: MemoryChange }) => (
  <li className="grid grid-cols-[8rem_minmax(0,1fr)] gap-6 border-t px-3 py-2 first:border-t-0 max-sm:grid-cols-1 max-sm:gap-y-1">
    <span className="font-mono text-xs font-medium break-all">{change.path}</span>
    <ValueDiff a={shownOf(change.before)} b={shownOf(change.after)} />
  </li>
);

type Props = { readonly runId: string; readonly otherId: string };

export const ComparePage = ({ runId, otherId }: Props) => {
  const trpc = useTRPC();
  const own = useQuery(trpc.runs.get.queryOptions({ runId }));
  const other = useQuery(trpc.runs.get.queryOptions({ runId: otherId }));
  const names = useMemo(
    () => ({ a: own.data ? getNodeNames(own.data.graph) : ID_NAMES, b: other.data ? getNodeNames(other.data.graph) : ID_NAMES }),
    [own.data, other.data],
  );
  const comparison = useQuery(trpc.runs.compare.queryOptions({ a: runId, b: otherId }));

  return (
    <>
      <PageHeader
        title="Compare runs"
        description={`${nameOfRun(runId, own.data?.run)} with ${nameOfRun(otherId, other.data?.run)}`}
        above={
          <Link href="/runs" className="hover:text-ink hover:underline">
            Runs
          </Link>
        }
      />
      <div className="flex flex-col gap-4 p-6 max-sm:px-3">
        <QueryState query={comparison} rows={8}>
          {(found) => (
            <>
              <div className="flex flex-col gap-1">
                <ForkNote run={other.data?.run} otherId={runId} />
                <FirstDifference found={found} />
              </div>
              <DifferenceSides found={found} names={names} />
              <Panel title="Summary">
                <Sides a={found.a} b={found.b} names={names} runs={{ a: own.data?.run, b: other.data?.run }} />
              </Panel>
              {found.steps.length === 0 ? null : (
                <Panel title="Step by step, from the first difference">
                  <StepTable found={found} names={names} />
                </Panel>
              )}
              <Panel title="Final memory">
                {found.memory.length === 0 ? <p className="px-3 py-3 text-sm text-muted">No visible differences.</p> : null}
                <ul>
                  {found.memory.map((change) => (
                    <MemoryRow key={change.path} change={change} />
                  ))}
                </ul>
              </Panel>
            </>
          )}
        </QueryState>
      </div>
    </>
  );
};

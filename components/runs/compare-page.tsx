"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { QueryState } from "@/components/ui/query-state";
import { useTRPC } from "@/components/trpc/trpc";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { count, formatMoney } from "@/lib/format";
import type { Comparison, Divergence, Side } from "@/lib/engine/forks/compare";
import type { MemoryChange, Standing } from "@/lib/engine/timeline";
import { DifferenceSides, RecordLink, StepTable } from "./compare-steps";
import type { NameNode } from "@/lib/engine/events/event-entry";
import { ID_NAMES, getNodeNames, type NodeNames } from "./node-names";
import { RunStatusMark } from "@/components/values/run-status";
import type { RunDetails } from "./types";
import { ABSENT, toShown, type Shown } from "@/components/values/visible-value";
import { ShownValue } from "@/components/values/value-text";

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

const listOf = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

type Names = { readonly a: NodeNames; readonly b: NodeNames };

const ROWS: readonly { readonly name: string; readonly of: (side: Side, name: NameNode) => React.ReactNode }[] = [
  {
    name: "Run",
    of: (side) => (
      <Link href={`/runs/${side.run}`} className="font-mono text-xs text-accent underline underline-offset-2">
        {side.run.slice(0, 8)}
      </Link>
    ),
  },
  { name: "Status", of: (side) => <RunStatusMark status={side.status} /> },
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

const Sides = ({ a, b, names }: Pick<Comparison, "a" | "b"> & { readonly names: Names }) => (
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
          <td className="px-3 py-1.5 break-words">{of(a, names.a.at([]))}</td>
          <td className="px-3 py-1.5 break-words">{of(b, names.b.at([]))}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const MemoryRow = ({ change }: { readonly change: MemoryChange }) => (
  <li className="grid grid-cols-[8rem_minmax(0,1fr)_minmax(0,1fr)] gap-6 border-t px-3 py-2 first:border-t-0 max-sm:grid-cols-2 max-sm:gap-x-3 max-sm:gap-y-1">
    <span className="font-mono text-xs font-medium break-all max-sm:col-span-2">{change.path}</span>
    <ShownValue shown={shownOf(change.before)} />
    <ShownValue shown={shownOf(change.after)} />
  </li>
);

type Props = { readonly runId: string; readonly otherId: string };

/** Compares two runs from their first difference. */
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
                <Sides a={found.a} b={found.b} names={names} />
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

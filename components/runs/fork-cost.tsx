"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { describeEnvelope } from "@/components/analysis/envelope-lines";
import { useTRPC } from "@/components/trpc/trpc";
import type { ForkChange, ForkEffects } from "@/lib/engine/forks/fork-change";
import { computeEnvelopeFrom } from "@/lib/engine/envelope/remaining";
import { createRunState, type RunState } from "@/lib/engine/state";
import type { NameNode } from "@/lib/engine/events/event-entry";
import type { RunDetails } from "./types";

type Props = {
  readonly run: RunDetails["run"];
  /** Null while incomplete. */
  readonly change: ForkChange | null;
  readonly effects: ForkEffects;
  readonly state: RunState;
  readonly name: NameNode;
};

const LINES_SHOWN = 4;

const versionOf = (run: RunDetails["run"], change: ForkChange | null): string =>
  change?.type === "version" ? change.graph_hash : run.graphHash;

/** Inputs restart the run. */
const stateOf = (state: RunState, change: ForkChange | null): RunState =>
  change?.type === "input" ? createRunState(state.workspace, state.run, state.graphHash, state.policyHash) : state;

export const ForkCost = ({ run, change, effects, state, name }: Props) => {
  const trpc = useTRPC();
  const hash = versionOf(run, change);
  const version = useQuery(trpc.graphs.version.queryOptions(run.graphId === "" ? skipToken : { hash }));
  const models = useQuery(trpc.models.list.queryOptions());
  if (!version.data || !models.data) return <p className="text-xs text-muted">Estimating the maximum cost…</p>;
  const model = change?.type === "model" ? change.model : (state.start?.model ?? "");
  const starting = { model, rates: new Map(models.data.map(({ id, rates }) => [id, rates])), limits: state.start?.limits ?? {} };
  const envelope = computeEnvelopeFrom(version.data.published, stateOf(state, change), starting, effects);

  return (
    <section aria-label="Maximum cost of the fork" className="rounded-md border px-3 py-2">
      <h3 className="text-xs font-semibold">Maximum, {envelope.node === null ? "whole graph" : `from ${name(envelope.node)} on`}</h3>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-xs">
        {describeEnvelope(envelope)
          .slice(0, LINES_SHOWN)
          .map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="tabular text-right">{value}</dd>
            </div>
          ))}
      </dl>
      <p className="mt-1 text-xs text-muted">Shared records are not repeated and cost nothing. Budgets start over.</p>
    </section>
  );
};

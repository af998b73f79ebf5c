"use client";

import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { explainDenial, type Role } from "@/lib/roles";
import { listChoicesOf, explainDeadEnd, NO_CHOICE, type ForkScene } from "./fork-choices";
import { EMPTY_DRAFT, FORK_FIELDS, forkChangeOf, type ForkDraft } from "./fork-draft";
import { ForkCost } from "./fork-cost";
import { ForkFields } from "./fork-fields";
import { listForkedGates, type ForkedGate } from "./fork-gates";
import type { RunDetails } from "./types";

const DIGEST_SHOWN = 8;

const useLists = (graphId: string, isOpen: boolean): Pick<ForkScene, "models" | "versions"> => {
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions(isOpen ? undefined : skipToken));
  const versions = useQuery(trpc.graphs.versions.queryOptions(isOpen ? { id: graphId } : skipToken));

  return {
    models: (models.data ?? []).map(({ id }) => ({ value: id, label: id })),
    versions: (versions.data ?? []).map(({ hash, number }) => ({
      value: hash,
      label: `Version ${number} (${hash.slice(0, DIGEST_SHOWN)})`,
    })),
  };
};

type FormProps = Props & { readonly onClose: () => void };

const objectionTo = (draft: ForkDraft, isLive: boolean, scene: ForkScene): string | null => {
  const { kind } = draft;
  const hasNone = FORK_FIELDS[kind].subject !== null && listChoicesOf(kind, scene).length === 0;
  if (isLive && kind === "decision") return "Only a simulated fork can change a decision.";
  if (isLive && kind === "route") return "Only a simulated fork can change the route.";
  if (isLive && kind === "strict_taint" && draft.text === "false" && scene.graph.strictTaint) {
    return "Only a simulated fork can turn strict taint off. To run live without it, publish a version that turns it off.";
  }

  return explainDeadEnd(kind, scene.state) ?? (hasNone ? NO_CHOICE[kind] : null);
};

const Gates = ({ gates }: { readonly gates: readonly ForkedGate[] }) =>
  gates.length === 0 ? null : (
    <section aria-label="Gates in the fork">
      <h3 className="text-xs font-semibold">Gates in the fork</h3>
      <ul className="mt-1 flex flex-col gap-0.5 text-xs text-muted">
        {gates.map(({ id, prompt, node, becomes }) => (
          <li key={id}>
            <span className="text-ink">{prompt || node}</span> {becomes}.
          </li>
        ))}
      </ul>
    </section>
  );

const ForkDialog = ({ run, after, onClose, ...known }: FormProps) => {
  const trpc = useTRPC();
  const router = useRouter();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isLive, setIsLive] = useState(false);
  const fork = useMutation(trpc.runs.fork.mutationOptions({ onSuccess: ({ runId: id }) => router.push(`/runs/${id}`) }));
  const scene = { ...known, ...useLists(run.graphId, true) };
  const change = forkChangeOf(draft);
  const objection = objectionTo(draft, isLive, scene);
  const seq = draft.kind === "input" ? 0 : after + 1;

  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={draft.kind === "input" ? "Fork from the start" : `Fork after record ${after}`}
      description="Starts a new run with the same records up to here and one change. Approvals are not inherited. Tool calls are simulated unless you choose live."
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabledReason={objection ?? (change.ok ? null : change.error)}
            pending={fork.isPending || fork.isSuccess ? "Forking…" : null}
            onClick={() => change.ok && fork.mutate({ runId: run.id, seq, change: change.value, effects: isLive ? "live" : "simulate" })}
          >
            Fork
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {fork.error ? <Callout kind="refused" title={toApiError(fork.error).message} alert /> : null}
        <ForkFields
          draft={draft}
          scene={scene}
          onChange={(next) => {
            fork.reset();
            setDraft(next);
          }}
        />
        {objection === null ? null : <p className="text-sm text-muted">{objection}</p>}
        {objection === null ? (
          <ForkCost
            run={run}
            change={change.ok ? change.value : null}
            effects={isLive ? "live" : "simulate"}
            state={known.state}
            name={known.names.at([])}
          />
        ) : null}
        {draft.kind === "input" ? null : <Gates gates={listForkedGates(known.state, change.ok ? change.value : null)} />}
        <Checkbox checked={isLive} onCheckedChange={setIsLive}>
          Live: call real tools, with new approval requests
        </Checkbox>
        <p className="text-xs text-muted">
          {isLive
            ? "Tool calls have real side effects."
            : "Simulated: no tools are called. Calls that this run already made return their recorded results. Any other call fails."}
        </p>
      </div>
    </Dialog>
  );
};

type Props = Omit<ForkScene, "models" | "versions"> & {
  readonly run: RunDetails["run"];
  readonly role: Role;
  readonly after: number;
};

export const ForkRun = (props: Props) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        data-shortcut="fork"
        disabledReason={explainDenial(props.role, "run.start")}
        onClick={() => setIsOpen(true)}
      >
        Fork from here
      </Button>
      {isOpen ? <ForkDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
};

"use client";

import { parseAsInteger, useQueryState } from "nuqs";
import { useMemo } from "react";
import { describeActor, type People } from "@/components/runs/blame/author";
import type { Entry } from "@/components/runs/entries";
import type { NodeNames } from "@/components/runs/node-names";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { formatAbsoluteTime, count } from "@/lib/format";
import { REFUSALS } from "@/lib/refusal";
import { listAttempts, type Denied, type RefusedGroup } from "./attempts";
import { useAttemptsOpen } from "./use-attempts";

type Jump = { readonly onJump: (seq: number) => void };

const RecordButton = ({ seq, onJump }: Jump & { readonly seq: number }) => (
  <button
    type="button"
    className="tabular inline-flex min-h-6 items-center text-accent underline underline-offset-2"
    onClick={() => onJump(seq)}
  >
    record {seq}
  </button>
);

const Group = ({ group, people, onJump }: Jump & { readonly group: RefusedGroup; readonly people: People }) => (
  <li className="rounded-md border px-3 py-2">
    <div className="flex flex-wrap items-center gap-x-2">
      <h3 className="text-sm font-medium">{group.title}</h3>
      <Mark kind="refused">
        <span className="font-mono">{group.code}</span>
      </Mark>
      <span className="tabular ml-auto text-xs text-muted">
        {group.attempts.length === 1 ? "once" : `${count(group.attempts.length)} times`}
      </span>
    </div>
    <p className="text-sm">{REFUSALS[group.code].message}</p>
    <ul className="mt-1 flex flex-col gap-1 text-xs text-muted">
      {group.attempts.map(({ seq, record, refusal }) => (
        <li key={seq}>
          <RecordButton seq={seq} onJump={onJump} /> by {describeActor(record, people)}, {formatAbsoluteTime(record.at)}:{" "}
          {record.proposal_kind.replaceAll("_", " ")}
          {refusal.ids.length === 0 ? null : (
            <>
              {" "}
              (<span className="font-mono break-all">{refusal.ids.join(", ")}</span>)
            </>
          )}
          {refusal.legal.length === 0 ? null : (
            <>
              ; allowed: <span className="font-mono break-all">{refusal.legal.join(", ")}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  </li>
);

const DeniedRow = ({ denied: { seq, askedAt, title, gate, outcome }, onJump }: Jump & { readonly denied: Denied }) => (
  <li className="rounded-md border px-3 py-2 text-sm">
    <div className="flex flex-wrap items-center gap-x-2">
      <h3 className="font-medium">{title}</h3>
      <Mark kind={outcome === "void" || outcome === "expired" ? "waiting" : "refused"}>{outcome.replaceAll("_", " ")}</Mark>
      {gate.transition.effect ? (
        <span className="font-mono text-xs">
          {gate.transition.effect.server}.{gate.transition.effect.tool}
        </span>
      ) : null}
    </div>
    {gate.prompt === "" ? null : <p>{gate.prompt}</p>}
    <p className="text-xs text-muted">
      Requested in <RecordButton seq={askedAt} onJump={onJump} />, {outcome.replaceAll("_", " ")} in{" "}
      <RecordButton seq={seq} onJump={onJump} />
    </p>
  </li>
);

type Props = { readonly entries: readonly Entry[]; readonly names: NodeNames; readonly people: People };

const Body = ({ entries, names, people, onJump }: Props & Jump) => {
  const { refused, denied } = useMemo(() => listAttempts(entries, names), [entries, names]);
  if (refused.length === 0 && denied.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No refused or rejected proposals">
        Proposals that a rule refused or a person rejected appear here.
      </EmptyState>
    );
  }

  return (
    <div className="flex flex-col gap-3">
      {refused.length === 0 ? (
        <p className="text-sm text-muted">No proposals were refused by a rule.</p>
      ) : (
        <section aria-label="Refused by a rule">
          <h2 className="mb-1 text-xs font-semibold text-muted">Refused by a rule</h2>
          <ul className="flex flex-col gap-2">
            {refused.map((group) => (
              <Group key={`${group.title} ${group.code}`} group={group} people={people} onJump={onJump} />
            ))}
          </ul>
        </section>
      )}
      {denied.length === 0 ? null : (
        <section aria-label="Not approved">
          <h2 className="mb-1 text-xs font-semibold text-muted">Not approved</h2>
          <ul className="flex flex-col gap-2">
            {denied.map((one) => (
              <DeniedRow key={`${one.seq} ${one.gate.id}`} denied={one} onJump={onJump} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
};

export const AttemptsPanel = (props: Props) => {
  const { isOpen, setOpen } = useAttemptsOpen();
  const [, setAt] = useQueryState("t", parseAsInteger.withOptions({ history: "push" }));

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="Refused proposals"
      description="Proposals in this run that were refused or not approved, by node and rule. None of them took effect."
      size="xl"
    >
      {isOpen ? (
        <Body
          {...props}
          onJump={(seq) => {
            setOpen(false);
            void setAt(seq);
          }}
        />
      ) : null}
    </Dialog>
  );
};

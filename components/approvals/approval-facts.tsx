import Link from "next/link";
import type { ReactNode } from "react";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { count, money } from "@/lib/format";
import type { SealedView } from "./sealed-view";
import type { ApprovalDetails } from "./types";

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-xs leading-6 text-muted">{name}</dt>
    <dd className="flex min-w-0 flex-wrap items-center gap-2 text-sm leading-6">{children}</dd>
  </>
);

const link = "font-medium text-accent underline underline-offset-2";

const whoText = ({ gate, run, people }: ApprovalDetails): string => {
  const many = gate.quorum === 1 ? `One ${gate.role}` : `${gate.quorum} different people with the role ${gate.role}`;
  const author = people[run.author] ?? "the version's author";
  const initiator = people[run.initiator] ?? "whoever started the run";

  return `${many}, but not ${run.author === run.initiator ? initiator : `${initiator}, who started the run${gate.quorum === 1 ? `, nor ${author}, who published the version` : ""}`}.`;
};

type Props = { readonly details: ApprovalDetails; readonly sealed: SealedView };

/** Who, where, how much, and exactly what: after the change itself. */
export const ApprovalFacts = ({ details, sealed }: Props) => {
  const { approval, run, gate, people, view, transition } = details;

  return (
    <section aria-label="Facts" className="rounded-lg border bg-surface">
      <dl className="grid grid-cols-[9rem_1fr] gap-x-4 gap-y-0.5 px-3 py-2">
        <Fact name="Who can decide">{whoText(details)}</Fact>
        {gate.decisions.length > 0 ? (
          <Fact name="Decisions">
            {gate.decisions.map(({ user, decision }) => (
              <Mark key={user} kind={decision === "approve" ? "reviewed" : "refused"}>
                {people[user] ?? "a person"}: {decision}
              </Mark>
            ))}
          </Fact>
        ) : null}
        <Fact name="Run">
          <Link className={link} href={gate.seq === null ? `/runs/${run.id}` : `/runs/${run.id}?t=${gate.seq}`}>
            {run.graph_name} <span className="font-mono text-xs">{run.id.slice(0, 8)}</span>
          </Link>
          <span className="text-xs text-muted">opened</span> <RelativeTime at={approval.openedAt} className="text-xs text-muted" />
        </Fact>
        <Fact name="Node">
          {details.node_titles[view.node] || view.node} <span className="font-mono text-xs text-muted">{view.node}</span>
        </Fact>
        <Fact name="Graph version">
          <Link className={link} href={`/graphs/${run.graph_id}`}>
            version {run.version_number}
          </Link>
          <DigestChip digest={view.graph_hash} label="graph digest" />
        </Fact>
        <Fact name="Cost so far">
          <span className="tabular">
            {money(run.total_micro_usd)}
            {run.budget_micro_usd === null ? "" : ` of ${money(run.budget_micro_usd)}`}, {count(run.total_tokens)} tokens
          </span>
        </Fact>
        <Fact name="Policy">
          <DigestChip digest={view.policy_hash} label="policy digest" />
        </Fact>
        <Fact name="Transition">
          <DigestChip digest={view.transition_digest} label="transition digest" />
          {sealed.isBound ? <Mark kind="clean">matches its bytes</Mark> : <Mark kind="refused">does not match its bytes</Mark>}
        </Fact>
        <Fact name="This view">
          <DigestChip digest={sealed.viewDigest} label="view digest" />
          <span className="text-xs text-muted">computed in this browser from what is shown above</span>
        </Fact>
      </dl>
      <details className="border-t">
        <summary className="px-3 py-2 text-xs font-medium text-muted hover:text-ink">Canonical bytes of the transition</summary>
        <pre className="max-h-64 overflow-auto border-t bg-sunken px-3 py-2 font-mono text-xs break-all whitespace-pre-wrap">
          {transition}
        </pre>
      </details>
    </section>
  );
};

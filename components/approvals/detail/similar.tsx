"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { toVisibleText } from "@/components/values/visible-text";
import { ApprovalStatusMark } from "@/components/approvals/approval-status";
import type { SimilarDecisions } from "@/components/approvals/types";
import { describeSimilar } from "./similar-text";

const Decision = ({
  decision,
  people,
}: {
  readonly decision: SimilarDecisions["decisions"][number];
  readonly people: SimilarDecisions["people"];
}) => (
  <li className="flex flex-wrap items-baseline gap-x-3 border-b px-3 py-1.5 text-sm last:border-b-0">
    <ApprovalStatusMark status={decision.status} />
    <Link href={`/approvals/${decision.id}`} className="min-w-0 flex-[1_1_16rem] font-medium wrap-anywhere hover:underline">
      {toVisibleText(decision.summary)}
    </Link>
    <span className="text-xs text-muted">
      {toVisibleText(decision.deciders.map((id) => people[id] ?? "a person").join(", "))} · {toVisibleText(decision.graphName)} ·{" "}
      <RelativeTime at={decision.resolvedAt} />
    </span>
  </li>
);

/** Earlier decisions about the same target, else the same call. */
export const Similar = ({ approvalId }: { readonly approvalId: string }) => {
  const similar = useQuery(useTRPC().approvals.similar.queryOptions({ approvalId }, { staleTime: Infinity }));
  if (!similar.data) return null;
  const { decisions, people, targets } = similar.data;

  return (
    <Panel title="Similar decisions" actions={<span className="text-xs text-muted">{describeSimilar(similar.data)}</span>}>
      {decisions.length === 0 ? (
        <p className="px-3 py-2 text-sm text-muted">
          No earlier decision about this {Object.keys(targets).length === 0 ? "call" : "target"}.
        </p>
      ) : (
        <ul>
          {decisions.map((decision) => (
            <Decision key={decision.id} decision={decision} people={people} />
          ))}
        </ul>
      )}
    </Panel>
  );
};

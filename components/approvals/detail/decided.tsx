import Link from "next/link";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import { RelativeTime } from "@/components/ui/relative-time";
import { toVisibleText } from "@/components/values/visible-text";
import type { ApprovalDetails } from "@/components/approvals/types";
import { describeHow } from "./how-text";

type Decision = ApprovalDetails["decisions"][number];

const MARK_OF = {
  approve: "reviewed",
  reject: "refused",
  abstain: "hidden",
  request_changes: "refused",
} as const satisfies Record<Decision["decision"], MarkKind>;

const DECISION_TEXT = {
  approve: "approved",
  reject: "rejected",
  abstain: "abstained",
  request_changes: "requested changes",
} as const satisfies Record<Decision["decision"], string>;

type Props = Pick<ApprovalDetails, "decisions" | "people" | "run">;

export const Decided = ({ decisions, people, run }: Props) =>
  decisions.length === 0 ? null : (
    <ol aria-label="Decisions so far" className="flex flex-col gap-1 pt-1">
      {decisions.map((decision) => (
        <li key={decision.user} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Mark kind={MARK_OF[decision.decision]}>
            {toVisibleText(people[decision.user] ?? "a person")} {DECISION_TEXT[decision.decision]}
            {decision.for === null ? "" : ` for ${toVisibleText(people[decision.for] ?? "a person")}`}
          </Mark>
          {decision.at === null ? null : <RelativeTime at={decision.at} className="text-xs text-muted" />}
          <span className="text-xs text-muted">{describeHow(decision)}</span>
          {decision.seq === null ? null : (
            <Link href={`/runs/${run.id}?t=${decision.seq}`} className="tabular text-xs text-muted hover:underline">
              record {decision.seq}
            </Link>
          )}
        </li>
      ))}
    </ol>
  );

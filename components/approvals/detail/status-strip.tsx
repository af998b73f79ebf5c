"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { MARKS, type MarkKind } from "@/components/ui/marks/marks";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { isTerminal } from "@/lib/engine/event";
import { Countdown } from "@/components/approvals/countdown";
import type { ApprovalDetails } from "@/components/approvals/types";

type Said = {
  readonly kind: MarkKind;
  readonly title: string;
  readonly text: ReactNode;
  /** What changes every second, and is therefore not read aloud. */
  readonly ticking?: ReactNode;
};

const link = "font-medium underline underline-offset-2";

const toNewer = (id: string | null): ReactNode =>
  id === null ? null : (
    <>
      {" "}
      <Link href={`/approvals/${id}`} className={link}>
        Go to what is asked now
      </Link>
    </>
  );

const openSaid = ({ gate, view }: ApprovalDetails): Said =>
  gate.is_stale
    ? {
        kind: "tainted",
        title: "Stale",
        text: "What it is based on has changed: a decision is refused, and the run asks again.",
      }
    : {
        kind: "waiting",
        title: "Open",
        text: "",
        ticking: (
          <>
            expires in <Countdown until={view.expires_at} />, which rejects it
          </>
        ),
      };

const voidText = ({ run }: ApprovalDetails): string =>
  isTerminal(run.status)
    ? `The run is ${run.status}: nothing is asked any more.`
    : "What it was based on has changed, so it asks nothing any more.";

const saidOf = (details: ApprovalDetails): Said => {
  const { approval, superseded_by: newer } = details;
  switch (approval.status) {
    case "open":
      return openSaid(details);
    case "approved":
      return { kind: "reviewed", title: "Approved", text: "The receipt in the ledger is for exactly this, once." };
    case "rejected":
      return { kind: "refused", title: "Rejected", text: "The run took its way for a rejection." };
    case "expired":
      return { kind: "refused", title: "Expired", text: "Nobody decided in time, which rejects it." };
    case "void":
      return {
        kind: "hidden",
        title: "Void",
        text: (
          <>
            {voidText(details)}
            {toNewer(newer)}
          </>
        ),
      };
    case "changes_requested":
      return { kind: "refused", title: "Changes requested", text: <>It was sent back with a note.{toNewer(newer)}</> };
    case "superseded":
      return {
        kind: "hidden",
        title: "Superseded",
        text: <>Somebody edited it, and another proposal stands in its place.{toNewer(newer)}</>,
      };
    default:
      return approval.status satisfies never;
  }
};

type Props = {
  readonly details: ApprovalDetails;
  /** What else can be done about it from here. */
  readonly actions?: ReactNode;
};

/** How it stands, always in one place and of one height: what flips while somebody reads moves nothing. */
export const StatusStrip = ({ details, actions }: Props) => {
  const { kind, title, text, ticking } = saidOf(details);
  const { Shape, ink, soft } = MARKS[kind];

  return (
    <div className={cn("flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-3 py-1.5 text-sm", soft)}>
      <output className="flex min-w-0 items-center gap-2">
        <Shape className={cn("size-3 shrink-0", ink)} />
        <span className="min-w-0">
          <span className={cn("font-medium", ink)}>{title}</span> <span>{text}</span>
        </span>
      </output>
      <span className="min-w-0 flex-[1_1_12rem]">{ticking}</span>
      {actions}
      <span className="text-xs whitespace-nowrap text-muted">
        asked <RelativeTime at={details.approval.openedAt} />
      </span>
    </div>
  );
};

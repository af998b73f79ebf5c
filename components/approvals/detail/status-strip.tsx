"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { MARKS, type MarkKind } from "@/components/ui/marks/marks";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { isTerminal } from "@/lib/engine/event";
import { toVisibleText } from "@/components/values/visible-text";
import { Countdown } from "@/components/approvals/countdown";
import type { ApprovalDetails } from "@/components/approvals/types";
import { describeExpiryEnd } from "./rejection-text";

type Said = {
  readonly kind: MarkKind;
  readonly title: string;
  readonly text: ReactNode;
  /** Not announced: it changes every second. */
  readonly ticking?: ReactNode;
};

const link = "font-medium underline underline-offset-2";

const toNewer = (id: string | null): ReactNode =>
  id === null ? null : (
    <>
      {" "}
      <Link href={`/approvals/${id}`} className={link}>
        Go to the new request
      </Link>
    </>
  );

const openSaid = ({ gate, view, ifExpired }: ApprovalDetails): Said =>
  gate.isStale
    ? {
        kind: "tainted",
        title: "Outdated",
        text: "The data behind this request changed. A new request will follow.",
      }
    : {
        kind: "waiting",
        title: "Open",
        text: "",
        ticking: (
          <>
            Expires in <Countdown until={view.expires_at} ended="a moment" />
            {ifExpired === null ? null : toVisibleText(`, then ${describeExpiryEnd(ifExpired)}`)}
          </>
        ),
      };

const voidText = ({ run }: ApprovalDetails): string =>
  isTerminal(run.status) ? `The run is ${run.status}, so no decision is needed.` : "The data behind this request changed.";

const saidOf = (details: ApprovalDetails): Said => {
  const { approval, supersededBy: newer } = details;
  switch (approval.status) {
    case "open":
      return openSaid(details);
    case "approved":
      return { kind: "reviewed", title: "Approved", text: "The receipt in the ledger allows exactly this, once." };
    case "rejected":
      return { kind: "refused", title: "Rejected", text: "The run took its rejection path." };
    case "expired":
      return { kind: "hidden", title: "Expired", text: "No decision in time, so nothing proposed here was carried out." };
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
      return { kind: "refused", title: "Changes requested", text: <>Sent back with a note.{toNewer(newer)}</> };
    case "superseded":
      return {
        kind: "hidden",
        title: "Superseded",
        text: <>An edited proposal replaced this request.{toNewer(newer)}</>,
      };
    default:
      return approval.status satisfies never;
  }
};

type Props = {
  readonly details: ApprovalDetails;
  readonly actions?: ReactNode;
};

/** Request status; fixed height, so nothing moves. */
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
        Requested <RelativeTime at={details.approval.openedAt} />
      </span>
    </div>
  );
};

"use client";

import { useQuery } from "@tanstack/react-query";
import { CADENCE_LABELS } from "@/components/account/notification-labels";
import { describeOutcome, STATUSES } from "@/components/account/notification-outcome";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { QueryState } from "@/components/ui/query-state";
import { isAllowed } from "@/lib/roles";

type Member = Outputs["people"]["list"]["members"][number];
type Row = Member & Partial<Outputs["notifications"]["reach"]["members"][number]>;

const ABOUT = { assigned: "Requests they can decide", all: "All requests" } as const;

const COLUMNS: readonly Column<Row>[] = [
  { name: "Person", className: "whitespace-nowrap", hover: ({ email }) => email, cell: ({ name }) => name },
  { name: "Role", cell: ({ role }) => role },
  {
    name: "E-mail",
    cell: ({ setting, role }) =>
      setting ? ABOUT[setting.about] : <Mark kind={isAllowed(role, "approval.decide") ? "waiting" : "hidden"}>Off</Mark>,
  },
  { name: "When", className: "text-muted", cell: ({ setting }) => (setting ? CADENCE_LABELS[setting.cadence] : "–") },
  {
    name: "Latest",
    className: "min-w-48",
    cell: ({ latest }) =>
      latest ? (
        <span title={describeOutcome(latest)}>
          <Mark kind={STATUSES[latest.status].kind}>{STATUSES[latest.status].label}</Mark>
        </span>
      ) : (
        "–"
      ),
  },
  timeColumn("Created", ({ latest }) => latest?.createdAt ?? null, "–"),
];

/** People e-mail reaches; each chooses in their settings. */
export const ReachTable = ({ members }: { readonly members: readonly Member[] }) => (
  <QueryState query={useQuery(useTRPC().notifications.reach.queryOptions())} what="notifications" rows={4}>
    {({ sender, members: reached }) => (
      <div className="flex flex-col gap-3">
        {sender === null ? (
          <Callout kind="waiting" title="E-mail isn't set up">
            The operator sets COUNTERSIGN_SMTP_URL and COUNTERSIGN_SMTP_FROM.
          </Callout>
        ) : (
          <p className="text-sm text-muted">E-mail comes from {sender}. Each person chooses under Settings.</p>
        )}
        <ListTable
          label="Notifications of members"
          columns={COLUMNS}
          rows={members
            .filter(({ disabledAt }) => disabledAt === null)
            .map((member) => ({ ...member, ...reached.find(({ userId }) => userId === member.id) }))}
          rowKey={({ id }) => id}
        />
      </div>
    )}
  </QueryState>
);

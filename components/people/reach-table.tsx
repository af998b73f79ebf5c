"use client";

import { useQuery } from "@tanstack/react-query";
import { CADENCE_LABELS } from "@/components/account/notification-labels";
import { describeOutcome, STATUSES } from "@/components/account/notification-outcome";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { ListTable, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { QueryState } from "@/components/ui/query-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { CHANNEL_NAMES, CHANNELS, type Channel } from "@/lib/notifications/setting";
import { isAllowed } from "@/lib/roles";

type Member = Outputs["people"]["list"]["members"][number];
type Reach = Outputs["notifications"]["reach"];
type Reached = Reach["members"][number];
type Row = Member & { readonly reached: readonly Reached[] };

const ABOUT = { assigned: "Requests they can decide", all: "All requests" } as const;

const Latest = ({ latest }: { readonly latest: NonNullable<Reached["latest"]> }) => (
  <span className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted" title={describeOutcome(latest)}>
    <Mark kind={STATUSES[latest.status].kind}>{STATUSES[latest.status].label}</Mark>
    <RelativeTime at={latest.createdAt} />
  </span>
);

const ChannelCell = ({ row, channel }: { readonly row: Row; readonly channel: Channel }) => {
  const found = row.reached.find((one) => one.channel === channel);
  const isMissed = isAllowed(row.role, "approval.decide") && row.reached.every(({ setting }) => setting === null);

  return (
    <span className="flex flex-col gap-0.5">
      {found?.setting ? (
        <span>
          {ABOUT[found.setting.about]}, {CADENCE_LABELS[found.setting.cadence].toLowerCase()}
        </span>
      ) : (
        <Mark kind={isMissed ? "waiting" : "hidden"}>Off</Mark>
      )}
      {found?.latest ? <Latest latest={found.latest} /> : null}
    </span>
  );
};

const COLUMNS: readonly Column<Row>[] = [
  { name: "Person", className: "whitespace-nowrap", hover: ({ email }) => email, cell: ({ name }) => name },
  { name: "Role", cell: ({ role }) => role },
  ...CHANNELS.map((channel) => ({
    name: CHANNEL_NAMES[channel],
    className: "min-w-52",
    cell: (row: Row) => <ChannelCell row={row} channel={channel} />,
  })),
];

const describeChannels = ({ channels, sender }: Reach): string => {
  const missing = CHANNELS.filter((channel) => !channels.includes(channel)).map((channel) => CHANNEL_NAMES[channel]);

  return [
    sender === null ? null : `E-mail comes from ${sender}.`,
    missing.length === 0 ? null : `${missing.join(" and ")} ${missing.length === 1 ? "isn't" : "aren't"} set up; the operator does that.`,
    "Each person chooses under Settings.",
  ]
    .filter(Boolean)
    .join(" ");
};

export const ReachTable = ({ members }: { readonly members: readonly Member[] }) => (
  <QueryState query={useQuery(useTRPC().notifications.reach.queryOptions())} what="notifications" rows={4}>
    {(reach) => (
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">{describeChannels(reach)}</p>
        <ListTable
          label="Notifications of members"
          columns={COLUMNS}
          rows={members
            .filter(({ disabledAt }) => disabledAt === null)
            .map((member) => ({ ...member, reached: reach.members.filter(({ userId }) => userId === member.id) }))}
          rowKey={({ id }) => id}
        />
      </div>
    )}
  </QueryState>
);

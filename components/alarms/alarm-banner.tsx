"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import type { Outputs } from "@/components/trpc/outputs";
import Link from "next/link";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";
import { notify } from "@/components/ui/toast";
import { ALARM_TEXT } from "@/lib/trust-alarm";

const REFRESH_MS = 30_000;

type Alarm = Outputs["alarms"]["open"][number];

const AlarmRow = ({ alarm: { id, kind, runId, detail, raisedAt } }: { readonly alarm: Alarm }) => {
  const trpc = useTRPC();
  const acknowledge = useMutation(
    trpc.alarms.acknowledge.mutationOptions({
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
      onSettled: useRefresh(trpc.alarms.pathFilter()),
    }),
  );

  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {ALARM_TEXT[kind].title} (<RelativeTime at={raisedAt} />)
        </p>
        <p>
          {ALARM_TEXT[kind].advice}{" "}
          {runId === null ? null : (
            <Link href={`/runs/${runId}`} className="underline underline-offset-2">
              Open run {runId.slice(0, 8)}
            </Link>
          )}
        </p>
        <p className="font-mono text-xs break-words">{detail}</p>
      </div>
      <Button size="sm" pending={acknowledge.isPending ? "Acknowledging…" : null} onClick={() => acknowledge.mutate({ alarm: id })}>
        Acknowledge
      </Button>
    </li>
  );
};

export const AlarmBanner = () => {
  const { data: alarms = [] } = useQuery(useTRPC().alarms.open.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  if (alarms.length === 0) return null;

  return (
    <div className="max-h-64 shrink-0 overflow-y-auto border-b px-4 py-2">
      <Callout kind="refused" title={alarms.length === 1 ? "Trust alarm" : `${alarms.length} trust alarms`} alert>
        <ul className="flex flex-col gap-3">
          {alarms.map((alarm) => (
            <AlarmRow key={alarm.id} alarm={alarm} />
          ))}
        </ul>
      </Callout>
    </div>
  );
};

"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { notify } from "@/components/ui/toast";
import { getSnoozeEnd, type Snooze } from "@/lib/notifications/snooze-times";

const requests = (count: number): string => (count === 1 ? "1 request" : `${count} requests`);

export const useAside = (onDone: () => void = () => undefined) => {
  const trpc = useTRPC();
  const onSettled = useRefresh(trpc.approvals.pathFilter());
  const snooze = useMutation(
    trpc.approvals.snooze.mutationOptions({
      onSettled,
      onSuccess: ({ snoozed }, { approvalIds }) => {
        const kept = approvalIds.length - snoozed.length;
        if (snoozed.length > 0) notify({ title: `${requests(snoozed.length)} snoozed` });
        if (kept > 0) notify({ title: `${requests(kept)} not snoozed`, description: "Closed, or about to expire.", tone: "error" });
        onDone();
      },
    }),
  );
  const notMine = useMutation(
    trpc.approvals.notMine.mutationOptions({
      onSettled,
      onSuccess: ({ told }) => {
        notify({ title: `Others see that ${told.length === 1 ? "this is" : "these are"} not yours` });
        onDone();
      },
    }),
  );
  const back = useMutation(trpc.approvals.bringBack.mutationOptions({ onSettled }));

  return {
    snooze: (approvalIds: readonly string[], until: Snooze) =>
      snooze.mutate({ approvalIds: [...approvalIds], untilMs: getSnoozeEnd(until, Date.now()) }),
    notMine: (approvalIds: readonly string[], reason: string) => notMine.mutate({ approvalIds: [...approvalIds], reason }),
    bringBack: (approvalIds: readonly string[]) => back.mutate({ approvalIds: [...approvalIds] }),
    isPending: snooze.isPending || notMine.isPending,
    isBringing: back.isPending,
    error: snooze.error ?? notMine.error,
  };
};

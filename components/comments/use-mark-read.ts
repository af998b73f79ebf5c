"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";

export type Place = { readonly runId: string; readonly approvalId: string | null };

export const useMarkRead = ({ runId, approvalId }: Place): void => {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.comments.unread.queryOptions());
  const { mutate } = useMutation(trpc.comments.markRead.mutationOptions({ onSuccess: useRefresh(trpc.comments.unread.queryFilter()) }));
  const isUnread = data?.mentions.some((mention) => mention.runId === runId && mention.approvalId === approvalId) === true;
  useEffect(() => {
    if (isUnread) mutate({ runId, approvalId });
  }, [isUnread, mutate, runId, approvalId]);
};

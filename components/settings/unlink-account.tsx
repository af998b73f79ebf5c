"use client";

import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { useMutation } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { notify } from "@/components/ui/toast";
import { CHANNEL_NAMES, type Channel } from "@/lib/notifications/setting";

/** Ends the link to one's own account on a channel. */
export const UnlinkAccount = ({ channel }: { readonly channel: Channel }) => {
  const trpc = useTRPC();
  const onSettled = useRefresh(trpc.notifications.pathFilter());
  const unlink = useMutation(
    trpc.notifications.unlink.mutationOptions({
      onSettled,
      onSuccess: () => notify({ title: `${CHANNEL_NAMES[channel]} account unlinked` }),
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );

  return (
    <Button pending={unlink.isPending ? "Unlinking…" : null} onClick={() => unlink.mutate({ channel })}>
      Unlink account
    </Button>
  );
};

"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { QueryState } from "@/components/ui/query-state";
import { notify } from "@/components/ui/toast";
import { NotificationForm } from "./notification-form";
import { NotificationTable } from "./notification-table";

/** A test's outcome arrives on its own. */
const SOON_MS = 1_000;

const NOT_SET_UP = "E-mail isn't set up. The operator sets COUNTERSIGN_SMTP_URL and COUNTERSIGN_SMTP_FROM.";

const Loaded = ({ data: { setting, latest, sender, address } }: { readonly data: Outputs["notifications"]["get"] }) => {
  const trpc = useTRPC();
  const refresh = useRefresh(trpc.notifications.pathFilter());
  const save = useMutation(trpc.notifications.save.mutationOptions({ onSuccess: refresh }));
  const test = useMutation(
    trpc.notifications.test.mutationOptions({
      onSettled: refresh,
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );
  const isTesting = latest.some(({ type, status }) => type === "test" && status === "pending");

  return (
    <>
      <p className="max-w-prose text-sm text-muted">
        {sender === null
          ? NOT_SET_UP
          : `Approval requests by e-mail to ${address}, from ${sender}. You can reject, request changes and comment from there; approving needs the page.`}
      </p>
      <NotificationForm
        key={JSON.stringify(setting)}
        setting={setting}
        error={save.error}
        save={async (next) => {
          await save.mutateAsync({ setting: next });
          notify({ title: "Notifications saved" });
        }}
      >
        <Button
          disabledReason={sender === null ? "E-mail isn't set up" : null}
          pending={test.isPending || isTesting ? "Sending…" : null}
          onClick={() => test.mutate()}
        >
          Send a test
        </Button>
      </NotificationForm>
      <NotificationTable latest={latest} />
    </>
  );
};

/** One's own notifications by e-mail. */
export const Notifications = () => (
  <QueryState
    query={useQuery(
      useTRPC().notifications.get.queryOptions(undefined, {
        refetchInterval: ({ state }) =>
          state.data?.latest.some(({ type, status }) => type === "test" && status === "pending") ? SOON_MS : false,
      }),
    )}
    what="your notifications"
    rows={3}
  >
    {(data) => <Loaded data={data} />}
  </QueryState>
);

"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { notify } from "@/components/ui/toast";
import { DEFAULT_SETTING, type NotificationSetting } from "@/lib/notifications/setting";
import { NotSubscribed, ownBrowserQuery, subscribeBrowser, unsubscribeBrowser, useWhyNoPush } from "./browser-push";

type Browser = Outputs["notifications"]["browsers"]["browsers"][number];
type Row = Browser & { readonly isOwn: boolean };

const COLUMNS: readonly Column<Row>[] = [
  {
    name: "Browser",
    cell: ({ name, isOwn }) => (
      <span className="flex flex-wrap items-center gap-2">
        {name}
        {isOwn ? <Badge>This browser</Badge> : null}
      </span>
    ),
  },
  timeColumn("Added", ({ createdAt }) => createdAt),
];

const useRefreshBrowsers = (): (() => Promise<void>) => {
  const client = useQueryClient();
  const refresh = useRefresh(useTRPC().notifications.pathFilter());

  return async () => {
    await Promise.all([refresh(), client.invalidateQueries({ queryKey: ownBrowserQuery.queryKey })]);
  };
};

const TurnOff = ({ browser: { id, name, isOwn } }: { readonly browser: Row }) => {
  const refresh = useRefreshBrowsers();
  const remove = useMutation(useTRPC().notifications.removeBrowser.mutationOptions({ onSettled: refresh }));

  return (
    <ConfirmAction
      label="Turn off…"
      name={`Turn off ${name}`}
      buttonSize="sm"
      title={`Turn off notifications in ${name}?`}
      consequence="It gets no more notifications. You can turn them on again there."
      confirm="Turn off"
      pending="Turning off…"
      done={`Notifications in ${name} turned off`}
      disabledReason={null}
      act={async () => {
        await remove.mutateAsync({ id });
        if (isOwn) await unsubscribeBrowser();
      }}
    />
  );
};

const TurnOn = ({ publicKey, hasSetting }: { readonly publicKey: string; readonly hasSetting: boolean }) => {
  const trpc = useTRPC();
  const refresh = useRefreshBrowsers();
  const add = useMutation(trpc.notifications.addBrowser.mutationOptions());
  const save = useMutation(trpc.notifications.save.mutationOptions());
  const turnOn = useMutation({
    mutationFn: async () => {
      await add.mutateAsync(await subscribeBrowser(publicKey));
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      if (!hasSetting) await save.mutateAsync({ channel: "push", setting: { ...DEFAULT_SETTING, timeZone } });
    },
    onSuccess: () => notify({ title: "Notifications turned on in this browser" }),
    onError: (error) => notify({ tone: "error", title: error instanceof NotSubscribed ? error.message : toApiError(error).message }),
    onSettled: refresh,
  });

  return (
    <Button className="self-start" variant="primary" pending={turnOn.isPending ? "Turning on…" : null} onClick={() => turnOn.mutate()}>
      Turn on in this browser
    </Button>
  );
};

type Props = { readonly data: Outputs["notifications"]["browsers"]; readonly setting: NotificationSetting | null };

export const PushBrowsers = ({ data: { browsers, key }, setting }: Props) => {
  const why = useWhyNoPush();
  const { data: ownId, isSuccess } = useQuery({ ...ownBrowserQuery, enabled: why === null });
  const rows = browsers.map((browser) => ({ ...browser, isOwn: browser.id === ownId }));
  const isOff = isSuccess && !rows.some(({ isOwn }) => isOwn);

  return (
    <>
      {why === null ? null : (
        <p role="note" className="text-sm text-muted">
          {why}
        </p>
      )}
      {key !== null && isOff ? <TurnOn publicKey={key} hasSetting={setting !== null} /> : null}
      {rows.length === 0 ? null : (
        <ListTable
          label="Browsers with notifications"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          renderActions={(browser) => <TurnOff browser={browser} />}
        />
      )}
    </>
  );
};

"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useCountersign } from "@/components/passkeys/use-countersign";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import { PromotionReview } from "@/components/promotion/promote-dialog";
import type { ShownEnvironment, ShownRequest } from "./types";
import { useRefreshPromotions } from "@/components/promotion/use-refresh-promotions";

type Props = {
  readonly requests: readonly ShownRequest[];
  readonly environments: readonly ShownEnvironment[];
  readonly mayNot: string | null;
};

type ReviewProps = { readonly request: ShownRequest; readonly to: ShownEnvironment };

const Review = ({ request, to }: ReviewProps) => {
  const query = useQuery(useTRPC().environments.promotions.preview.queryOptions({ environment: to.id, version: request.version }));

  return (
    <QueryState query={query} what="the comparison" rows={3}>
      {(preview) => (
        <div className="flex flex-col gap-3">
          <PromotionReview to={to} preview={preview} />
        </div>
      )}
    </QueryState>
  );
};

const Actions = ({ request, to, mayNot }: ReviewProps & { readonly mayNot: string | null }) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const countersign = useCountersign();
  const onSettled = useRefreshPromotions();
  const { id, version, isOwn, graphName, number } = request;
  const what = `${graphName} version ${number}`;
  const approve = useMutation({
    mutationFn: async () => {
      const { environments } = await api.policy.get.query();
      const isSigned = environments.find((one) => one.id === to.id)?.approvals === "write";
      const assertion = isSigned ? await countersign({ kind: "publish_approve", request: id, hash: version }) : null;

      return api.environments.promotions.approve.mutate({ request: id, version, ...(assertion ? { assertion } : {}) });
    },
    onSettled,
  });
  const decline = useMutation(trpc.environments.promotions.decline.mutationOptions({ onSettled }));

  return (
    <>
      {isOwn ? null : (
        <ConfirmAction
          label="Review…"
          name={`Review promoting ${what}`}
          buttonSize="sm"
          title={`Promote ${what} to ${to.title}?`}
          consequence="It becomes the version that runs there. Where approvals need a passkey, you sign with yours."
          confirm="Approve and promote"
          confirmVariant="primary"
          pending="Committing…"
          size="lg"
          disabledReason={mayNot}
          act={() => approve.mutateAsync()}
        >
          <Review request={request} to={to} />
        </ConfirmAction>
      )}
      <ConfirmAction
        label={isOwn ? "Withdraw…" : "Decline…"}
        name={`${isOwn ? "Withdraw" : "Decline"} promoting ${what}`}
        buttonSize="sm"
        title={isOwn ? "Withdraw the request?" : "Decline the request?"}
        consequence="The live version stays."
        confirm={isOwn ? "Withdraw" : "Decline"}
        pending="Committing…"
        disabledReason={mayNot}
        act={() => decline.mutateAsync({ request: id })}
      />
    </>
  );
};

const listColumns = (environments: readonly ShownEnvironment[]): readonly Column<ShownRequest>[] => [
  {
    name: "Promotion to approve",
    className: "font-medium whitespace-normal",
    cell: ({ graphName, number }) => `${graphName} version ${number}`,
  },
  { name: "To", cell: ({ environment }) => environments.find(({ id }) => id === environment)?.title ?? environment },
  { name: "Requested by", cell: ({ byName }) => byName },
  timeColumn("Requested", ({ atMs }) => atMs),
];

export const PromotionRequests = ({ requests, environments, mayNot }: Props) =>
  requests.length === 0 ? null : (
    <div className="border-b p-6 max-sm:px-4">
      <ListTable
        label="Promotions to approve"
        columns={listColumns(environments)}
        rows={requests}
        rowKey={({ id }) => id}
        renderActions={(request) => {
          const to = environments.find(({ id }) => id === request.environment);

          return to ? <Actions request={request} to={to} mayNot={mayNot} /> : null;
        }}
      />
    </div>
  );

"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { RevokeToken } from "@/components/account/revoke-token";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import { LabelMark } from "@/components/values/label-mark";
import { isPersonal, isServiceAccount } from "@/lib/engine/principal";
import { explainDenial, type Role } from "@/lib/roles";
import { SCOPES } from "./labels";
import { RotateAccount } from "./rotate-account";
import { Standing } from "./standing";
import { describeUse } from "./token-limits";

type Token = Outputs["connect"]["tokens"]["list"][number];

const listColumns = (nameOf: (graph: string) => string): readonly Column<Token>[] => [
  {
    name: "Name",
    cell: ({ name, hint, scopes, redirectHost }) => (
      <>
        <span className="font-medium">{name}</span>
        {isPersonal(scopes) ? <span className="ml-2 text-xs text-muted">personal token</span> : null}
        {isServiceAccount(scopes) ? <span className="ml-2 text-xs text-muted">service account</span> : null}
        {redirectHost === null ? null : <span className="ml-2 text-xs text-muted">connected client, {redirectHost}</span>}
        <span className="ml-2 font-mono text-xs text-muted">{hint}…</span>
      </>
    ),
  },
  { name: "Status", cell: ({ status }) => <Standing status={status} /> },
  {
    name: "Permissions",
    className: "max-w-72 text-xs text-muted",
    cell: ({ scopes, strictErrors }) =>
      `${scopes.map((scope) => SCOPES[scope].label).join(", ")}${strictErrors ? " · refusals as errors" : ""}`,
  },
  {
    name: "Graphs",
    className: "max-w-48 truncate",
    cell: ({ graphs }) => (graphs === null ? "all" : graphs.map(nameOf).join(", ")),
  },
  { name: "Input trust", cell: ({ integrity }) => <LabelMark integrity={integrity} /> },
  {
    name: "Last 24 hours",
    className: "tabular whitespace-nowrap text-xs",
    cell: ({ used, limits }) =>
      describeUse(used, limits).map(({ text, isFull }) => (
        <span key={text} className={cn("block", isFull ? "text-refused" : "text-muted")}>
          {text}
        </span>
      )),
  },
  { name: "Created by", className: "whitespace-nowrap", cell: ({ ownerName }) => ownerName },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt),
  timeColumn("Expires", ({ expiresAt }) => expiresAt),
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No tokens yet">
    A token lets one outside agent or service account use the graphs that you select. It is shown once, expires, and can be revoked at any
    time.
  </EmptyState>
);

const Revoke = ({ token: { id, name }, role }: { readonly token: Token; readonly role: Role }) => {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.connect.tokens.revoke.mutationOptions({ onSettled: useRefresh(trpc.connect.pathFilter()) }));

  return (
    <RevokeToken
      name={name}
      consequence="Its next call is refused, and all of its sessions end."
      disabledReason={explainDenial(role, "connect.manage")}
      revoke={() => revoke.mutateAsync({ tokenId: id })}
    />
  );
};

export const TokenTable = ({ role }: { readonly role: Role }) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const nameOf = (id: string) => graphs.data?.find((graph) => graph.id === id)?.name ?? id.slice(0, 8);

  return (
    <QueryState query={useQuery(trpc.connect.tokens.list.queryOptions())} what="tokens" rows={4}>
      {(tokens) => (
        <ListTable
          label="Tokens"
          columns={listColumns(nameOf)}
          rows={tokens}
          rowKey={({ id }) => id}
          renderActions={(token) =>
            token.status === "revoked" ? null : (
              <>
                {isServiceAccount(token.scopes) && token.isOwn ? <RotateAccount id={token.id} name={token.name} role={role} /> : null}
                {token.status === "active" ? <Revoke token={token} role={role} /> : null}
              </>
            )
          }
          empty={NONE}
        />
      )}
    </QueryState>
  );
};

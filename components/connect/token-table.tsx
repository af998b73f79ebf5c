"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { LabelMark } from "@/components/values/label-mark";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TableCell, TableRow } from "@/components/ui/table";
import { explainDenial, type Role } from "@/lib/roles";
import { ListTable } from "@/components/ui/list-table";
import { LoadFailed } from "@/components/ui/load-failed";
import { Revoke } from "@/components/ui/revoke";
import { Standing } from "./standing";
import { describeUse } from "./token-limits";
import { SCOPES } from "./labels";

const COLUMNS = ["Name", "Status", "Permissions", "Graphs", "Input trust", "Last 24 hours", "Created by", "Last used", "Expires"] as const;

/** Outside agents' tokens. */
export const TokenTable = ({ role }: { readonly role: Role }) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.connect.tokens.list.queryOptions());
  const graphs = useQuery(trpc.connect.graphs.list.queryOptions());
  const revoke = useMutation(
    trpc.connect.tokens.revoke.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.connect.pathKey() }) }),
  );
  if (error) return <LoadFailed what="tokens" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No tokens yet">
        A token lets one outside agent drive the graphs that you select. It is shown once, expires, and can be revoked at any time.
      </EmptyState>
    );
  }
  const nameOf = (id: string) => graphs.data?.find((graph) => graph.graphId === id)?.name ?? id.slice(0, 8);

  return (
    <ListTable label="Tokens" columns={COLUMNS} hasActions>
      {data.map((token) => (
        <TableRow key={token.id}>
          <TableCell>
            <span className="font-medium">{token.name}</span>
            <span className="ml-2 font-mono text-xs text-muted">{token.hint}…</span>
          </TableCell>
          <TableCell>
            <Standing status={token.status} />
          </TableCell>
          <TableCell className="max-w-72 text-xs text-muted">
            {token.scopes.map((scope) => SCOPES[scope].label).join(", ")}
            {token.strictErrors ? " · refusals as errors" : ""}
          </TableCell>
          <TableCell className="max-w-48 truncate">{token.graphs === null ? "all" : token.graphs.map(nameOf).join(", ")}</TableCell>
          <TableCell>
            <LabelMark integrity={token.integrity} />
          </TableCell>
          <TableCell className="tabular whitespace-nowrap text-xs">
            {describeUse(token.used, token.limits).map(({ text, isFull }) => (
              <span key={text} className={cn("block", isFull ? "text-refused" : "text-muted")}>
                {text}
              </span>
            ))}
          </TableCell>
          <TableCell className="whitespace-nowrap">{token.ownerName}</TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            {token.lastUsedAt === null ? "never" : <RelativeTime at={token.lastUsedAt} />}
          </TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={token.expiresAt} />
          </TableCell>
          <TableCell className="text-right">
            {token.status === "active" ? (
              <Revoke
                title={`Revoke ${token.name}`}
                consequence="Its next call is refused, and all of its sessions end. This can't be undone."
                done="Token revoked."
                disabledReason={explainDenial(role, "connect.manage")}
                revoke={() => revoke.mutateAsync({ tokenId: token.id })}
              />
            ) : null}
          </TableCell>
        </TableRow>
      ))}
    </ListTable>
  );
};

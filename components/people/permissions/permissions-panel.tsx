"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { QueryState } from "@/components/ui/query-state";
import { ExplainAccount, type ExplainedAccount } from "./explain-account";
import { PermissionTable } from "./permission-table";

export const PermissionsPanel = ({ accounts }: { readonly accounts: readonly ExplainedAccount[] }) => (
  <QueryState query={useQuery(useTRPC().permissions.list.queryOptions())} what="permissions" rows={8}>
    {(procedures) => (
      <div className="flex flex-col gap-6">
        <ExplainAccount accounts={accounts} procedures={procedures} />
        <PermissionTable procedures={procedures} />
      </div>
    )}
  </QueryState>
);

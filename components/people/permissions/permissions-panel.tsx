"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "@/components/ui/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ExplainAccount, type ExplainedAccount } from "./explain-account";
import { PermissionTable } from "./permission-table";

export const PermissionsPanel = ({ accounts }: { readonly accounts: readonly ExplainedAccount[] }) => {
  const { data, error, refetch } = useQuery(useTRPC().permissions.list.queryOptions());
  if (error) return <LoadFailed what="permissions" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={8} />;

  return (
    <div className="flex flex-col gap-6">
      <ExplainAccount accounts={accounts} procedures={data} />
      <PermissionTable procedures={data} />
    </div>
  );
};

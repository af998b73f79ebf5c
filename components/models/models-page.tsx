"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "@/components/ui/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { NoAccess } from "@/components/ui/no-access";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { explainDenial, type Role } from "@/lib/roles";
import { ProviderDialog } from "./provider-dialog";
import { DefaultsPanel } from "./defaults-panel";
import { ModelTable } from "./model-table";
import { ProviderTable } from "./provider-table";

const Settings = ({ role }: { readonly role: Role }) => {
  const { data, error, refetch } = useQuery(useTRPC().models.settings.queryOptions());
  if (error) return <LoadFailed what="models" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={8} />;

  return (
    <div className="flex flex-col gap-4">
      {data.hasRunner ? null : (
        <Callout kind="waiting" title="No runner is connected">
          Without a runner, the installation&apos;s models can&apos;t be listed, and nothing can be changed or called.
        </Callout>
      )}
      <ProviderTable providers={data.providers} models={data.models} role={role} />
      <ModelTable models={data.models} priceList={data.priceList} role={role} />
      <DefaultsPanel models={data.models} role={role} />
    </div>
  );
};

export const ModelsPage = ({ role }: { readonly role: Role }) => {
  const reason = explainDenial(role, "model.read");
  if (reason) return <NoAccess to="models" who={reason} />;

  return (
    <>
      <PageHeader
        title="Models"
        description="Model providers and prices. Only allowed models with a known price can be used."
        actions={<ProviderDialog edited={null} disabledReason={explainDenial(role, "model.manage")} />}
      />
      <div className="min-w-0 p-6">
        <Settings role={role} />
      </div>
    </>
  );
};

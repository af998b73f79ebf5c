"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "@/components/connect/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { whyNot, type Role } from "@/lib/roles";
import { ProviderDialog } from "./provider-dialog";
import { DefaultsPanel } from "./defaults-panel";
import { ModelTable } from "./model-table";
import { ProviderTable } from "./provider-table";

const Settings = ({ role }: { readonly role: Role }) => {
  const { data, error, refetch } = useQuery(useTRPC().models.settings.queryOptions());
  if (error) return <LoadFailed what="The models" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={8} />;

  return (
    <div className="flex flex-col gap-4">
      {data.has_runner ? null : (
        <Callout kind="waiting" title="No runner is alive">
          Only a runner knows which models the installation itself has, and nothing is changed or called without one.
        </Callout>
      )}
      <ProviderTable providers={data.providers} models={data.models} role={role} />
      <ModelTable models={data.models} priceList={data.price_list} role={role} />
      <DefaultsPanel models={data.models} role={role} />
    </div>
  );
};

/** Whose models are called, which may be chosen, and what a token of each costs. */
export const ModelsPage = ({ role }: { readonly role: Role }) => {
  const reason = whyNot(role, "model.read");
  if (reason) {
    return (
      <EmptyState kind="not_permitted" isPage title="Models are not yours to see">
        {reason}
      </EmptyState>
    );
  }

  return (
    <>
      <PageHeader
        title="Models"
        description="Who answers for agents. Only what is allowed here can be chosen, and only what has a price is called."
        actions={<ProviderDialog edited={null} disabledReason={whyNot(role, "model.manage")} />}
      />
      <div className="min-w-0 p-6">
        <Settings role={role} />
      </div>
    </>
  );
};

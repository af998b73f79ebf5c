"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial, type Role } from "@/lib/roles";
import { DefaultsPanel } from "./defaults-panel";
import { ModelTable } from "./model-table";
import { ProviderDialog } from "./provider-dialog";
import { ProviderTable } from "./provider-table";

const Settings = ({ role }: { readonly role: Role }) => (
  <QueryState query={useQuery(useTRPC().models.settings.queryOptions())} what="models" rows={8}>
    {({ providers, models, circuits, environments, priceList, hasRunner }) => (
      <>
        {hasRunner ? null : (
          <Callout kind="waiting" title="No runner is connected">
            Without a runner, the installation&apos;s models can&apos;t be listed, and nothing can be changed or called.
          </Callout>
        )}
        <ProviderTable providers={providers} models={models} circuits={circuits} environments={environments} role={role} />
        <ModelTable models={models} priceList={priceList} role={role} />
        <DefaultsPanel models={models} role={role} />
      </>
    )}
  </QueryState>
);

export const ModelsPage = ({ role }: { readonly role: Role }) => (
  <Page
    title="Models"
    description="Model providers and prices. Only allowed models with a known price can be used."
    access={{ to: "models", who: explainDenial(role, "model.read") }}
    actions={<ProviderDialog edited={null} disabledReason={explainDenial(role, "model.manage")} />}
  >
    <Settings role={role} />
  </Page>
);

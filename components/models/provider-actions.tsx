"use client";

import { ConfirmAction } from "@/components/ui/confirm-action";
import type { Environment } from "@/lib/environments/environment";
import { explainDenial, type Role } from "@/lib/roles";
import type { ModelView, ProviderView } from "@/server/trpc/routers/models/settings";
import { AddModel } from "./add-model";
import { EnvironmentKeys } from "./environment-keys";
import { ProviderDialog } from "./provider-dialog";
import { TestCall } from "./test-call";
import { useModelChange } from "./use-models";

type Props = {
  readonly provider: ProviderView;
  readonly models: readonly ModelView[];
  readonly environments: readonly Environment[];
  readonly role: Role;
};

export const ProviderActions = ({ provider, models, environments, role }: Props) => {
  const reason = explainDenial(role, "model.manage");
  const { sendAndWait } = useModelChange();

  return (
    <div className="flex flex-wrap justify-end gap-1">
      <AddModel provider={provider} disabledReason={reason} />
      <TestCall provider={provider} models={models} disabledReason={reason} />
      {environments.length < 2 ? null : <EnvironmentKeys provider={provider} environments={environments} disabledReason={reason} />}
      <ProviderDialog edited={provider} disabledReason={reason} />
      <ConfirmAction
        label="Remove…"
        title={`Remove ${provider.name}?`}
        consequence="Its keys are deleted, its models are removed from the list, and their next calls are refused. Records of earlier calls stay."
        confirm="Remove provider"
        pending="Committing…"
        disabledReason={reason}
        act={() => sendAndWait({ type: "remove_provider", id: provider.id, revision: provider.revision })}
      />
    </div>
  );
};

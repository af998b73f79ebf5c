"use client";

import { Field } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Select } from "@/components/ui/select";
import { Failure } from "@/components/ui/failure";
import { MODEL_USES } from "@/lib/model-info";
import { explainDenial, type Role } from "@/lib/roles";
import type { ModelView } from "@/server/trpc/routers/models/settings";
import { useModelChange } from "./use-models";
import { USE_NAMES } from "./labels";

type Props = { readonly models: readonly ModelView[]; readonly role: Role };

const NONE = "none";

export const DefaultsPanel = ({ models, role }: Props) => {
  const { send, isPending, error } = useModelChange();
  const reason = explainDenial(role, "model.manage");
  const items = [
    { value: NONE, label: "First in the list" },
    ...models.filter(({ allowed }) => allowed).map(({ id, label }) => ({ value: id, label })),
  ];

  return (
    <Panel title="Defaults" bodyClassName="flex flex-col gap-3 p-3">
      <Failure error={error} />
      <div className="grid gap-3 sm:grid-cols-2">
        {MODEL_USES.map((use) => (
          <Field key={use} label={USE_NAMES[use]} hint={reason ?? "Preselected in forms. It can be changed there."}>
            <Select
              items={items}
              value={models.find(({ defaults }) => defaults.includes(use))?.id ?? NONE}
              disabled={reason !== null || isPending}
              onValueChange={(value) => send({ type: "set_default", use, model: value === NONE ? null : value }, "Default saved.")}
            />
          </Field>
        ))}
      </div>
    </Panel>
  );
};

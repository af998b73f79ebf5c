"use client";

import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Graph } from "@/lib/graph/document";
import type { GraphSettings } from "@/lib/graph/edit";

const DEMANDS = [
  { value: "nothing", label: "Only approvals that require it" },
  { value: "irreversible", label: "Irreversible effects" },
  { value: "high_risk", label: "Irreversible effects and protected memory" },
] as const;

type Props = { readonly graph: Graph; readonly set: (settings: GraphSettings) => void };

export const PasskeySettings = ({ graph, set }: Props) => (
  <Field label="Require a passkey for" hint="The approver signs the decision. Anyone can verify the signature later without this server.">
    <Select
      items={DEMANDS}
      value={graph.passkey_for ?? "nothing"}
      onValueChange={(demand) => set({ passkey_for: demand === "nothing" ? undefined : demand })}
    />
  </Field>
);

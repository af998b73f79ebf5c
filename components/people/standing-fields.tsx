"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { ROLE_TEXTS } from "@/components/account/role-texts";
import type { Standing } from "@/lib/people/command";
import { roleSchema } from "@/lib/roles";
import { AUDITOR_TEXT } from "./labels";

type Props = { readonly value: Standing; readonly onChange: (next: Standing) => void; readonly disabled?: boolean };

const ROLES = roleSchema.options.map((role) => ({ value: role, label: role }));

export const StandingFields = ({ value, onChange, disabled = false }: Props) => (
  <div className="flex flex-col gap-3">
    <Field label="Role" hint={ROLE_TEXTS[value.role]}>
      <Select items={ROLES} value={value.role} disabled={disabled} onValueChange={(role) => onChange({ ...value, role })} />
    </Field>
    <Checkbox checked={value.auditor} disabled={disabled} onCheckedChange={(auditor) => onChange({ ...value, auditor })}>
      {AUDITOR_TEXT}
    </Checkbox>
  </div>
);

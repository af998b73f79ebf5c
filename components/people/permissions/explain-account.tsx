"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Select } from "@/components/ui/select";
import { explainAccess, type AskedFor, type Explanation, type Reason } from "@/lib/permission-reasons";
import type { Role } from "@/lib/roles";
import { ProcedureList } from "./procedure-list";
import { ALL_PERMISSIONS, listProcedures, getTitle, type Procedure } from "./labels";

export type ExplainedAccount = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly auditor: boolean;
  readonly disabledAt: number | null;
};

const VERDICTS = {
  yes: { kind: "reviewed", title: "Yes, because" },
  when_proved: { kind: "reviewed", title: "Yes, after they confirm their identity, because" },
  no: { kind: "refused", title: "No, because" },
} as const satisfies Record<Explanation["verdict"], object>;

/** Requires a fresh confirmation of identity. */
const proofOf = (procedures: readonly Procedure[]): AskedFor["fresh"] => {
  if (procedures.length > 0 && procedures.every(({ fresh }) => fresh === "always")) return "always";

  return procedures.some(({ fresh }) => fresh !== "never") ? "sometimes" : "never";
};

const Because = ({ reasons }: { readonly reasons: readonly Reason[] }) => (
  <ul className="list-disc pl-4">
    {reasons.map(({ code, text }) => (
      <li key={code}>{text}</li>
    ))}
  </ul>
);

type Props = { readonly accounts: readonly ExplainedAccount[]; readonly procedures: readonly Procedure[] };

export const ExplainAccount = ({ accounts, procedures }: Props) => {
  const [asked, ask] = useQueryStates({
    account: parseAsString.withDefault(accounts[0]?.id ?? ""),
    can: parseAsStringLiteral(ALL_PERMISSIONS).withDefault("approval.decide"),
  });
  const account = accounts.find(({ id }) => id === asked.account) ?? accounts[0];
  if (!account) return null;
  const meant = listProcedures(procedures, asked.can);
  const { verdict, reasons } = explainAccess(
    { access: asked.can, fresh: proofOf(meant) },
    { role: account.role, auditor: account.auditor, disabled: account.disabledAt !== null },
  );

  return (
    <Panel title="Can this account do that?" bodyClassName="flex flex-col gap-4 p-4">
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Account">
          <Select
            value={account.id}
            onValueChange={(id) => void ask({ account: id })}
            items={accounts.map(({ id, name, email, role, auditor }) => ({
              value: id,
              label: `${name} (${email}), ${role}${auditor ? " and auditor" : ""}`,
            }))}
          />
        </Field>
        <Field label="Action">
          <Select
            value={asked.can}
            onValueChange={(can) => void ask({ can })}
            items={ALL_PERMISSIONS.map((permission) => ({ value: permission, label: getTitle(permission) }))}
          />
        </Field>
      </div>
      <div aria-live="polite">
        <Callout kind={VERDICTS[verdict].kind} title={VERDICTS[verdict].title}>
          <Because reasons={reasons} />
        </Callout>
      </div>
      <ProcedureList procedures={meant} />
    </Panel>
  );
};

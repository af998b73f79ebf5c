"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Controller, useWatch } from "react-hook-form";
import { useTRPC } from "@/components/trpc/trpc";
import type { Outputs } from "@/components/trpc/outputs";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Checkbox } from "@/components/ui/checkbox";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import { QueryState } from "@/components/ui/query-state";
import type { Environment } from "@/lib/environments/environment";
import { listArguments, type Argument } from "./amount-arguments";
import { ANY, NEW_RULE, NO_ONE, ruleFieldsSchema, toRule, type RuleFields } from "./rule-values";

type Catalog = Outputs["graphs"]["catalog"];
type Props = {
  readonly catalog: Catalog;
  readonly graphs: Outputs["graphs"]["list"];
  readonly environments: readonly Environment[];
  readonly onDone: () => void;
};

const EFFECTS = [
  { value: "write", label: "All changes" },
  { value: "irreversible", label: "Irreversible calls" },
  { value: "read", label: "All calls, reads too" },
];

const DATA = [
  { value: ANY, label: "Any" },
  { value: "internal", label: "Internal or more confidential" },
  { value: "pii", label: "Personal data or secret" },
  { value: "secret", label: "Secret" },
];

const COUNTS = ["1", "2", "3", "4", "5"].map((value) => ({ value, label: value === "1" ? "1 person" : `${value} different people` }));

const toItems = (argumentsOf: readonly Argument[]) => argumentsOf.map(({ path }) => ({ value: path, label: path }));

const Fields = ({ catalog, graphs, environments, onDone }: Props) => {
  const trpc = useTRPC();
  const form = useZodForm(ruleFieldsSchema, NEW_RULE);
  const { tool, argument, currency, escalation } = useWatch({ control: form.control });
  const pin = catalog.tools.find((one) => `${one.server}/${one.tool}` === tool);
  const amounts = listArguments(pin?.input_schema, ["number", "integer", "string"]);
  const texts = listArguments(pin?.input_schema, ["string"]);
  const { groups } = catalog.approvers;
  const hasAmount = pin !== undefined && argument !== ANY;
  const add = useMutation(
    trpc.approvers.rules.add.mutationOptions({ onSuccess: onDone, onSettled: useRefresh(trpc.approvers.pathFilter()) }),
  );
  const save = (fields: RuleFields) =>
    add.mutate(
      toRule(
        fields,
        amounts.some(({ path, cents }) => path === fields.argument && cents),
      ),
    );
  const chosen = (name: "groups" | "people", legend: string, choices: Parameters<typeof CheckboxGroup<string>>[0]["choices"]) =>
    choices.length === 0 ? null : (
      <Controller
        control={form.control}
        name={name}
        render={({ field }) => <CheckboxGroup legend={legend} choices={choices} value={field.value} onChange={field.onChange} />}
      />
    );
  const flag = (name: "total" | "untrusted" | "passkey" | "notPublisher", label: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Checkbox checked={field.value} onCheckedChange={field.onChange}>
          {label}
        </Checkbox>
      )}
    />
  );

  return (
    <Form onSubmit={form.handleSubmit(save)} error={add.error} className="flex flex-col gap-4">
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-semibold">Applies to calls that meet all of these</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField form={form} name="effect" label="Effect" items={EFFECTS} />
          <SelectField
            form={form}
            name="graph"
            label="Graph"
            items={[{ value: ANY, label: "Any graph" }, ...graphs.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          {environments.length < 2 ? null : (
            <SelectField
              form={form}
              name="environment"
              label="Environment"
              items={[{ value: ANY, label: "Any environment" }, ...environments.map(({ id, title }) => ({ value: id, label: title }))]}
            />
          )}
          <SelectField
            form={form}
            name="tool"
            label="Tool"
            items={[
              { value: ANY, label: "Any tool" },
              ...catalog.tools.map((one) => ({ value: `${one.server}/${one.tool}`, label: `${one.tool} on ${one.server}` })),
            ]}
          />
          <SelectField form={form} name="confidentiality" label="Data in the arguments" items={DATA} />
          {pin ? (
            <SelectField form={form} name="argument" label="Amount" items={[{ value: ANY, label: "Any amount" }, ...toItems(amounts)]} />
          ) : null}
          {hasAmount ? (
            <>
              <TextField form={form} name="from" label="From" inputMode="decimal" />
              <SelectField
                form={form}
                name="currency"
                label="Currency argument"
                items={[{ value: ANY, label: "None" }, ...toItems(texts)]}
              />
              {currency === ANY ? null : (
                <TextField form={form} name="code" label="Currency of the amount" placeholder="EUR" maxLength={3} />
              )}
            </>
          ) : null}
        </div>
        {hasAmount ? (
          <>
            {flag("total", "Add up this tool's calls in the run")}
            <p className="text-xs text-muted">
              Also applies to amounts that are missing, no number, or as large and negative
              {currency === ANY ? "" : ", and to all other currencies"}. A list counts with its sum.
            </p>
          </>
        ) : null}
        {flag("untrusted", "Only calls that untrusted data influenced")}
      </fieldset>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-semibold">Demands</legend>
        {chosen(
          "groups",
          "Groups",
          groups.map(({ name, people }) => ({ value: name, label: name, hint: `${people.length} members` })),
        )}
        {chosen(
          "people",
          "People",
          catalog.approvers.deciders.map(({ id, name }) => ({ value: id, label: name, hint: "reviewer" })),
        )}
        <SelectField
          form={form}
          name="count"
          label="Approvals"
          hint="By the people and groups above, or by any reviewer if none is chosen."
          items={COUNTS}
        />
        {groups.length === 0 ? null : (
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField
              form={form}
              name="escalation"
              label="If undecided, escalate to"
              hint="Its members can then approve as well as those above."
              items={[{ value: NO_ONE, label: "No one" }, ...groups.map(({ name }) => ({ value: name, label: name }))]}
            />
            {escalation === NO_ONE ? null : <TextField form={form} name="afterHours" label="After (hours)" inputMode="numeric" />}
          </div>
        )}
        {flag("passkey", "Each approval is signed with a passkey")}
        {flag("notPublisher", "The version's publisher can't be one of them")}
      </fieldset>
      <FormActions submit="Add rule" pending={add.isPending ? "Committing…" : null} onCancel={onDone} />
    </Form>
  );
};

export const RuleForm = ({ onDone }: Pick<Props, "onDone">) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const environments = useQuery(trpc.environments.list.queryOptions()).data?.environments ?? [];

  return (
    <QueryState query={useQuery(trpc.graphs.catalog.queryOptions())} what="tools and approvers" rows={4}>
      {(catalog) => <Fields catalog={catalog} graphs={graphs.data ?? []} environments={environments} onDone={onDone} />}
    </QueryState>
  );
};

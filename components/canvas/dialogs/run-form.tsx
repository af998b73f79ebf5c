"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { PublishedGraph } from "@/lib/graph/document";
import { LaunchFieldControl } from "./launch-field";
import { initialText, launchFields, launchInputs } from "./launch-inputs";

type Props = {
  readonly version: { readonly hash: string; readonly number: number; readonly published: PublishedGraph };
  readonly models: readonly { readonly id: string; readonly label: string; readonly scripted: boolean }[];
};

const limitsOf = ({ graph }: PublishedGraph): string =>
  [
    `${graph.max_iterations} steps`,
    graph.max_token_budget === undefined ? null : `${graph.max_token_budget.toLocaleString("en")} tokens`,
    graph.budget_usd === undefined ? null : `$${graph.budget_usd.toFixed(2)}`,
  ]
    .filter((limit) => limit !== null)
    .join(", ");

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Goal, inputs and model of a new run. */
export const RunForm = ({ version, models }: Props) => {
  const router = useRouter();
  const trpc = useTRPC();
  const { graph } = version.published;
  const fields = launchFields(graph.inputs);
  const [goal, setGoal] = useState(graph.description);
  const [constraints, setConstraints] = useState("");
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const [model, setModel] = useState(models[0]?.id ?? null);
  const start = useMutation(trpc.runs.start.mutationOptions({ onSuccess: ({ run_id: runId }) => router.push(`/runs/${runId}`) }));
  const error = start.error ? apiError(start.error) : null;
  const missing = model === null ? "No runner has told which models there are" : goal.trim() === "" ? "A run needs a goal" : null;
  const submit = () => {
    if (model === null) return;
    start.mutate({ graph_hash: version.hash, goal, constraints: lines(constraints), inputs: launchInputs(fields, entered), model });
  };

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null && !start.isPending) submit();
      }}
    >
      <p className="flex items-center gap-2 text-sm text-muted">
        Version {version.number} <DigestChip digest={version.hash} label="version" /> at most {limitsOf(version.published)}
      </p>
      {error ? (
        <Callout kind="refused" alert title={error.message}>
          {error.requestId ? <span className="font-mono text-xs">Request {error.requestId}</span> : null}
        </Callout>
      ) : null}
      {fields.map((field) => (
        <LaunchFieldControl
          key={field.name}
          field={field}
          value={entered[field.name] ?? initialText(field)}
          onChange={(value) => setEntered({ ...entered, [field.name]: value })}
        />
      ))}
      <Field label="Goal">
        <Textarea value={goal} onChange={(event) => setGoal(event.target.value)} />
      </Field>
      <Field label="Constraints (optional)" hint="One per line.">
        <Textarea rows={2} value={constraints} onChange={(event) => setConstraints(event.target.value)} />
      </Field>
      <Field label="Model" hint="A scripted model plays a fixed part; it needs no key and costs nothing.">
        <Select
          items={models.map((item) => ({ value: item.id, label: item.label }))}
          value={model}
          placeholder="No model"
          onValueChange={setModel}
        />
      </Field>
      <div className="flex justify-end border-t pt-3">
        <Button type="submit" variant="primary" disabledReason={missing} pending={start.isPending ? "Committing…" : null}>
          Start the run
        </Button>
      </div>
    </form>
  );
};

"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { computeEnvelope } from "@/lib/engine/envelope/envelope";
import { count } from "@/lib/format";
import type { PublishedGraph } from "@/lib/graph/document";
import { getDefaultModel, type ChoosableModel } from "@/lib/model-info";
import { describePersona } from "@/lib/scripted-personas";
import { toBudget } from "./budget";
import { BudgetFields } from "./budget-fields";
import { EnvelopePanel } from "./envelope-panel";
import type { LaunchDraft } from "./launch-draft";
import { SchemaFields } from "@/components/schema-form/schema-fields";
import { readForm } from "@/components/schema-form/entered-values";

type Props = {
  readonly version: { readonly hash: string; readonly number: number; readonly published: PublishedGraph };
  readonly versions: readonly { readonly hash: string; readonly number: number }[];
  readonly live: string | null;
  readonly environments: readonly { readonly id: string; readonly title: string }[];
  readonly environment: string;
  readonly environmentHint: string | null;
  readonly models: readonly ChoosableModel[];
  readonly draft: LaunchDraft;
  readonly onDraft: (change: Partial<LaunchDraft>) => void;
};

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const shownProblems = (problems: ReadonlyMap<string, string>, { tried, left }: LaunchDraft): ReadonlyMap<string, string> =>
  tried ? problems : new Map([...problems].filter(([place]) => left.includes(place)));

const summary = (problems: number, misfit: boolean): string | null => {
  if (misfit) return "Each input is valid, but the combination is not.";
  if (problems === 0) return null;

  return problems === 1 ? "Fix the field marked above." : `Fix the ${count(problems)} fields marked above.`;
};

export const LaunchForm = ({ version, versions, live, environments, environment, environmentHint, models, draft, onDraft }: Props) => {
  const router = useRouter();
  const trpc = useTRPC();
  const form = useRef<HTMLFormElement>(null);
  const { graph } = version.published;
  const { fields, value: inputs, problems, misfit } = readForm(graph.inputs, draft.entered);
  const goal = draft.goal ?? (graph.description === "" ? graph.name : graph.description);
  const model = draft.model ?? getDefaultModel(models, "runs");
  const plays = model === null ? null : describePersona(model, version.published.agents);
  const budget = toBudget(graph, draft.budget);
  const rates = new Map(models.map(({ id, rates: known }) => [id, known]));
  // Without a runner, no model is known.
  const envelope = computeEnvelope(version.published, { model: model ?? "", rates, limits: budget.limits });
  const { refusedModels } = model === null ? { refusedModels: [] } : envelope;
  const start = useMutation(trpc.runs.start.mutationOptions({ onSuccess: ({ runId }) => router.push(`/runs/${runId}`) }));
  const error = start.error ? toApiError(start.error) : null;
  const faults = problems.size + Object.values(budget.problems).filter((problem) => problem !== null).length + (goal.trim() === "" ? 1 : 0);
  const trouble = draft.tried ? summary(faults, misfit) : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (model === null || start.isPending) return;
    if (faults > 0 || misfit) {
      // Errors must render before they can be focused.
      flushSync(() => onDraft({ tried: true }));
      form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();

      return;
    }
    const limits = Object.keys(budget.limits).length === 0 ? {} : { limits: budget.limits };
    const place = environments.length < 2 ? {} : { environment };
    start.mutate({ graphHash: version.hash, goal, constraints: linesOf(draft.constraints), inputs, model, ...limits, ...place });
  };

  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {environments.length < 2 ? null : (
            <Field label="Environment" hint={environmentHint}>
              <Select
                items={environments.map(({ id, title }) => ({ value: id, label: title }))}
                value={environment}
                onValueChange={(id) => onDraft({ environment: id, version: null, tried: false })}
              />
            </Field>
          )}
          <div className="flex items-end gap-2">
            <Field label="Version" className="min-w-0 flex-1">
              <Select
                items={versions.map(({ hash, number }) => ({
                  value: hash,
                  label: `Version ${number}${hash === live ? `, ${environments.length < 2 ? "latest" : "live"}` : ""}`,
                }))}
                value={version.hash}
                onValueChange={(hash) => onDraft({ version: hash, tried: false })}
              />
            </Field>
            <span className="pb-1">
              <DigestChip digest={version.hash} label="version" />
            </span>
          </div>
          <Field label="Model" {...(plays === null ? {} : { hint: plays })}>
            <Select
              items={models.map((item) => ({ value: item.id, label: item.label }))}
              value={model}
              placeholder="No model"
              onValueChange={(id) => onDraft({ model: id })}
            />
          </Field>
          <SchemaFields
            fields={fields}
            entered={draft.entered}
            problems={shownProblems(problems, draft)}
            onChange={(place, text) => onDraft({ entered: { ...draft.entered, [place]: text } })}
            onLeave={(place) => onDraft({ left: draft.left.includes(place) ? draft.left : [...draft.left, place] })}
          />
          <Field label="Goal" error={draft.tried && goal.trim() === "" ? "Required." : null}>
            <Textarea value={goal} onChange={(event) => onDraft({ goal: event.target.value })} />
          </Field>
          <Field label="Constraints (optional)" hint="One per line.">
            <Textarea rows={2} value={draft.constraints} onChange={(event) => onDraft({ constraints: event.target.value })} />
          </Field>
        </div>
        <EnvelopePanel envelope={{ ...envelope, refusedModels }} models={models}>
          <BudgetFields graph={graph} texts={draft.budget} problems={budget.problems} onChange={(texts) => onDraft({ budget: texts })} />
        </EnvelopePanel>
      </div>
      <div className="sticky -bottom-3 -mx-4 -mb-3 flex flex-col gap-2 border-t bg-surface px-4 py-3">
        {error ? (
          <Callout kind="refused" alert title={error.message}>
            {error.issues.map(({ path, message }) => (
              <p key={path}>
                {path}: {message}
              </p>
            ))}
            {error.requestId ? <span className="font-mono text-xs">Request {error.requestId}</span> : null}
          </Callout>
        ) : null}
        <div className="flex items-center justify-end gap-3">
          <output className="min-w-0 flex-1 text-sm text-refused">{trouble}</output>
          <Button
            type="submit"
            variant="primary"
            disabledReason={model === null ? "No runner has reported its models yet" : null}
            pending={start.isPending ? "Starting…" : null}
          >
            Start the run
          </Button>
        </div>
      </div>
    </form>
  );
};

"use client";

import { NumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { SchemaBuilder } from "@/components/canvas/schema-builder/schema-builder";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { endStatusSchema } from "@/lib/engine/event";
import { compileExpression } from "@/lib/graph/condition";
import type { Graph } from "@/lib/graph/document";
import { listInputKeys } from "@/lib/graph/facts/facts";
import { SCHEME_NAMES } from "@/lib/graph/triggers/describe";
import { findScheduleFault } from "@/lib/graph/triggers/occurrence";
import { MOST_JITTER_MS, WEBHOOK_SCHEMES, type Trigger, type TriggerOf } from "@/lib/graph/triggers/trigger";
import { EmailFields } from "./email-fields";
import { ResourceFields } from "./resource-fields";
import { idSchema } from "@/lib/ids";
import { chosenSecretNameSchema } from "@/lib/secrets/reference";

const MINUTE_MS = 60_000;

const SCHEMES = WEBHOOK_SCHEMES.map((value) => ({ value, label: SCHEME_NAMES[value] }));
const MISSED = [
  { value: "skip", label: "Skip them, on record" },
  { value: "run_once", label: "Run once for all of them" },
] as const;
const TURNS = [
  { value: "queue", label: "Start afterwards" },
  { value: "replace", label: "Replace the run once it waits" },
  { value: "drop", label: "Drop the event, on record" },
] as const;
const ENDS = endStatusSchema.options;

const findIdFault = (text: string): string | null => (idSchema.safeParse(text).success ? null : "Use letters, digits, - and _.");
const findSecretFault = (text: string): string | null => chosenSecretNameSchema.safeParse(text).error?.issues[0]?.message ?? null;

const findExpressionFault = (text: string): string | null => {
  if (text.trim() === "") return null;
  const compiled = compileExpression(text, "event");

  return compiled.ok ? null : compiled.error;
};

type Props<T extends Trigger = Trigger> = {
  readonly graph: Graph;
  readonly trigger: T;
  readonly onChange: (trigger: Trigger, field?: string) => void;
};

const WebhookFields = ({ trigger, onChange }: Omit<Props<TriggerOf<"webhook">>, "graph">) => (
  <>
    <Field label="Signed as">
      <Select items={SCHEMES} value={trigger.scheme} onValueChange={(scheme) => onChange({ ...trigger, scheme })} />
    </Field>
    <TextField
      label="Signing secret"
      hint="Name of a secret that an admin stored. Without it, nothing starts."
      mono
      value={trigger.secret}
      check={findSecretFault}
      onCommit={(secret) => onChange({ ...trigger, secret }, "secret")}
    />
    <SchemaBuilder
      title="Payload"
      jsonLabel="Payload (JSON Schema)"
      hint="List the fields that you use. The payload may have others."
      root="object"
      schema={trigger.payload}
      onChange={(payload, part) => onChange({ ...trigger, payload: { ...payload } }, part && `payload.${part}`)}
    />
  </>
);

const ScheduleFields = ({ trigger, onChange }: Omit<Props<TriggerOf<"schedule">>, "graph">) => (
  <>
    <TextField
      label="Cron"
      hint="Minute, hour, day of month, month, day of week."
      mono
      value={trigger.cron}
      check={(cron) => findScheduleFault({ ...trigger, cron })}
      onCommit={(cron) => onChange({ ...trigger, cron }, "cron")}
    />
    <TextField
      label="Time zone"
      mono
      value={trigger.time_zone}
      check={(zone) => findScheduleFault({ cron: "0 0 * * *", time_zone: zone })}
      onCommit={(zone) => onChange({ ...trigger, time_zone: zone }, "zone")}
    />
    <Field label="Times missed while nothing ran">
      <Select items={MISSED} value={trigger.missed} onValueChange={(missed) => onChange({ ...trigger, missed })} />
    </Field>
    <NumberField
      label="Jitter (minutes)"
      hint="Delays each start by up to this, always by the same for one trigger."
      integer={false}
      value={trigger.jitter_ms / MINUTE_MS}
      min={0}
      max={MOST_JITTER_MS / MINUTE_MS}
      onCommit={(minutes) => onChange({ ...trigger, jitter_ms: Math.round(minutes * MINUTE_MS) }, "jitter")}
    />
  </>
);

const RunEndFields = ({ trigger, onChange }: Omit<Props<TriggerOf<"run_end">>, "graph">) => (
  <>
    <TextField
      label="Graph"
      hint="Id of a published graph, as in its file."
      mono
      value={trigger.graph_id}
      check={findIdFault}
      onCommit={(id) => onChange({ ...trigger, graph_id: id }, "graph")}
    />
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">When its run is</legend>
      {ENDS.map((status) => {
        const isOn = trigger.statuses.includes(status);
        const statuses = ENDS.filter((one) => (one === status ? !isOn : trigger.statuses.includes(one)));

        return (
          <Checkbox key={status} checked={isOn} disabled={statuses.length === 0} onCheckedChange={() => onChange({ ...trigger, statuses })}>
            {status}
          </Checkbox>
        );
      })}
    </fieldset>
  </>
);

const Kind = ({ trigger, onChange }: Omit<Props, "graph">) => {
  switch (trigger.kind) {
    case "webhook":
      return <WebhookFields trigger={trigger} onChange={onChange} />;
    case "schedule":
      return <ScheduleFields trigger={trigger} onChange={onChange} />;
    case "email":
      return <EmailFields trigger={trigger} onChange={onChange} />;
    case "mcp_resource":
      return <ResourceFields trigger={trigger} onChange={onChange} />;
    case "run_end":
      return <RunEndFields trigger={trigger} onChange={onChange} />;
    default:
      return trigger satisfies never;
  }
};

const EnvironmentField = ({ trigger, onChange }: Omit<Props, "graph">) => {
  const ids = useCanvas((state) => state.catalog.environments) ?? [];
  const { environment, ...rest } = trigger;
  if (ids.length < 2 && environment === undefined) return null;
  const named = [...new Set([...ids, ...(environment === undefined ? [] : [environment])])];

  return (
    <Field label="Environment" hint="Runs use its version, variables and secrets.">
      <Select
        items={[{ value: "", label: "The last one" }, ...named.map((id) => ({ value: id, label: id }))]}
        value={environment ?? ""}
        onValueChange={(id) => onChange(id === "" ? rest : { ...rest, environment: id })}
      />
    </Field>
  );
};

const EVENT_HINTS = {
  webhook: "CEL over the payload, such as event.order.",
  email: "CEL over event.from, event.subject, event.text, event.date, event.attachments, event.dkim and event.dkim_domain.",
  schedule: "CEL, such as event.at or 'nightly'.",
  mcp_resource: "CEL over event.text, event.mime_type and event.uri.",
  run_end: "CEL over event.run, event.graph, event.status and event.at.",
} as const satisfies Record<Trigger["kind"], string>;

export const TriggerFields = ({ graph, trigger, onChange }: Props) => {
  const fields = [...new Set([...listInputKeys(graph), ...Object.keys(trigger.inputs)])];
  const setInput = (name: string, text: string) => {
    const { [name]: _old, ...others } = trigger.inputs;
    onChange({ ...trigger, inputs: text.trim() === "" ? others : { ...others, [name]: text } }, `inputs.${name}`);
  };

  return (
    <>
      <TextField label="Name" mono value={trigger.id} check={findIdFault} onCommit={(id) => onChange({ ...trigger, id }, "id")} />
      <Kind trigger={trigger} onChange={onChange} />
      {fields.map((name) => (
        <TextField
          key={name}
          label={`Input ${name}`}
          hint={EVENT_HINTS[trigger.kind]}
          mono
          value={trigger.inputs[name] ?? ""}
          check={findExpressionFault}
          onCommit={(text) => setInput(name, text)}
        />
      ))}
      <TextField
        label="Model"
        hint="For agents that use the default model."
        mono
        value={trigger.model}
        check={(text) => (text.trim() === "" || text.length > 200 ? "1 to 200 characters." : null)}
        onCommit={(model) => onChange({ ...trigger, model }, "model")}
      />
      <EnvironmentField trigger={trigger} onChange={onChange} />
      <Field label="While its run is under way">
        <Select items={TURNS} value={trigger.concurrency} onValueChange={(concurrency) => onChange({ ...trigger, concurrency })} />
      </Field>
    </>
  );
};

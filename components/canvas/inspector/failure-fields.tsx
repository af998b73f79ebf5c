"use client";

import { Disclosure } from "@/components/canvas/fields/disclosure";
import { NumberField } from "@/components/canvas/fields/number-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { GraphNode } from "@/lib/graph/document";

const SECOND_MS = 1_000;

const BACKOFFS = [
  { value: "fixed", label: "Fixed" },
  { value: "linear", label: "Linear" },
  { value: "exponential", label: "Exponential, with jitter" },
] as const;

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

export const FailureFields = ({ node, change }: Props) => {
  const policy = node.failure_policy;
  const set = (changed: Partial<typeof policy>, field?: string) => change({ ...node, failure_policy: { ...policy, ...changed } }, field);

  return (
    <Disclosure title="Retries and timeout">
      <NumberField label="Attempts" value={policy.attempts} min={1} max={10} onCommit={(attempts) => set({ attempts }, "attempts")} />
      <Field label="Backoff">
        <Select items={BACKOFFS} value={policy.backoff} onValueChange={(backoff) => set({ backoff })} />
      </Field>
      <NumberField
        label="First retry after (seconds)"
        value={policy.backoff_ms / SECOND_MS}
        integer={false}
        min={0}
        max={3_600}
        onCommit={(seconds) => set({ backoff_ms: Math.round(seconds * SECOND_MS) }, "backoff")}
      />
      <NumberField
        label="Timeout (seconds)"
        hint="Ends the current attempt; no further attempts are made."
        value={policy.timeout_ms / SECOND_MS}
        integer={false}
        min={0.1}
        max={3_600}
        onCommit={(seconds) => set({ timeout_ms: Math.round(seconds * SECOND_MS) }, "timeout")}
      />
    </Disclosure>
  );
};

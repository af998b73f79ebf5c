"use client";

import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { NameList } from "@/components/canvas/fields/name-list";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { findGrantFault } from "@/components/canvas/fields/path-check";
import { TextField } from "@/components/canvas/fields/text-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Graph } from "@/lib/graph/document";
import type { GraphSettings } from "@/lib/graph/edit";
import { classificationSchema } from "@/lib/graph/label";

const HOUR_MS = 3_600_000;
const CLASSES = classificationSchema.options.map((value) => ({ value, label: value }));

type External = NonNullable<Graph["external"]>;

const FIRST: External = { read_keys: [], clearance: "internal", instructions: "", idle_timeout_ms: 24 * HOUR_MS };

type Props = { readonly graph: Graph; readonly set: (settings: GraphSettings, field?: string) => void };

export const OutsideSettings = ({ graph, set }: Props) => {
  const { external } = graph;
  const change = (changed: Partial<External>, field?: string) =>
    set({ external: { ...(external ?? FIRST), ...changed } }, field && `external.${field}`);

  return (
    <OptionalSection
      title="Driven by outside agents"
      about="Nodes are actions: the run pauses after each one until an outside agent chooses the next over MCP."
      isOn={external !== undefined}
      onToggle={(isOn) => set({ external: isOn ? FIRST : undefined })}
    >
      {external ? (
        <>
          <NameList
            label="Outside agents may read"
            hint="If empty, they see the available actions, but no values."
            names={external.read_keys}
            suggestions={listDeclaredPaths(graph)}
            check={findGrantFault}
            onChange={(names) => change({ read_keys: [...names] })}
          />
          <Field label="Cleared up to" hint="Values of a higher class are redacted.">
            <Select items={CLASSES} value={external.clearance} onValueChange={(clearance) => change({ clearance })} />
          </Field>
          <TextField
            label="Instructions for the outside agent"
            rows={3}
            value={external.instructions}
            check={(text) => (text.length > 4_000 ? "At most 4,000 characters." : null)}
            onCommit={(instructions) => change({ instructions }, "instructions")}
          />
          <NumberField
            label="Cancel when idle for (hours)"
            integer={false}
            value={external.idle_timeout_ms / HOUR_MS}
            min={0.001}
            max={720}
            onCommit={(hours) => change({ idle_timeout_ms: Math.round(hours * HOUR_MS) }, "idle")}
          />
        </>
      ) : null}
    </OptionalSection>
  );
};

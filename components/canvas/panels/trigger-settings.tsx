"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { EntryList } from "@/components/canvas/fields/entry-list";
import type { Graph } from "@/lib/graph/document";
import type { GraphSettings } from "@/lib/graph/edit";
import { MOST_TRIGGERS, triggerSchema, type Trigger } from "@/lib/graph/triggers/trigger";
import { TriggerFields } from "./trigger-fields";

type Props = { readonly graph: Graph; readonly set: (settings: GraphSettings, field?: string) => void };

const freeId = (triggers: readonly Trigger[], kind: Trigger["kind"]): string => {
  const names = [kind, ...Array.from({ length: triggers.length + 1 }, (_, index) => `${kind}_${index + 2}`)];

  return names.find((name) => !triggers.some(({ id }) => id === name)) ?? kind;
};

const FIRST = {
  webhook: { scheme: "standard", secret: "webhook_secret" },
  schedule: { cron: "0 8 * * 1-5" },
  email: { host: "imap.example.com", user: "desk@example.com", secret: "mailbox_password" },
  mcp_resource: { server: "server", uri: "file:///orders" },
  run_end: { graph_id: "graph" },
} as const;

const NAMES = {
  webhook: "Add a webhook",
  schedule: "Add a schedule",
  email: "Add a mailbox",
  mcp_resource: "Add an MCP resource",
  run_end: "Add the end of a run",
} as const;

export const TriggerSettings = ({ graph, set }: Props) => {
  const { id: place } = useParams<{ id: string }>();
  const triggers = graph.triggers ?? [];
  const change = (next: readonly Trigger[], field?: string) =>
    set({ triggers: next.length === 0 ? undefined : [...next] }, field && `triggers.${field}`);
  const add = (kind: Trigger["kind"]) => ({
    label: NAMES[kind],
    whyNot: triggers.length >= MOST_TRIGGERS ? `At most ${MOST_TRIGGERS}` : null,
    onAdd: () => {
      change([...triggers, triggerSchema.parse({ ...FIRST[kind], id: freeId(triggers, kind), kind })]);
    },
  });

  return (
    <div className="flex flex-col gap-2">
      <EntryList
        title="Triggers"
        hint="What starts the published version without a person. Everything that a sender chooses is untrusted."
        empty="Only people and programs start runs."
        noun="trigger"
        entries={triggers}
        onRemove={(index) => change(triggers.toSpliced(index, 1))}
        adds={[add("webhook"), add("schedule"), add("email"), add("mcp_resource"), add("run_end")]}
      >
        {(trigger, index) => (
          <TriggerFields
            graph={graph}
            trigger={trigger}
            onChange={(next, field) => change(triggers.toSpliced(index, 1, next), field && `${index}.${field}`)}
          />
        )}
      </EntryList>
      <Link href={`/graphs/${place}/triggers`} className="text-sm text-accent hover:underline">
        Addresses and events of the published triggers
      </Link>
    </div>
  );
};

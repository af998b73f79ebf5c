"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import { Select } from "@/components/ui/select";
import { CLIENTS, type ClientId } from "./client-configs";
import { CopyBlock } from "@/components/ui/copy-block";

const CLIENT_IDS = Object.keys(CLIENTS) as readonly ClientId[]; // Keys of our own constant.
const CLIENT_ITEMS = CLIENT_IDS.map((value) => ({ value, label: CLIENTS[value].label }));

const NONE = (
  <EmptyState kind="nothing_yet" title="No graphs for outside agents yet">
    In a graph&apos;s settings, select “Driven from outside” and publish. Its nodes become the actions that an agent can take.
  </EmptyState>
);

const Setup = ({ graphs }: { readonly graphs: Outputs["connect"]["graphs"]["list"] }) => {
  const [chosen, setChosen] = useQueryStates({
    graph: parseAsString,
    client: parseAsStringLiteral(CLIENT_IDS).withDefault("claude_code"),
  });
  const graph = graphs.find(({ graphId }) => graphId === chosen.graph) ?? graphs[0];
  if (!graph) return NONE;
  const { where, text, note } = CLIENTS[chosen.client].config({ name: graph.name, url: graph.endpoint });

  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Graph">
          <Select
            items={graphs.map((each) => ({ value: each.graphId, label: `${each.name} · version ${each.versionNumber}` }))}
            value={graph.graphId}
            onValueChange={(next) => void setChosen({ graph: next })}
          />
        </Field>
        <Field label="Client">
          <Select items={CLIENT_ITEMS} value={chosen.client} onValueChange={(next) => void setChosen({ client: next })} />
        </Field>
      </div>
      {graph.description ? <p className="text-sm text-muted">{graph.description}</p> : null}
      <Panel title="Endpoint" bodyClassName="p-3">
        <CopyBlock label="endpoint" text={graph.endpoint} />
      </Panel>
      <Panel title={`Add to ${where}`} bodyClassName="flex flex-col gap-2 p-3">
        <CopyBlock label="configuration" text={text} />
        <p className="text-xs text-muted">{note}</p>
      </Panel>
      <Panel title="What the agent can do" bodyClassName="p-3 text-sm">
        <p>
          It selects a legal action and provides the inputs. Its inputs are untrusted unless its token says otherwise. It sees only what the
          graph shows outside agents, and it can request approvals but never give them.
        </p>
      </Panel>
    </div>
  );
};

export const Endpoints = () => (
  <QueryState query={useQuery(useTRPC().connect.graphs.list.queryOptions())} what="graphs" rows={4}>
    {(graphs) => <Setup graphs={graphs} />}
  </QueryState>
);

"use client";

import { Workflow } from "lucide-react";
import { ChoiceOrNone } from "@/components/canvas/fields/choice-or-none";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { PairList } from "@/components/canvas/fields/pair-list";
import { OptionalPathField } from "@/components/canvas/fields/path-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import type { Graph, NodeOf } from "@/lib/graph/document";
import type { PublishedVersion, ValidationContext } from "@/lib/graph/facts/facts";
import { resolveVersion } from "@/lib/graph/publish";
import { isJsonObject, type Json } from "@/lib/json";
import type { FormProps, KindUi } from "./kind-ui";

type Config = NodeOf<"subgraph">["config"];

const DIGEST_SHOWN = 8;

const graphsOf = (versions: readonly PublishedVersion[], own: string) => {
  const newest = new Map<string, string>();
  for (const { published } of versions) {
    const { id, name } = published.graph;
    if (id !== own && !newest.has(id)) newest.set(id, name);
  }

  return [...newest].map(([value, label]) => ({ value, label }));
};

const versionsOf = (versions: readonly PublishedVersion[], graphId: string) =>
  versions
    .filter(({ published }) => published.graph.id === graphId)
    .map(({ version }, index) => ({ value: version, label: `${version.slice(0, DIGEST_SHOWN)}${index === 0 ? " (latest)" : ""}` }));

const launchKeys = (child: Graph): ReadonlySet<string> => {
  const properties: Json | undefined = child.inputs["properties"];

  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
};

const withInput = (inputs: Config["inputs"], key: string, path: string | undefined): Config["inputs"] => {
  const { [key]: _before, ...others } = inputs;

  return path === undefined ? others : { ...inputs, [key]: path };
};

const Form = ({ node, graph, catalog, change }: FormProps<"subgraph">) => {
  const { config } = node;
  const child = resolveVersion(catalog.versions, config)?.published.graph;
  const launched = child ? launchKeys(child) : new Set<string>();
  const keys = [...new Set([...(child?.memory.map((key) => key.key) ?? []), ...Object.keys(config.inputs)])];
  const foremost = keys.filter((key) => launched.has(key) || config.inputs[key] !== undefined);
  const others = keys.filter((key) => !foremost.includes(key));
  const set = (changed: Partial<Config>, field?: string) => change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);
  const input = (key: string) => (
    <OptionalPathField
      key={key}
      label={key}
      graph={graph}
      value={config.inputs[key]}
      onCommit={(path) => set({ inputs: withInput(config.inputs, key, path) }, `input.${key}`)}
    />
  );

  return (
    <>
      <ChoiceOrNone
        label="Graph"
        hint={child ? child.description : "Only published graphs can be used."}
        items={graphsOf(catalog.versions, graph.id)}
        value={config.graph_id}
        onChange={(id) => {
          if (id !== undefined) set({ graph_id: id, version: undefined, inputs: {}, outputs: {} });
        }}
      />
      <ChoiceOrNone
        label="Version"
        none="Latest when this graph is published"
        items={versionsOf(catalog.versions, config.graph_id)}
        value={config.version}
        onChange={(version) => set({ version })}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-medium">Inputs</legend>
        <p className="text-xs text-muted">Choose the path of this graph that fills each key. Empty keys are not set.</p>
        {foremost.map(input)}
        {others.length === 0 ? null : <Disclosure title={`Other keys (${others.length})`}>{others.map(input)}</Disclosure>}
      </fieldset>
      <PairList
        title="Outputs"
        left={{ label: "Path in this graph", suggestions: listDeclaredPaths(graph) }}
        right={{ label: "Path in the subgraph", suggestions: child ? listDeclaredPaths(child) : [] }}
        pairs={Object.entries(config.outputs)}
        unique
        onChange={(pairs, field) => set({ outputs: Object.fromEntries(pairs) }, field)}
      />
    </>
  );
};

const first = (catalog: ValidationContext, own: string): string =>
  catalog.versions.find(({ published }) => published.graph.id !== own)?.published.graph.id ?? "unassigned";

export const subgraphUi: KindUi<"subgraph"> = {
  icon: Workflow,
  group: "work",
  summary: ({ config }, catalog) => resolveVersion(catalog.versions, config)?.published.graph.name ?? config.graph_id,
  Form,
  initial: (graph, catalog) => ({ config: { graph_id: first(catalog, graph.id), inputs: {}, outputs: {} } }),
};

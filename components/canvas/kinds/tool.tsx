"use client";

import { Wand2, Wrench } from "lucide-react";
import { ArgumentList } from "@/components/canvas/fields/argument-list";
import { TOOL_SOURCES, WORKER_SOURCES } from "@/components/canvas/fields/argument-sources";
import { WriteTo } from "@/components/canvas/fields/path-field";
import { findPinnedTool, ToolSelect } from "@/components/canvas/fields/tool-select";
import { useEdit } from "@/components/canvas/state/canvas-context";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Button } from "@/components/ui/button";
import type { Graph, NodeOf } from "@/lib/graph/document";
import { listEarlierValues } from "@/lib/graph/earlier-steps";
import { mapsItems } from "@/lib/graph/kind-of";
import { inferArguments } from "@/lib/graph/infer-arguments";
import { adoptTool, UNASSIGNED } from "@/lib/graph/wiring";
import type { FormProps, KindUi } from "./kind-ui";

const takesItems = (node: NodeOf<"tool">, graph: Graph): boolean =>
  graph.nodes.some((other) => mapsItems(other) && other.config.worker_node === node.id) ||
  Object.values(node.config.arguments).some((argument) => "item" in argument);

const Form = ({ node, graph, catalog, change }: FormProps<"tool">) => {
  const edit = useEdit();
  const { config } = node;
  const schema = findPinnedTool(catalog, config)?.input_schema ?? null;
  const inferred = schema ? inferArguments(schema, graph, config.arguments) : config.arguments;
  const isComplete = Object.keys(inferred).length === Object.keys(config.arguments).length;

  return (
    <>
      <ToolSelect label="Tool" catalog={catalog} value={config} onChange={(tool) => edit(adoptTool(graph, node, tool))} />
      <ArgumentList
        schema={schema}
        sources={takesItems(node, graph) ? WORKER_SOURCES : TOOL_SOURCES}
        values={config.arguments}
        graph={graph}
        earlier={listEarlierValues(graph, node.id)}
        actions={
          <Button
            size="sm"
            className="self-start"
            disabledReason={isComplete ? "No unset argument has a default or the name of a memory key" : null}
            onClick={() => change({ ...node, config: { ...config, arguments: inferred } })}
          >
            <Wand2 aria-hidden /> Infer from the tool
          </Button>
        }
        onChange={(values, field) => change({ ...node, config: { ...config, arguments: values } }, field)}
      />
      <WriteTo
        graph={graph}
        value={config.write_to}
        onCommit={(path) => change({ ...node, config: dropUndefined({ ...config, write_to: path }) }, "write_to")}
      />
    </>
  );
};

export const toolUi: KindUi<"tool"> = {
  icon: Wrench,
  group: "work",
  summary: ({ config }) => (config.tool === UNASSIGNED ? "No tool chosen" : `${config.server} / ${config.tool}`),
  Form,
  initial: () => ({ effect: "read", config: { server: UNASSIGNED, tool: UNASSIGNED, arguments: {} } }),
};

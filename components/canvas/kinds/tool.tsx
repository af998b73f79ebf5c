"use client";

import { Wrench } from "lucide-react";
import { ArgumentList } from "@/components/canvas/fields/argument-list";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { toolId } from "@/lib/graph/tool-ref";
import type { FormProps, KindUi } from "./kind-ui";

const find = (catalog: ValidationContext, server: string, tool: string) =>
  catalog.tools.find((item) => item.server === server && item.tool === tool);

const Form = ({ node, graph, catalog, change }: FormProps<"tool">) => {
  const { server, tool } = node.config;
  const pinned = find(catalog, server, tool);
  const known = catalog.tools.map((item) => ({ value: toolId(item.server, item.tool), label: `${item.server} / ${item.tool}` }));
  const chosen = toolId(server, tool);
  const items = pinned ? known : [{ value: chosen, label: `${server} / ${tool} (not pinned)` }, ...known];

  return (
    <>
      <Field
        label="Tool"
        hint={pinned ? pinned.description.slice(0, 300) : "Only tools that an admin has pinned on an active server can be called."}
      >
        <Select
          items={items}
          value={chosen}
          onValueChange={(id) => {
            const next = catalog.tools.find((item) => toolId(item.server, item.tool) === id);
            if (next) change({ ...node, effect: next.effect, config: { ...node.config, server: next.server, tool: next.tool } });
          }}
        />
      </Field>
      <ArgumentList
        schema={pinned?.input_schema ?? null}
        values={node.config.arguments}
        graph={graph}
        onChange={(values, field) => change({ ...node, config: { ...node.config, arguments: values } }, field)}
      />
    </>
  );
};

export const toolUi: KindUi<"tool"> = {
  icon: Wrench,
  summary: ({ config }) => `${config.server} / ${config.tool}`,
  Form,
  initial: (_graph, catalog) => {
    const [first] = catalog.tools;

    return {
      effect: first?.effect ?? "read",
      config: { server: first?.server ?? "unassigned", tool: first?.tool ?? "unassigned", arguments: {} },
    };
  },
};

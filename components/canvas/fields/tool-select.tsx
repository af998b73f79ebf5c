"use client";

import type { PinnedTool } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { getToolId } from "@/lib/graph/tool-ref";
import { UNASSIGNED } from "@/lib/graph/wiring";
import { ChoiceOrNone } from "./choice-or-none";

type Ref = { readonly server: string; readonly tool: string };

/** Null if not pinned. */
export const findPinnedTool = (catalog: ValidationContext, { server, tool }: Ref): PinnedTool | null =>
  catalog.tools.find((item) => item.server === server && item.tool === tool) ?? null;

const describeUnpinned = ({ server, tool }: Ref): string => (tool === UNASSIGNED ? "Choose a tool" : `${server} / ${tool} (not pinned)`);

type Props = {
  readonly label: string;
  readonly catalog: ValidationContext;
  readonly value: Ref;
  readonly onChange: (tool: PinnedTool) => void;
};

export const ToolSelect = ({ label, catalog, value, onChange }: Props) => {
  const pinned = findPinnedTool(catalog, value);
  const known = catalog.tools.map((item) => ({ value: getToolId(item.server, item.tool), label: `${item.server} / ${item.tool}` }));
  const chosen = getToolId(value.server, value.tool);

  return (
    <ChoiceOrNone
      label={label}
      hint={pinned ? pinned.description.slice(0, 300) : "Only tools pinned on an active server can be called."}
      items={pinned ? known : [{ value: chosen, label: describeUnpinned(value) }, ...known]}
      value={chosen}
      onChange={(id) => {
        const next = catalog.tools.find((item) => getToolId(item.server, item.tool) === id);
        if (next) onChange(next);
      }}
    />
  );
};

"use client";

import { useDeferredValue, useMemo } from "react";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { getNodeName } from "@/lib/graph/facts/facts";
import type { NameOf } from "@/lib/graph/analyse/labels";
import { listAuthority, decorateStanding, type NodeAuthority } from "./authority";
import { getFactsHere } from "./current-facts";

const MOST_LISTED = 100;

const Facts = ({ of: { tools, reads, writes, gates }, nameOf }: { readonly of: NodeAuthority; readonly nameOf: NameOf }) => {
  const lines = [
    ["Calls", tools],
    ["Reads", reads],
    ["Writes", writes],
    ["Approvals", gates.map(nameOf)],
  ] as const;

  return (
    <dl className="grid grid-cols-[4.5rem_1fr] gap-x-2 text-xs leading-5">
      {lines.map(([name, items]) =>
        items.length === 0 ? null : (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{items.join(", ")}</dd>
          </div>
        ),
      )}
    </dl>
  );
};

export const AuthorityPanel = () => {
  const document = useDeferredValue(useDocument());
  const catalog = useCanvas((state) => state.catalog);
  const select = useCanvas((state) => state.select);
  const selected = useCanvas((state) => state.selection.nodes);
  const nameOf = useNodeNames();
  const all = useMemo(
    () => listAuthority(getFactsHere(document, catalog)).filter(({ standing }) => standing !== "none"),
    [document, catalog],
  );
  const listed = all.toSorted((a, b) => Number(selected.includes(b.node.id)) - Number(selected.includes(a.node.id))).slice(0, MOST_LISTED);
  if (all.length === 0)
    return (
      <EmptyState kind="nothing_yet" title="No authority">
        No node of this graph writes memory, calls a tool or requires an approval.
      </EmptyState>
    );

  return (
    <>
      <ul aria-label="What each node may do, worst first" className="divide-y">
        {listed.map((one) => {
          const { mark, text } = decorateStanding(one);

          return (
            <li key={one.node.id} className={cn("flex flex-col gap-1 px-3 py-2", selected.includes(one.node.id) && "bg-accent-soft")}>
              <button
                type="button"
                className="flex flex-col items-start gap-1 text-left text-sm font-medium hover:text-accent"
                onClick={() => select({ nodes: [one.node.id], edges: [] })}
              >
                {getNodeName(one.node)}
                {mark === undefined ? (
                  <span className="text-xs font-normal text-muted">{text}</span>
                ) : (
                  <Mark kind={mark} bare>
                    {text}
                  </Mark>
                )}
              </button>
              <Facts of={one} nameOf={nameOf} />
            </li>
          );
        })}
      </ul>
      {all.length > MOST_LISTED ? (
        <p className="px-3 py-2 text-xs text-muted">And {all.length - MOST_LISTED} more: select a node to see what it may do.</p>
      ) : null}
    </>
  );
};

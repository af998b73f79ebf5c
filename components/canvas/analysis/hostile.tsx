"use client";

import { useDeferredValue, useId, useMemo } from "react";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { analyse } from "@/lib/graph/analyse";
import type { Subject } from "@/lib/graph/analyse/blast";
import { hostileSentence, worstFirst } from "@/lib/graph/analyse/words";
import { reachFacts, type Fact } from "./reach-facts";
import { ReachList } from "./reach-list";
import { useNodeNames } from "./use-node-names";

/** An effect in a long graph is found on its node; here the worst ones matter. */
const MOST_LISTED = 12;

const FactRow = ({ fact: { name, items, none } }: { readonly fact: Fact }) => (
  <>
    <dt className="text-xs leading-5 text-muted">{name}</dt>
    <dd className="min-w-0 text-xs leading-5 break-words">{items.length === 0 ? none : items.join(", ")}</dd>
  </>
);

type Props = { readonly node?: string; readonly agent?: string };

/** What a node or an agent could do in this graph if whoever speaks in it wanted the worst; a moment behind while one types. */
export const Hostile = ({ node, agent }: Props) => {
  const graph = useDeferredValue(useDocument());
  const catalog = useCanvas((state) => state.catalog);
  const nameOf = useNodeNames();
  const headingId = useId();
  const blast = useMemo(() => {
    const subject: Subject = agent === undefined ? { node: node ?? "" } : { agent };

    return analyse(graph, catalog).blastRadius(subject);
  }, [graph, catalog, node, agent]);
  const reachable = worstFirst(blast.reachable);

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2 border-t pt-3">
      <h3 id={headingId} className="text-sm font-medium">
        If this is hostile
      </h3>
      <p className="text-sm">{hostileSentence(blast)}</p>
      {blast.nodes.length === 0 ? null : (
        <dl className="grid grid-cols-[5.5rem_1fr] gap-x-2">
          {reachFacts(blast, nameOf).map((fact) => (
            <FactRow key={fact.name} fact={fact} />
          ))}
        </dl>
      )}
      <ReachList reachable={reachable.slice(0, MOST_LISTED)} nameOf={nameOf} />
      {reachable.length > MOST_LISTED ? <p className="text-xs text-muted">And {reachable.length - MOST_LISTED} more.</p> : null}
    </section>
  );
};

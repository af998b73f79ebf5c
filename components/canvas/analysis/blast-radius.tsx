"use client";

import { useId } from "react";
import { useOverlay, useBlast } from "@/components/canvas/overlay/use-overlay";
import { describeSubject } from "@/components/canvas/overlay/subject";
import { Button } from "@/components/ui/button";
import type { BlastRadius, Subject } from "@/lib/graph/analyse/blast";
import { blastRadiusSentence, sortWorstFirst } from "@/lib/graph/analyse/labels";
import { listReachFacts, type Fact } from "./reach-facts";
import { ReachList } from "@/components/analysis/reach-list";
import { useNodeNames } from "./use-node-names";

/** Only the worst effects; others are on their nodes. */
const MOST_LISTED = 12;

const FactRow = ({ fact: { name, items, none } }: { readonly fact: Fact }) => (
  <>
    <dt className="text-xs leading-5 text-muted">{name}</dt>
    <dd className="min-w-0 text-xs leading-5 break-words">{items.length === 0 ? none : items.join(", ")}</dd>
  </>
);

export const BlastRadiusFacts = ({ blast }: { readonly blast: BlastRadius }) => {
  const nameOf = useNodeNames();
  const reachable = sortWorstFirst(blast.reachable);

  return (
    <>
      <p className="text-sm font-medium">{blastRadiusSentence(blast)}</p>
      {blast.nodes.length === 0 ? null : (
        <dl className="grid grid-cols-[5.5rem_1fr] gap-x-2">
          {listReachFacts(blast, nameOf).map((fact) => (
            <FactRow key={fact.name} fact={fact} />
          ))}
        </dl>
      )}
      <ReachList reachable={reachable.slice(0, MOST_LISTED)} nameOf={nameOf} />
      {reachable.length > MOST_LISTED ? <p className="text-xs text-muted">And {reachable.length - MOST_LISTED} more.</p> : null}
    </>
  );
};

type Props = { readonly node?: string; readonly agent?: string };

export const BlastRadiusSection = ({ node, agent }: Props) => {
  const headingId = useId();
  const { setPlace } = useOverlay();
  const subject: Subject = agent === undefined ? { node: node ?? "" } : { agent };
  const blast = useBlast(subject);

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2 border-t pt-3">
      <h3 id={headingId} className="text-sm font-medium">
        Blast radius
      </h3>
      <BlastRadiusFacts blast={blast} />
      {node === undefined ? null : (
        <Button
          size="sm"
          className="self-start"
          onClick={() => void setPlace({ overlay: "hostile", hostile: describeSubject(subject), panel: "overlay", flow: null, step: null })}
        >
          Show on canvas
        </Button>
      )}
    </section>
  );
};

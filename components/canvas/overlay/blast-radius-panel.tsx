"use client";

import { useMemo } from "react";
import { BlastRadiusFacts } from "@/components/canvas/analysis/blast-radius";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { CARD } from "./overlay-commands";
import { listChoices, describeSubject } from "./subject";
import { useBlast, type OverlayState } from "./use-overlay";

export const BlastRadiusPanel = ({ subject, setPlace }: OverlayState) => {
  const document = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const nameOf = useNodeNames();
  const blast = useBlast(subject);
  const choices = useMemo(() => listChoices(document, catalog, nameOf), [document, catalog, nameOf]);

  return (
    <section id={CARD} tabIndex={-1} aria-label="Blast radius" className="flex flex-col gap-3 p-3">
      <Field label="Assume compromised" hint="Or select a node.">
        <Select items={choices} value={describeSubject(subject)} onValueChange={(hostile) => void setPlace({ hostile })} />
      </Field>
      <BlastRadiusFacts blast={blast} />
    </section>
  );
};

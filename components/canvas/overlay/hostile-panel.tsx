"use client";

import { useMemo } from "react";
import { HostileFacts } from "@/components/canvas/analysis/hostile";
import { useNodeNames } from "@/components/canvas/analysis/use-node-names";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { CARD } from "./overlay-commands";
import { choicesIn, subjectText } from "./subject";
import { useBlast, type OverlayState } from "./use-overlay";

/** Everybody who could be hostile, and what one of them could do. */
export const HostilePanel = ({ subject, setPlace }: OverlayState) => {
  const document = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const nameOf = useNodeNames();
  const blast = useBlast(subject);
  const choices = useMemo(() => choicesIn(document, catalog, nameOf), [document, catalog, nameOf]);

  return (
    <section id={CARD} tabIndex={-1} aria-label="Assumed to be hostile" className="flex flex-col gap-3 p-3">
      <Field label="Assume this is hostile" hint="Or select a node.">
        <Select items={choices} value={subjectText(subject)} onValueChange={(hostile) => void setPlace({ hostile })} />
      </Field>
      <HostileFacts blast={blast} />
    </section>
  );
};

"use client";

import { useReactFlow } from "@xyflow/react";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useMemo, useState, type KeyboardEvent } from "react";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import { focusPlace } from "@/components/canvas/keyboard/go-to";
import { getSelectedPlace } from "@/components/canvas/keyboard/place";
import { useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { findInGraph } from "@/lib/graph/find";
import { HitList } from "./hit-list";
import { showHit } from "./show-hit";
import { findHitBeside } from "./step";

type Props = { readonly text: string; readonly setPlace: SetPlace };

/** Incremental search: Enter next, Shift+Enter back, Escape to the hit. */
export const FindBar = ({ text, setPlace }: Props) => {
  const store = useCanvasStore();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const graph = useDocument();
  const hits = useMemo(() => findInGraph(graph, text), [graph, text]);
  const [wanted, setWanted] = useState(-1);
  const at = Math.min(wanted, hits.length - 1);

  const beside = (by: 1 | -1) => findHitBeside(at, by, hits.length);
  const goTo = (index: number) => {
    const hit = hits[index];
    if (!hit) return;
    setWanted(index);
    showHit({ store, flow, setPlace }, hit);
  };
  const close = () => {
    void setPlace({ find: null });
    const place = getSelectedPlace(store);
    if (place) focusPlace({ store, flow }, place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      goTo(beside(event.shiftKey ? -1 : 1));
    }
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };
  const said = text.trim() === "" ? "" : hits.length === 0 ? "No results" : at < 0 ? `${hits.length} found` : `${at + 1} of ${hits.length}`;

  return (
    <search className="absolute top-2 right-2 z-10 flex w-88 flex-col rounded-lg bg-surface shadow-float">
      <div className="flex items-center gap-1 p-1.5">
        <Input
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label="Find in graph"
          placeholder="Name, kind, prompt, memory…"
          value={text}
          onChange={(event) => {
            void setPlace({ find: event.target.value });
            setWanted(-1);
          }}
          onKeyDown={onKeyDown}
        />
        <output className="tabular w-20 shrink-0 text-right text-xs text-muted">{said}</output>
        <Button
          size="icon"
          variant="ghost"
          aria-label="Previous"
          disabledReason={hits.length === 0 ? "No results" : null}
          onClick={() => goTo(beside(-1))}
        >
          <ChevronUp aria-hidden />
        </Button>
        <Button
          size="icon"
          variant="ghost"
          aria-label="Next"
          disabledReason={hits.length === 0 ? "No results" : null}
          onClick={() => goTo(beside(1))}
        >
          <ChevronDown aria-hidden />
        </Button>
        <Button size="icon" variant="ghost" aria-label="Close" onClick={close}>
          <X aria-hidden />
        </Button>
      </div>
      <HitList hits={hits} at={at} onChoose={goTo} />
    </search>
  );
};

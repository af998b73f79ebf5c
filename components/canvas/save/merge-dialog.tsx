"use client";

import { useState } from "react";
import { useCanvas, useCanvasStore, useSaver } from "@/components/canvas/state/canvas-context";
import { droppedMine, resolved, type Draft, type NewerDraft } from "@/components/canvas/state/saving";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { diffGraphs } from "@/lib/graph/diff";
import { mergeGraphs, type Choices } from "@/lib/graph/merge";
import type { Side } from "@/lib/graph/merge/order";
import { focusContent } from "./bar";
import { ConflictChoice } from "./conflict-choice";
import { describeDifferences, describeFirstSaver, describeChangesOf, describeSaver } from "./labels";

type Props = { readonly theirs: NewerDraft; readonly onClose: () => void };

export const MergeDialog = ({ theirs, onClose }: Props) => {
  const store = useCanvasStore();
  const saver = useSaver();
  const mine = useCanvas((state) => state.history.document);
  const base = useCanvas((state) => state.base.document);
  const [choices, setChoices] = useState<Choices>(new Map());
  const { document, conflicts } = mergeGraphs(base, mine, theirs.document, choices);
  const who = describeSaver(theirs.by);
  const chooseAll = (side: Side) => setChoices(new Map(conflicts.map(({ id }) => [id, side])));
  const finish = (step: (draft: Draft) => Draft) => {
    store.getState().saving(step);
    onClose();
    // The button went with the conflict.
    requestAnimationFrame(focusContent);
    void saver.saveNow();
  };

  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      size="xl"
      title={`Merge with ${describeChangesOf(theirs.by)}`}
      description={`${describeFirstSaver(theirs.by)} saved revision ${theirs.revision}. Changes made by only one side are kept. Choose a side where both changed the same thing.`}
      footer={
        <>
          <Button variant="ghost" className="mr-auto" onClick={() => finish(droppedMine)}>
            Discard mine, use revision {theirs.revision}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => finish((draft) => resolved(draft, choices))}>
            Save merged graph
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-2">
          <p className="flex-1 text-sm text-muted">
            {conflicts.length === 1 ? "1 conflict" : `${conflicts.length} conflicts`}. Differences of the merged graph from yours:{" "}
            {describeDifferences(diffGraphs(mine, document))}.
          </p>
          <Button size="sm" onClick={() => chooseAll("mine")}>
            All mine
          </Button>
          <Button size="sm" onClick={() => chooseAll("theirs")}>
            All theirs
          </Button>
        </div>
        <ol className="flex flex-col gap-3">
          {conflicts.map((conflict) => (
            <li key={conflict.id}>
              <ConflictChoice
                conflict={conflict}
                graphs={[mine, theirs.document, base]}
                who={who}
                onChoose={(side) => setChoices(new Map([...choices, [conflict.id, side]]))}
              />
            </li>
          ))}
        </ol>
      </div>
    </Dialog>
  );
};

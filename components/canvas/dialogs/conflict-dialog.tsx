"use client";

import { useCanvas, useSaver } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

/** Somebody saved in between: nothing is overwritten until the person here chooses. */
export const ConflictDialog = () => {
  const conflict = useCanvas((state) => state.conflict);
  const mine = useCanvas((state) => state.history.document);
  const load = useCanvas((state) => state.load);
  const saver = useSaver();
  if (!conflict) return null;
  const theirs = conflict.document;

  return (
    <Dialog
      open
      title="Somebody saved in the meantime"
      description={`The server is at revision ${conflict.revision}. Your changes are still here and not saved.`}
      footer={
        <>
          <Button onClick={() => load(conflict.revision, theirs)}>Take theirs, drop mine</Button>
          <Button variant="primary" onClick={() => void saver.keepMine()}>
            Keep mine as revision {conflict.revision + 1}
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr_1fr] gap-x-6 gap-y-1 text-sm">
        <dt />
        <dd className="font-medium">Theirs</dd>
        <dd className="font-medium">Mine</dd>
        <dt className="text-muted">Name</dt>
        <dd>{theirs.name}</dd>
        <dd>{mine.name}</dd>
        <dt className="text-muted">Nodes</dt>
        <dd className="tabular">{theirs.nodes.length}</dd>
        <dd className="tabular">{mine.nodes.length}</dd>
        <dt className="text-muted">Edges</dt>
        <dd className="tabular">{theirs.edges.length}</dd>
        <dd className="tabular">{mine.edges.length}</dd>
      </dl>
      <p className="mt-3 text-sm text-muted">Every saved revision stays: keeping yours does not remove theirs.</p>
    </Dialog>
  );
};

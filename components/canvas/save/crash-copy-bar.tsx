"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCanvas, useCanvasStore, useSaver } from "@/components/canvas/state/canvas-context";
import { restored } from "@/components/canvas/state/saving";
import { ChangeRows } from "@/components/canvas/versions/change-list";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { graphDiff } from "@/lib/graph/diff";
import { same } from "@/lib/graph/merge/same";
import { Bar } from "./bar";
import { copiesLeft, removeCopy, type CrashCopy } from "./crash-copies";
import { differences } from "./words";

export const crashCopiesKey = (owner: string, graphId: string) => ["crash copies", owner, graphId] as const;

type OfferProps = { readonly copy: CrashCopy; readonly onDone: () => void };

const Offer = ({ copy, onDone }: OfferProps) => {
  const store = useCanvasStore();
  const saver = useSaver();
  const document = useCanvas((state) => state.history.document);
  const [isOpen, setOpen] = useState(false);
  const restore = () => {
    store.getState().saving((draft) => restored(draft, copy));
    onDone();
    // Saved at once, so that there is no moment in which it is kept nowhere.
    void saver.saveNow();
  };
  const buttons = (
    <>
      <Button size="sm" onClick={onDone}>
        Discard
      </Button>
      <Button size="sm" variant="primary" onClick={restore}>
        Restore
      </Button>
    </>
  );

  return (
    <>
      <Bar
        kind="waiting"
        title="Unsaved changes are kept here"
        actions={
          <>
            <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
              See what differs
            </Button>
            {buttons}
          </>
        }
      >
        From <RelativeTime at={copy.atMs} />, when this page was left: {differences(document, copy.document)}.
      </Bar>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="What was not saved"
        description="Compared with what is drawn now. Restoring it is one step that can be undone."
        footer={buttons}
      >
        <ChangeRows diff={graphDiff(document, copy.document)} before={document} after={copy.document} />
      </Dialog>
    </>
  );
};

/** Offers what an earlier page of this person could not save. Nothing of it is applied unasked. */
export const CrashCopyBar = ({ owner }: { readonly owner: string }) => {
  const graphId = useCanvas((state) => state.graphId);
  const saved = useCanvas((state) => state.base.document);
  const queryClient = useQueryClient();
  const queryKey = crashCopiesKey(owner, graphId);
  const copies = useQuery({
    queryKey,
    // A copy of what is saved by now is nobody's loss.
    queryFn: async () => {
      const left = await copiesLeft(owner, graphId);
      const isIdle = (copy: CrashCopy) => same(copy.document, saved);
      await Promise.all(left.filter(isIdle).map(({ id }) => removeCopy(id)));

      return left.filter((copy) => !isIdle(copy));
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const copy = copies.data?.[0];
  if (!copy) return null;
  const done = async () => {
    await removeCopy(copy.id);
    await queryClient.invalidateQueries({ queryKey });
  };

  return <Offer key={copy.id} copy={copy} onDone={() => void done()} />;
};

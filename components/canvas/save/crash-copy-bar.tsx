"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useCanvas, useCanvasStore, useSaver } from "@/components/canvas/state/canvas-context";
import { restoreSignature } from "@/components/canvas/state/saving";
import { ChangeRows } from "@/components/canvas/versions/change-list";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { formatRelativeTime } from "@/lib/format";
import { diffGraphs } from "@/lib/graph/diff";
import { same } from "@/lib/graph/merge/same";
import { Bar, focusContent } from "./bar";
import { listCopiesLeft, removeCopy, type CrashCopy } from "./crash-copies";
import { describeDifferences } from "./labels";

export const getCrashCopiesKey = (owner: string, graphId: string) => ["crash copies", owner, graphId] as const;

type OfferProps = { readonly copy: CrashCopy; readonly onDone: () => Promise<void> };

const Offer = ({ copy, onDone }: OfferProps) => {
  const store = useCanvasStore();
  const saver = useSaver();
  const saved = useCanvas((state) => state.base.document);
  const [isOpen, setOpen] = useState(false);
  const [isTaken, setTaken] = useState(false);
  // A counting time would be announced repeatedly.
  const [when] = useState(() => formatRelativeTime(copy.atMs, Date.now()));
  const diff = useMemo(() => diffGraphs(saved, copy.document), [saved, copy]);
  if (isTaken) return null;
  const discard = () => {
    setTaken(true);
    focusContent();
    void onDone();
  };
  const restore = async () => {
    setTaken(true);
    focusContent();
    store.getState().saving((draft) => restoreSignature(draft, copy));
    // The copy goes once saved, or kept again.
    await saver.saveNow();
    await onDone();
  };
  const buttons = (
    <>
      <Button size="sm" onClick={discard}>
        Discard
      </Button>
      <Button size="sm" variant="primary" onClick={() => void restore()}>
        Restore
      </Button>
    </>
  );

  return (
    <>
      <Bar
        kind="waiting"
        title="Unsaved changes found"
        actions={
          <>
            <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
              Show changes
            </Button>
            {buttons}
          </>
        }
      >
        From {when}, when you left this page: {describeDifferences(diff)}.
      </Bar>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Unsaved changes"
        description="Compared with the saved draft. You can undo restoring them."
        footer={buttons}
      >
        <ChangeRows diff={diff} before={saved} after={copy.document} />
      </Dialog>
    </>
  );
};

export const CrashCopyBar = ({ owner }: { readonly owner: string }) => {
  const graphId = useCanvas((state) => state.graphId);
  const saved = useCanvas((state) => state.base.document);
  const queryClient = useQueryClient();
  const queryKey = getCrashCopiesKey(owner, graphId);
  const copies = useQuery({
    queryKey,
    // Removes copies that match the draft.
    queryFn: async () => {
      const left = await listCopiesLeft(owner, graphId);
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

  return <Offer key={copy.id} copy={copy} onDone={done} />;
};

"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { useCanvas, useCanvasStore, useSaver } from "@/components/canvas/state/canvas-context";
import { unmerged, type Draft, type MergeNote, type SaveState } from "@/components/canvas/state/saving";
import { Button } from "@/components/ui/button";
import { diffGraphs } from "@/lib/graph/diff";
import { mergeGraphs } from "@/lib/graph/merge";
import { Bar, focusContent } from "./bar";
import { CrashCopyBar } from "./crash-copy-bar";
import { MergeDialog } from "./merge-dialog";
import { describeDifferences, describeFirstSaver, describeChangesOf } from "./labels";

type At<K extends SaveState["at"]> = Extract<SaveState, { at: K }>;

const ConflictBar = ({ theirs }: At<"conflict">) => {
  // Editing must not wait for the conflict count.
  const mine = useDeferredValue(useCanvas((state) => state.history.document));
  const base = useCanvas((state) => state.base.document);
  const [isOpen, setOpen] = useState(false);
  const count = useMemo(() => mergeGraphs(base, mine, theirs.document).conflicts.length, [base, mine, theirs]);

  return (
    <>
      <Bar
        kind="refused"
        title="Conflict"
        alert
        actions={
          <Button size="sm" variant="primary" onClick={() => setOpen(true)}>
            Review and merge
          </Button>
        }
      >
        {describeFirstSaver(theirs.by)} saved revision {theirs.revision} while you were editing.{" "}
        {count === 1
          ? "One change conflicts with yours"
          : count === 0
            ? "Nothing conflicts with yours any more"
            : `${count} changes conflict with yours`}
        . Nothing is overwritten until you choose.
      </Bar>
      {isOpen ? <MergeDialog theirs={theirs} onClose={() => setOpen(false)} /> : null}
    </>
  );
};

const EmptiedBar = () => {
  const saver = useSaver();
  const undo = useCanvas((state) => state.undo);
  const canUndo = useCanvas((state) => state.history.past.length > 0);
  const count = useCanvas((state) => state.base.document.nodes.length);
  const leave = (act: () => void) => () => {
    act();
    focusContent();
  };

  return (
    <Bar
      kind="waiting"
      title="The graph is empty"
      alert
      actions={
        <>
          <Button size="sm" onClick={leave(() => void saver.saveEmpty())}>
            Save empty graph
          </Button>
          <Button size="sm" variant="primary" disabledReason={canUndo ? null : "Nothing to undo"} onClick={leave(undo)}>
            Undo
          </Button>
        </>
      }
    >
      It was not saved automatically, because saving would remove {count === 1 ? "one node" : `${count} nodes`}.
    </Bar>
  );
};

const FailureBar = ({ title, why, isTriedAgain }: { readonly title: string; readonly why: string; readonly isTriedAgain: boolean }) => {
  const saver = useSaver();

  return (
    <Bar
      kind={isTriedAgain ? "waiting" : "refused"}
      title={title}
      alert
      actions={
        <Button size="sm" onClick={() => void saver.saveNow()}>
          Retry now
        </Button>
      }
    >
      {why} Your changes are kept in this browser{isTriedAgain ? " and will be saved as soon as possible" : ""}.
    </Bar>
  );
};

const MergedBar = ({ note }: { readonly note: MergeNote }) => {
  const store = useCanvasStore();
  const diff = useMemo(() => diffGraphs(note.before, note.after), [note]);
  const leave = (step: (draft: Draft) => Draft) => {
    store.getState().saving(step);
    focusContent();
  };

  return (
    <Bar
      kind="clean"
      title={`Merged with ${describeChangesOf(note.by)}`}
      actions={
        <>
          <Button size="sm" onClick={() => leave(unmerged)}>
            Undo merge
          </Button>
          <Button size="sm" variant="ghost" onClick={() => leave((draft) => ({ ...draft, merged: null }))}>
            Dismiss
          </Button>
        </>
      }
    >
      No conflicts with your changes: {describeDifferences(diff)}.
    </Bar>
  );
};

const StateBar = ({ save }: { readonly save: SaveState }) => {
  switch (save.at) {
    case "conflict":
      return <ConflictBar {...save} />;
    case "emptied":
      return <EmptiedBar />;
    case "waiting":
      return <FailureBar title="Not saved" why={save.why} isTriedAgain />;
    case "stopped":
      return <FailureBar title="Not saved" why={save.why} isTriedAgain={false} />;
    case "rest":
    case "sending":
      return null;
    default:
      return save satisfies never;
  }
};

export const SaveBars = ({ owner }: { readonly owner: string }) => {
  const save = useCanvas((state) => state.save);
  const merged = useCanvas((state) => state.merged);
  const isReadOnly = useCanvas((state) => state.readOnly !== null);
  if (isReadOnly) return null;

  return (
    <>
      <StateBar save={save} />
      {merged ? <MergedBar note={merged} /> : null}
      <CrashCopyBar owner={owner} />
    </>
  );
};

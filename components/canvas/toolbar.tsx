"use client";

import { Play, Redo2, Save, Undo2, Upload, WandSparkles } from "lucide-react";
import { useCanvas, useSaver } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { whyNot, type Role } from "@/lib/roles";
import { GraphsLink } from "./graphs-link";
import { SaveState } from "./save-state";

type Props = { readonly role: Role; readonly onChange: () => void; readonly onPublish: () => void; readonly onRun: () => void };

/** The head of the editor. */
export const Toolbar = ({ role, onChange, onPublish, onRun }: Props) => {
  const name = useCanvas((state) => state.history.document.name);
  const canUndo = useCanvas((state) => state.history.past.length > 0);
  const canRedo = useCanvas((state) => state.history.future.length > 0);
  const undo = useCanvas((state) => state.undo);
  const redo = useCanvas((state) => state.redo);
  const readOnly = useCanvas((state) => state.readOnly);
  const isSaved = useCanvas((state) => state.status === "saved");
  const saver = useSaver();

  return (
    <PageHeader
      above={<GraphsLink />}
      title={name}
      actions={
        <>
          {readOnly === null ? <SaveState /> : <p className="text-xs text-muted">Read only: {readOnly}</p>}
          <Button size="iconMd" variant="ghost" aria-label="Undo" disabled={!canUndo} onClick={undo}>
            <Undo2 aria-hidden />
          </Button>
          <Button size="iconMd" variant="ghost" aria-label="Redo" disabled={!canRedo} onClick={redo}>
            <Redo2 aria-hidden />
          </Button>
          <Button disabled={isSaved} disabledReason={readOnly} onClick={() => void saver.saveNow()}>
            <Save aria-hidden /> Save
          </Button>
          <Button disabledReason={readOnly} onClick={onChange}>
            <WandSparkles aria-hidden /> Change this graph
          </Button>
          <Button disabledReason={whyNot(role, "graph.publish")} onClick={onPublish}>
            <Upload aria-hidden /> Publish
          </Button>
          <Button variant="primary" disabledReason={whyNot(role, "run.start")} onClick={onRun}>
            <Play aria-hidden /> Run
          </Button>
        </>
      }
    />
  );
};

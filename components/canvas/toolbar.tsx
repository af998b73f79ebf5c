"use client";

import { Play, Redo2, Undo2, Upload } from "lucide-react";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { MoreMenu } from "@/components/canvas/menus/more-menu";
import { ViewSwitch, type ViewName } from "@/components/canvas/outline/view-switch";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import type { PanelName } from "@/components/canvas/state/use-canvas-url";
import { formatAriaKeys, formatKeys } from "@/components/shortcuts/key-label";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { explainDenial, type Role } from "@/lib/roles";
import { GraphsLink } from "./graphs-link";
import { useOldPage } from "./old-page";
import { SaveState } from "./save-state";
import { SideToggles } from "./side-toggles";

const UNDO = ["Mod+z"];
const REDO = ["Mod+Shift+z"];

const HistoryButtons = () => {
  const canUndo = useCanvas((state) => state.history.past.length > 0);
  const canRedo = useCanvas((state) => state.history.future.length > 0);
  const undo = useCanvas((state) => state.undo);
  const redo = useCanvas((state) => state.redo);

  return (
    <>
      <Button
        size="iconMd"
        variant="ghost"
        aria-label="Undo"
        title={`Undo (${formatKeys(UNDO)})`}
        aria-keyshortcuts={formatAriaKeys(UNDO)}
        disabledReason={canUndo ? null : "Nothing to undo"}
        onClick={undo}
      >
        <Undo2 aria-hidden />
      </Button>
      <Button
        size="iconMd"
        variant="ghost"
        aria-label="Redo"
        title={`Redo (${formatKeys(REDO)})`}
        aria-keyshortcuts={formatAriaKeys(REDO)}
        disabledReason={canRedo ? null : "Nothing to redo"}
        onClick={redo}
      >
        <Redo2 aria-hidden />
      </Button>
    </>
  );
};

type Props = {
  readonly role: Role;
  readonly commands: readonly CanvasCommand[];
  readonly view: ViewName;
  readonly onView: (view: ViewName) => void;
  readonly panel: PanelName;
  readonly onPanel: (panel: PanelName) => void;
  readonly onPublish: () => void;
  readonly onRun: () => void;
};

export const Toolbar = ({ role, commands, view, onView, panel, onPanel, onPublish, onRun }: Props) => {
  const name = useCanvas((state) => state.history.document.name);
  const readOnly = useCanvas((state) => state.readOnly);
  const oldPage = useOldPage();

  return (
    <PageHeader
      above={<GraphsLink />}
      title={name}
      actions={
        <>
          {readOnly === null ? <SaveState /> : <p className="text-xs text-muted">Read only: {readOnly}</p>}
          <ViewSwitch view={view} onView={onView} />
          <SideToggles panel={panel} onPanel={onPanel} />
          <HistoryButtons />
          <MoreMenu commands={commands} />
          <Button disabledReason={explainDenial(role, "graph.publish") ?? oldPage} onClick={onPublish}>
            <Upload aria-hidden /> Publish
          </Button>
          <Button variant="primary" disabledReason={explainDenial(role, "run.start")} onClick={onRun}>
            <Play aria-hidden /> Run
          </Button>
        </>
      }
    />
  );
};

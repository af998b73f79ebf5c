"use client";

import { ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { ChangeDialog } from "@/components/canvas/architect/change-dialog";
import { useCanvasCommands } from "@/components/canvas/commands/use-canvas-commands";
import { AddDialog } from "@/components/canvas/dialogs/add-dialog";
import { ConnectDialog } from "@/components/canvas/dialogs/connect-dialog";
import { DeleteDialog } from "@/components/canvas/dialogs/delete-dialog";
import { PublishDialog } from "@/components/canvas/dialogs/publish-dialog";
import { FindBar } from "@/components/canvas/find/find-bar";
import { Announcer } from "@/components/canvas/keyboard/announce";
import { Overlay } from "@/components/canvas/overlay/overlay";
import { Outline } from "@/components/canvas/outline/outline";
import { SaveBars } from "@/components/canvas/save/save-bars";
import { LaunchDialog } from "@/components/canvas/launch/launch-dialog";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { CanvasViewProvider } from "@/components/canvas/state/canvas-view";
import { useCanvasUrl } from "@/components/canvas/state/use-canvas-url";
import { useProblems } from "@/components/canvas/state/use-problems";
import { PlaceSwitch } from "@/components/canvas/versions/place-switch";
import type { Step } from "@/lib/graph/analyse/flows";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";
import type { Role } from "@/lib/roles";
import { OldPage } from "./old-page";
import { Palette } from "./palette";
import { SidePanel } from "./side-panel";
import { Surface } from "./surface";
import { Toolbar } from "./toolbar";

const FIT = { maxZoom: 1, duration: 0, padding: 2 };

type Props = {
  readonly role: Role;
  readonly owner: string;
};

const Workbench = ({ role, owner }: Props) => {
  const problems = useProblems();
  const select = useCanvas((state) => state.select);
  const store = useCanvasStore();
  const { place, setPlace } = useCanvasUrl();
  const { fitView } = useReactFlow();
  const { dialog } = place;
  const setDialog = (next: typeof dialog) => void setPlace({ dialog: next });
  const commands = useCanvasCommands(setPlace, role);
  const Drawing = place.view === "outline" ? Outline : Surface;

  const jump = (problem: Problem) => {
    select({ nodes: problem.node === undefined ? [] : [problem.node], edges: problem.edge === undefined ? [] : [problem.edge] });
    const isPlaced = problem.node !== undefined || problem.edge !== undefined;
    const isKey = store.getState().history.document.memory.some(({ key }) => key === problem.key);
    const panel = isPlaced ? "inspector" : isKey ? "memory" : "graph";
    void setPlace({ problem: getProblemId(problem), panel });
    if (problem.node !== undefined) void fitView({ ...FIT, nodes: [{ id: problem.node }] });
  };

  /** The list stays for the next step. */
  const showStep = (problem: Problem, step: Step) => {
    if ("way" in step) return;
    select({ nodes: "node" in step ? [step.node] : [], edges: [] });
    if ("node" in step) {
      void setPlace({ problem: getProblemId(problem), panel: "problems" });
      void fitView({ ...FIT, nodes: [{ id: step.node }] });
    } else void setPlace({ key: step.path.split(".")[0] ?? null, panel: "memory" });
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Toolbar
        role={role}
        view={place.view}
        onView={(view) => void setPlace({ view })}
        panel={place.panel}
        onPanel={(panel) => void setPlace({ panel })}
        commands={commands}
        onPublish={() => setDialog("publish")}
        onRun={() => setDialog("run")}
      />
      <SaveBars owner={owner} />
      <OldPage />
      <div className="relative flex min-h-0 flex-1 max-md:flex-col">
        <Palette />
        <section aria-label={place.view === "outline" ? "Outline" : "Canvas"} className="flex min-h-0 min-w-0 flex-1 flex-col">
          <Overlay />
          <div className="relative min-h-0 flex-1">
            {place.find === null ? null : <FindBar text={place.find} setPlace={setPlace} />}
            <Drawing commands={commands} onAdd={() => setDialog("add")} />
          </div>
        </section>
        <SidePanel
          panel={place.panel}
          onPanel={(panel) => void setPlace({ panel })}
          problems={problems}
          problem={place.problem}
          onJump={jump}
          onStep={showStep}
        />
      </div>
      <Announcer />
      <AddDialog open={dialog === "add"} onClose={() => setDialog(null)} />
      <ConnectDialog open={dialog === "connect"} onClose={() => setDialog(null)} />
      <DeleteDialog open={dialog === "delete"} onClose={() => setDialog(null)} />
      <ChangeDialog open={dialog === "change"} onClose={() => setDialog(null)} />
      <PublishDialog role={role} open={dialog === "publish"} onClose={() => setDialog(null)} problems={problems} onJump={jump} />
      <LaunchDialog open={dialog === "run"} onClose={() => setDialog(null)} />
    </div>
  );
};

export const Canvas = ({ role, owner }: Props) => (
  <ReactFlowProvider>
    <CanvasViewProvider>
      <PlaceSwitch>
        <Workbench role={role} owner={owner} />
      </PlaceSwitch>
    </CanvasViewProvider>
  </ReactFlowProvider>
);

"use client";

import { useQueryStates } from "nuqs";
import { useState, type ReactNode } from "react";
import { Inspector } from "@/components/canvas/inspector/inspector";
import { OverlayTab } from "@/components/canvas/overlay/overlay-tab";
import { OverlayPanel } from "@/components/canvas/overlay/overlay-panel";
import { MemoryPanel } from "@/components/canvas/panels/memory-panel";
import { ProblemsPanel } from "@/components/canvas/panels/problems-panel";
import { SettingsPanel } from "@/components/canvas/panels/settings-panel";
import { VersionsPanel } from "@/components/canvas/panels/versions-panel";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { useIsPanelShown } from "@/components/canvas/state/panel-visibility";
import { canvasParams, type PanelName } from "@/components/canvas/state/use-canvas-url";
import { Badge } from "@/components/ui/badge";
import { ResizeHandle } from "@/components/ui/resize-handle";
import { Tabs } from "@/components/ui/tabs";
import type { Step } from "@/lib/graph/analyse/flows";
import type { Problem } from "@/lib/graph/problems/problem";

const WIDTH = { minPx: 320, maxPx: 720, initialPx: 368 } as const;

type Props = {
  readonly panel: PanelName;
  readonly onPanel: (panel: PanelName) => void;
  readonly problems: readonly Problem[];
  readonly problem: string | null;
  readonly onJump: (problem: Problem) => void;
  readonly onStep: (problem: Problem, step: Step) => void;
};

export const SidePanel = ({ panel, onPanel, problems, problem, onJump, onStep }: Props) => {
  const [{ overlay }] = useQueryStates(canvasParams);
  const [widthPx, setWidthPx] = useState<number>(WIDTH.initialPx);
  const isShown = useIsPanelShown(panel);
  const isReadOnly = useCanvas((state) => state.readOnly !== null);
  const isChecked = useCanvas((state) => state.checked !== null);
  const form = (content: ReactNode) => (
    <fieldset disabled={isReadOnly} className="p-3">
      {content}
    </fieldset>
  );

  if (!isShown) return null;

  return (
    <>
      <ResizeHandle label="Panel width" widthPx={widthPx} minPx={WIDTH.minPx} maxPx={WIDTH.maxPx} onResize={setWidthPx} />
      <div style={{ width: widthPx }} className="flex min-h-0 shrink-0 flex-col bg-surface max-md:h-1/2 max-md:w-full! max-md:border-t">
        <Tabs<PanelName>
          aria-label="Panels"
          value={panel === "overlay" && overlay === null ? "inspector" : panel}
          onValueChange={onPanel}
          className="min-h-0 flex-1"
          panelClassName="overflow-y-auto"
          tabs={[
            ...(overlay === null ? [] : [{ value: "overlay" as const, label: <OverlayTab overlay={overlay} />, panel: <OverlayPanel /> }]),
            { value: "inspector", label: "Inspector", panel: form(<Inspector problems={problems} />) },
            {
              value: "problems",
              label: (
                <>
                  Problems <Badge>{isChecked ? problems.length : "…"}</Badge>
                </>
              ),
              panel: <ProblemsPanel problems={problems} current={problem} onJump={onJump} onStep={onStep} />,
            },
            { value: "memory", label: "Memory", panel: form(<MemoryPanel />) },
            { value: "graph", label: "Graph", panel: form(<SettingsPanel />) },
            { value: "versions", label: "Versions", panel: <VersionsPanel /> },
          ]}
        />
      </div>
    </>
  );
};

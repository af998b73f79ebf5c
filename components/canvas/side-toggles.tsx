"use client";

import { PanelLeft, PanelRight } from "lucide-react";
import { useCanvasView, useCanvasViewStore } from "@/components/canvas/state/canvas-view";
import { isWide, useIsPanelShown } from "@/components/canvas/state/panel-visibility";
import type { PanelName } from "@/components/canvas/state/use-canvas-url";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

type Props = { readonly panel: PanelName; readonly onPanel: (panel: PanelName) => void };

export const SideToggles = ({ panel, onPanel }: Props) => {
  const view = useCanvasViewStore();
  const palette = useCanvasView((state) => state.palette);
  const togglePalette = () => {
    const isShown = palette === "auto" ? isWide() : palette === "shown";
    view.getState().set({ palette: isShown ? "hidden" : "shown" });
  };

  const isPanelShown = useIsPanelShown(panel);
  const togglePanel = () => {
    view.getState().set({ isPanelAsked: !isPanelShown });
    onPanel(isPanelShown ? "closed" : panel === "closed" ? "inspector" : panel);
  };

  return (
    <div className="flex">
      <Tooltip text="Show or hide the palette" side="bottom">
        <Button size="iconMd" variant="ghost" aria-label="Toggle palette" onClick={togglePalette}>
          <PanelLeft aria-hidden />
        </Button>
      </Tooltip>
      <Tooltip text="Show or hide the panel" side="bottom">
        <Button size="iconMd" variant="ghost" aria-label="Toggle panel" aria-expanded={isPanelShown} onClick={togglePanel}>
          <PanelRight aria-hidden />
        </Button>
      </Tooltip>
    </div>
  );
};

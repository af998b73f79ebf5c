"use client";

import type { ReactNode } from "react";
import { ExportDialog } from "@/components/canvas/transfer/export-dialog";
import { ImportDialog } from "@/components/canvas/transfer/import-dialog";
import { useCanvasUrl } from "@/components/canvas/state/use-canvas-url";
import { DiffView } from "./diff-view";
import { parseSides } from "./sides";
import { VersionView } from "./version-view";

export const PlaceSwitch = ({ children }: { readonly children: ReactNode }) => {
  const { place, setPlace } = useCanvasUrl();
  const sides = place.diff === null ? null : parseSides(place.diff);
  const close = () => void setPlace({ dialog: null });

  return (
    <>
      {sides ? <DiffView sides={sides} /> : place.version === null ? children : <VersionView hash={place.version} />}
      <ExportDialog open={place.dialog === "export"} onClose={close} version={sides ? null : place.version} />
      <ImportDialog open={place.dialog === "import"} onClose={close} />
    </>
  );
};

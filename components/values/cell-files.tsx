"use client";

import { createContext, useContext } from "react";
import type { Shown } from "@/components/values/visible-value";
import { getArtifactDigest, listArtifacts } from "@/lib/artifact";
import type { Label } from "@/lib/graph/label";
import { OpenedFile } from "./opened-file";

/** Null: the run is not of this installation. */
export const FilesContext = createContext<string | null>(null);

type Props = { readonly shown: Shown; readonly label: Label; readonly seq: number; readonly index: number };

export const CellFiles = ({ shown, label, seq, index }: Props) => {
  const runId = useContext(FilesContext);
  const files = runId === null || shown.kind !== "value" ? [] : listArtifacts(shown.value, label);

  return files.map((artifact) => (
    <OpenedFile key={getArtifactDigest(artifact)} place={{ runId: runId ?? "", seq, index }} artifact={artifact} />
  ));
};

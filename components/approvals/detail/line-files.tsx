"use client";

import { useContext } from "react";
import { OpenedFile } from "@/components/values/opened-file";
import { getArtifactDigest, listArtifacts } from "@/lib/artifact";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import { BesideContext } from "./beside-context";
import { listCellsOfLine } from "./hidden-cells";

export const LineFiles = ({ line }: { readonly line: ViewLine }) => {
  const beside = useContext(BesideContext);
  const { after } = line;
  const [cell] = beside?.around ? listCellsOfLine(line, beside.around.cells) : [];
  if (!beside || !cell || after === null || after.hidden) return null;

  return listArtifacts(after.value, line).map((artifact) => (
    <OpenedFile key={getArtifactDigest(artifact)} place={{ runId: beside.runId, seq: cell.seq, index: cell.index }} artifact={artifact} />
  ));
};

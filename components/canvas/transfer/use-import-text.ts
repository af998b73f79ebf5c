"use client";

import { useMemo, useState } from "react";
import { placeUnplaced } from "@/components/canvas/tidy/place-unplaced";
import { DOCUMENT_LIMITS } from "@/lib/document-text";
import { computeContentHash, readGraphFile, type FileProblem, type ReadGraph } from "@/lib/graph/file";

export type ImportText = {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly takeFile: (file: File | undefined) => Promise<void>;
  /** Null: none, or invalid. */
  readonly found: ReadGraph | null;
  readonly problems: readonly FileProblem[];
};

const NONE: readonly FileProblem[] = [];

const placed = (read: ReadGraph): ReadGraph => {
  const graph = placeUnplaced(read.graph);

  return graph === read.graph ? read : { ...read, graph, hash: computeContentHash(graph) };
};

export const useImportText = (): ImportText => {
  const [text, setText] = useState("");
  const [tooLarge, setTooLarge] = useState(false);
  const read = useMemo(() => (text.trim() === "" ? null : readGraphFile(text)), [text]);
  const takeFile = async (file: File | undefined) => {
    if (!file) return;
    const isTooLarge = file.size > DOCUMENT_LIMITS.maxBytes;
    setTooLarge(isTooLarge);
    if (!isTooLarge) setText(await file.text());
  };
  const found = useMemo(() => (read?.ok === true ? placed(read.value) : null), [read]);
  const wrong = read?.ok === false ? read.error : NONE;

  return {
    text,
    setText,
    takeFile,
    found,
    problems: tooLarge ? [{ message: "The file is too large.", place: null }] : wrong,
  };
};

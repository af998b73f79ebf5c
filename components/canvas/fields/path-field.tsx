"use client";

import { useId } from "react";
import type { Graph } from "@/lib/graph/document";
import { findOptionalPathFault, findPathFault } from "./path-check";
import { PathOptions } from "./path-options";
import { TextField } from "./text-field";

type Props = {
  readonly label: string;
  readonly graph: Graph;
  readonly value: string;
  readonly onCommit: (path: string) => void;
  readonly hint?: string;
};

export const PathField = ({ graph, ...field }: Props) => {
  const listId = useId();

  return (
    <>
      <TextField {...field} mono list={listId} check={findPathFault} />
      <PathOptions id={listId} graph={graph} />
    </>
  );
};

type OptionalProps = Omit<Props, "value" | "onCommit"> & {
  readonly value: string | undefined;
  readonly onCommit: (path: string | undefined) => void;
};

export const OptionalPathField = ({ graph, value, onCommit, ...field }: OptionalProps) => {
  const listId = useId();

  return (
    <>
      <TextField
        {...field}
        mono
        list={listId}
        value={value ?? ""}
        check={findOptionalPathFault}
        onCommit={(path) => onCommit(path === "" ? undefined : path)}
      />
      <PathOptions id={listId} graph={graph} />
    </>
  );
};

type WriteToProps = Pick<OptionalProps, "graph" | "value" | "onCommit"> & { readonly label?: string };

export const WriteTo = ({ label = "Write result to", ...field }: WriteToProps) => (
  <OptionalPathField {...field} label={label} hint="If empty, the only key it may write." />
);

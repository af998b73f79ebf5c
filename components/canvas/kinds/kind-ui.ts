import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Graph, NodeOf } from "@/lib/graph/document";
import type { NodeKind } from "@/lib/graph/kinds";
import type { ValidationContext } from "@/lib/graph/problems/facts";

export type FormProps<K extends NodeKind> = {
  readonly node: NodeOf<K>;
  readonly graph: Graph;
  readonly catalog: ValidationContext;
  /** @param field groups what is typed into one field into one step of undo */
  readonly change: (node: NodeOf<K>, field?: string) => void;
};

/** Palette groups, by purpose. */
export type KindGroup = "work" | "decide" | "zone" | "combine";

/** What the canvas knows of a kind: its sign, its place in the palette, one line on its face, its form, and what a new one is. */
export type KindUi<K extends NodeKind> = {
  readonly icon: LucideIcon;
  readonly group: KindGroup;
  readonly summary: (node: NodeOf<K>, catalog: ValidationContext) => string;
  readonly Form: (props: FormProps<K>) => ReactNode;
  readonly initial: (
    graph: Graph,
    catalog: ValidationContext,
  ) => Pick<NodeOf<K>, "config"> & Partial<Pick<NodeOf<K>, "effect" | "write_keys">>;
};

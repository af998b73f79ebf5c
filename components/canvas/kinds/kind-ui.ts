import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Graph, NodeOf } from "@/lib/graph/document";
import type { NodeKind } from "@/lib/graph/kinds";
import type { ValidationContext } from "@/lib/graph/facts/facts";

export type FormProps<K extends NodeKind> = {
  readonly node: NodeOf<K>;
  readonly graph: Graph;
  readonly catalog: ValidationContext;
  /** @param field groups edits into one undo step */
  readonly change: (node: NodeOf<K>, field?: string) => void;
};

export type KindGroup = "work" | "decide" | "zone" | "combine";

/** Icon, palette entry, face line, form and default of a kind. */
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

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

/** Icon, palette entry, face line and form parts beyond the schema. */
export type KindUi<K extends NodeKind> = {
  readonly icon: LucideIcon;
  readonly group: KindGroup;
  readonly summary: (node: NodeOf<K>, catalog: ValidationContext) => string;
  /** Above the form. */
  readonly intro?: string;
  /** Hand-written editors of fields. */
  readonly parts?: { readonly [F in keyof NodeOf<K>["config"]]?: (props: FormProps<K>) => ReactNode };
  /** Absent: generated from the config's schema. */
  readonly Form?: (props: FormProps<K>) => ReactNode;
  /** New node's values that differ from the schema's. */
  readonly initial?: (
    graph: Graph,
    catalog: ValidationContext,
  ) => { readonly config?: Partial<NodeOf<K>["config"]> } & Partial<Pick<NodeOf<K>, "effect" | "write_keys">>;
};

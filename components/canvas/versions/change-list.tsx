"use client";

import { useReactFlow } from "@xyflow/react";
import { CircleMinus, CirclePlus, PencilLine, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { cn } from "@/components/ui/cn";
import type { ChangeMark, GraphDiff } from "@/lib/graph/diff";
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { FieldChanges } from "./field-changes";

const WORDS: Record<ChangeMark, { readonly Icon: LucideIcon; readonly word: string }> = {
  added: { Icon: CirclePlus, word: "Added" },
  changed: { Icon: PencilLine, word: "Changed" },
  removed: { Icon: CircleMinus, word: "Removed" },
};

type RowProps = {
  readonly mark: ChangeMark;
  readonly children: ReactNode;
  readonly both?: readonly [before: object, after: object] | null;
};

const Row = ({ mark, children, both = null }: RowProps) => {
  const { Icon, word } = WORDS[mark];

  return (
    <li className="py-0.5 text-sm">
      <div className="flex min-h-6 items-start gap-2">
        <span className="inline-flex h-6 w-20 shrink-0 items-center gap-1.5 text-xs text-muted">
          <Icon aria-hidden className="size-3.5" />
          {word}
        </span>
        <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      </div>
      {both ? (
        <details className="pl-22">
          <summary className="min-h-6 text-xs text-muted hover:text-ink">What changed</summary>
          <FieldChanges before={both[0]} after={both[1]} />
        </details>
      ) : null}
    </li>
  );
};

type GroupProps = { readonly title: string; readonly count: number; readonly children: ReactNode };

const Group = ({ title, count, children }: GroupProps) =>
  count === 0 ? null : (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-semibold text-muted">
        {title} <span className="tabular font-normal">({count})</span>
      </h3>
      <ul>{children}</ul>
    </section>
  );

const nodeText = ({ kind, title, id }: GraphNode): ReactNode => (
  <>
    <span className="text-muted">{NODE_KINDS[kind].title}</span> {title === "" ? id : title}
  </>
);

const edgeText = ({ source, target, condition, kind }: GraphEdge): string =>
  `${source} to ${target}${condition === undefined ? "" : `, when ${condition}`}${kind === "normal" ? "" : `, ${kind}`}`;

const marked = <T,>(items: readonly T[], marks: ReadonlyMap<string, ChangeMark>, idOf: (item: T) => string) =>
  items.flatMap((item) => {
    const mark = marks.get(idOf(item));

    return mark ? [{ item, mark, id: idOf(item) }] : [];
  });

type Jump = (place: { readonly nodes: readonly string[]; readonly edges: readonly string[] }) => void;

type Props = {
  readonly diff: GraphDiff;
  readonly before: Graph | null;
  readonly after: Graph;
  /** Absent without a canvas. */
  readonly onJump?: Jump;
  readonly current?: string | null;
};

const bothOf = <T extends object>(mark: ChangeMark, before: T | undefined, after: T | undefined): readonly [T, T] | null =>
  mark === "changed" && before && after ? [before, after] : null;

type JumpProps = { readonly jump: (() => void) | null; readonly isCurrent: boolean; readonly children: ReactNode };

const Jumping = ({ jump, isCurrent, children }: JumpProps) =>
  jump === null ? (
    children
  ) : (
    <button
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      className={cn("min-h-6 text-left hover:text-accent", isCurrent && "font-medium text-accent")}
      onClick={jump}
    >
      {children}
    </button>
  );

const settingsOf = (graph: Graph, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(graph).filter(([name]) => names.includes(name)));

export const ChangeRows = ({ diff, before, after, onJump, current = null }: Props) => {
  const nodes = marked(diff.drawn.nodes, diff.nodes, ({ id }) => id);
  const edges = marked(diff.drawn.edges, diff.edges, ({ id }) => id);
  const oldKey = (name: string) => before?.memory.find(({ key }) => key === name);
  const newKey = (name: string) => after.memory.find(({ key }) => key === name);

  return (
    <div className="flex flex-col gap-4">
      <Group title="Nodes" count={nodes.length}>
        {nodes.map(({ item, mark, id }) => (
          <Row
            key={id}
            mark={mark}
            both={bothOf(
              mark,
              before?.nodes.find((old) => old.id === id),
              item,
            )}
          >
            <Jumping jump={onJump ? () => onJump({ nodes: [id], edges: [] }) : null} isCurrent={current === id}>
              {nodeText(item)}
            </Jumping>
          </Row>
        ))}
      </Group>
      <Group title="Edges" count={edges.length}>
        {edges.map(({ item, mark, id }) => (
          <Row
            key={id}
            mark={mark}
            both={bothOf(
              mark,
              before?.edges.find((old) => old.id === id),
              item,
            )}
          >
            <Jumping jump={onJump ? () => onJump({ nodes: [], edges: [id] }) : null} isCurrent={false}>
              {edgeText(item)}
            </Jumping>
          </Row>
        ))}
      </Group>
      <Group title="Memory" count={diff.memory.size}>
        {[...diff.memory].map(([key, mark]) => (
          <Row key={key} mark={mark} both={bothOf(mark, oldKey(key), newKey(key))}>
            <span className="font-mono text-xs">{key}</span>
          </Row>
        ))}
      </Group>
      <Group title="Settings" count={diff.settings.length}>
        {diff.settings.map((name) => (
          <Row key={name} mark="changed" both={before ? [settingsOf(before, [name]), settingsOf(after, [name])] : null}>
            {name.replaceAll("_", " ")}
          </Row>
        ))}
      </Group>
      {nodes.length + edges.length + diff.memory.size + diff.settings.length === 0 ? (
        <p className="text-sm text-muted">No changes to the graph.</p>
      ) : null}
    </div>
  );
};

const FIT = { maxZoom: 1, duration: 0, padding: 2 };

export const ChangeList = (props: Omit<Props, "onJump" | "current">) => {
  const select = useCanvas((state) => state.select);
  const current = useCanvas(({ selection }) => (selection.nodes.length === 1 ? (selection.nodes[0] ?? null) : null));
  const flow = useReactFlow();
  const jump: Jump = (place) => {
    select(place);
    const ends = props.diff.drawn.edges.flatMap(({ id, source, target }) => (place.edges.includes(id) ? [source, target] : []));
    void flow.fitView({ ...FIT, nodes: [...place.nodes, ...ends].map((id) => ({ id })) });
  };

  return <ChangeRows {...props} onJump={jump} current={current} />;
};

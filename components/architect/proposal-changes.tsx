"use client";

import type { ReactNode } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Badge } from "@/components/ui/badge";
import type { ChangeMark, GraphDiff } from "@/lib/graph/diff";
import { NODE_KINDS } from "@/lib/graph/kinds";

const WORDS: Record<ChangeMark, string> = { added: "Added", changed: "Changed", removed: "Removed" };

type RowProps = { readonly mark: ChangeMark; readonly children: ReactNode };

const Row = ({ mark, children }: RowProps) => (
  <li className="flex items-start gap-2 py-0.5 text-sm">
    <Badge className="w-18 shrink-0 justify-center">{WORDS[mark]}</Badge>
    <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
  </li>
);

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

/** The drawing's differences as a list: the same by keyboard and by ear. Choosing a node shows it on the canvas. */
export const ProposalChanges = ({ diff }: { readonly diff: GraphDiff }) => {
  const select = useCanvas((state) => state.select);
  const nodes = diff.drawn.nodes.flatMap((node) => {
    const mark = diff.nodes.get(node.id);

    return mark ? [{ node, mark }] : [];
  });
  const edges = diff.drawn.edges.flatMap((edge) => {
    const mark = diff.edges.get(edge.id);

    return mark ? [{ edge, mark }] : [];
  });

  return (
    <div className="flex flex-col gap-4">
      <Group title="Steps" count={nodes.length}>
        {nodes.map(({ node, mark }) => (
          <Row key={node.id} mark={mark}>
            <button type="button" className="text-left hover:text-accent" onClick={() => select({ nodes: [node.id], edges: [] })}>
              <span className="text-muted">{NODE_KINDS[node.kind].title}</span> {node.title === "" ? node.id : node.title}
            </button>
          </Row>
        ))}
      </Group>
      <Group title="Ways" count={edges.length}>
        {edges.map(({ edge, mark }) => (
          <Row key={edge.id} mark={mark}>
            {edge.source} to {edge.target}
            {edge.condition === undefined ? "" : `, when ${edge.condition}`}
            {edge.kind === "normal" ? "" : `, ${edge.kind}`}
          </Row>
        ))}
      </Group>
      <Group title="Memory" count={diff.memory.size}>
        {[...diff.memory].map(([key, mark]) => (
          <Row key={key} mark={mark}>
            <span className="font-mono text-xs">{key}</span>
          </Row>
        ))}
      </Group>
      <Group title="Settings" count={diff.settings.length}>
        {diff.settings.map((name) => (
          <Row key={name} mark="changed">
            {name.replaceAll("_", " ")}
          </Row>
        ))}
      </Group>
      {nodes.length + edges.length + diff.memory.size + diff.settings.length === 0 ? (
        <p className="text-sm text-muted">The graph is the same as before.</p>
      ) : null}
    </div>
  );
};

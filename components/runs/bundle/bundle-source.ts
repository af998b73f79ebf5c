/** A bundle as a `RecordSource`. */
import { publishedGraphSchema, type Graph, type PublishedGraph } from "@/lib/graph/document";
import type { RunExport } from "@/lib/engine/ledger/export";
import type { RecordSource } from "@/components/runs/feed/feed";
import type { RunGraph } from "@/components/runs/types";

export const bundleSource = ({ ledger }: RunExport): RecordSource => {
  const cellsBySeq = Map.groupBy(ledger.cells, (cell) => cell.seq);

  return {
    page: async (from, count) => {
      const records = ledger.records.slice(from, from + count);

      return { records, cells: records.flatMap(({ seq }) => cellsBySeq.get(seq) ?? []), head: ledger.head };
    },
  };
};

const shapeOf = ({ nodes, edges }: Graph) => ({
  nodes: nodes.map(({ id, kind, title, position }) => ({ id, kind, title, position })),
  edges: edges.map(({ id, source, target }) => ({ id, source, target })),
});

/** @throws ZodError unless `readBundle` read it */
export const findPublishedIn = ({ published }: RunExport): PublishedGraph => publishedGraphSchema.parse(published);

export const getGraph = ({ graph, agents, subgraphs }: PublishedGraph): RunGraph => ({
  strictTaint: graph.strict_taint,
  memory: graph.memory.map(({ key, classification, protected: isProtected }) => ({ key, classification, protected: isProtected })),
  ...shapeOf(graph),
  subgraphs: subgraphs.map((used) => ({ version: used.version, ...shapeOf(used.graph) })),
  agents: agents.map(({ id }) => id),
  startNode: graph.start_node,
});

/** What a node may read and write, worked out a second time: paths of the node that its agent covers, and the other way round. */
import type { GraphNode } from "@/lib/graph/document";
import type { Scenario } from "./scenarios";
import { isCovered } from "./taint";

const both = (own: readonly string[], ceiling: readonly string[] | undefined): string[] =>
  ceiling ? [...own.filter((path) => isCovered(ceiling, path)), ...ceiling.filter((path) => isCovered(own, path))] : [...own];

const ceilingOf = ({ published }: Scenario, node: GraphNode) =>
  node.kind === "agent" ? published.agents.find(({ id }) => id === node.config.agent_id)?.permissions : undefined;

export const effectiveReads = (scenario: Scenario, node: GraphNode): string[] => both(node.read_keys, ceilingOf(scenario, node)?.read_keys);

export const effectiveWrites = (scenario: Scenario, node: GraphNode): string[] =>
  both(node.write_keys, ceilingOf(scenario, node)?.write_keys);

import type { Scenario } from "@/bench/adversary/scenarios/building-blocks";
import { CONTROL_STRATEGIES } from "./control";
import { GATE_STRATEGIES } from "./gates";
import { KIND_STRATEGIES, SWARM_STRATEGIES } from "./kinds";
import { MEMORY_STRATEGIES } from "./memory";
import { INJECTED, PAGE_STRATEGIES } from "./pages";
import { PEOPLE_STRATEGIES } from "./people";
import type { Strategies } from "./strategy";
import { TOOL_STRATEGIES } from "./tools";

const GENERAL: Strategies = { ...MEMORY_STRATEGIES, ...CONTROL_STRATEGIES, ...TOOL_STRATEGIES };
const OF_KINDS: Strategies = Object.fromEntries(Object.values(KIND_STRATEGIES).flatMap((strategies) => Object.entries(strategies)));

export const STRATEGIES: Strategies = { ...GENERAL, ...OF_KINDS, ...PAGE_STRATEGIES, ...PEOPLE_STRATEGIES, ...GATE_STRATEGIES };

const fitting = ({ published }: Scenario): string[] => {
  const nodes = [published, ...published.subgraphs].flatMap(({ graph }) => graph.nodes);
  const swarms = nodes.some((node) => node.kind === "agent" && node.config.swarm !== undefined);

  return [...new Set(nodes.flatMap(({ kind }) => Object.keys(KIND_STRATEGIES[kind]))), ...(swarms ? Object.keys(SWARM_STRATEGIES) : [])];
};

export const RUNGS = ["A0", "A1", "A5"] as const;
/** Text others read, a model's output, or an account. */
export type Rung = (typeof RUNGS)[number];

export type Repertoire = { readonly general: readonly string[]; readonly fitting: readonly string[] };

export const repertoireOf = (rung: Rung, scenario: Scenario): Repertoire => {
  if (rung === "A5") return { general: Object.keys({ ...PEOPLE_STRATEGIES, ...GATE_STRATEGIES }), fitting: [] };
  if (rung === "A0") return { general: [...Object.keys(PAGE_STRATEGIES), ...INJECTED], fitting: Object.keys(PAGE_STRATEGIES) };

  return { general: Object.keys({ ...GENERAL, ...PAGE_STRATEGIES }), fitting: fitting(scenario) };
};

import type { z } from "zod";
import type { agentSchema, GraphInput } from "@/lib/graph/document";
import type { DemoServer } from "@/server/seed/demo-servers";
import { ORDER_DESK_AGENTS } from "@/server/seed/order-desk/agents";
import { ORDER_DESK_GRAPH } from "@/server/seed/order-desk/graph";
import { ORDER_DESK_SERVERS } from "@/server/seed/order-desk/servers";
import { PAGE_DIGEST_AGENTS } from "@/server/seed/page-digest/agents";
import { PAGE_DIGEST_GRAPH } from "@/server/seed/page-digest/graph";
import { REFUND_DESK_AGENTS } from "@/server/seed/refund-desk/agents";
import { REFUND_DESK_GRAPH } from "@/server/seed/refund-desk/graph";
import { FACT_CHECK_AGENTS, RESEARCH_AGENTS } from "@/server/seed/research/agents";
import { FACT_CHECK_GRAPH } from "@/server/seed/research/fact-check";
import { RESEARCH_GRAPH } from "@/server/seed/research/graph";
import { RESEARCH_SERVERS } from "@/server/seed/research/servers";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { SUPPORT_DESK_SERVERS } from "@/server/seed/support-desk/servers";
import { WEATHER_AGENTS } from "@/server/seed/weather/agents";
import { DELIVERY_GRAPH, NOTICE_GRAPH } from "@/server/seed/weather/graphs";

const RUG_PULL_SERVER: DemoServer = {
  id: "rug-pull",
  name: "Weather",
  program: "rug-pull",
  allowedAgents: ["node"],
  labels: { forecast: { effect: "read", idempotent: true, output: "public", outward: true, clearance: "internal" } },
  changes: true,
};

export const DEMO_SERVERS: readonly DemoServer[] = [...SUPPORT_DESK_SERVERS, ...RESEARCH_SERVERS, ...ORDER_DESK_SERVERS, RUG_PULL_SERVER];

export const DEMO_AGENTS: readonly z.input<typeof agentSchema>[] = [
  ...SUPPORT_DESK_AGENTS,
  ...RESEARCH_AGENTS,
  ...FACT_CHECK_AGENTS,
  ...PAGE_DIGEST_AGENTS,
  ...ORDER_DESK_AGENTS,
  ...REFUND_DESK_AGENTS,
  ...WEATHER_AGENTS,
];

export type DemoGraph = { readonly id: string; readonly document: GraphInput };

/** Fixed, so that a second click finds the same graphs. */
export const DEMO_GRAPH_ID = "5de50000-0000-4000-8000-000000000001";

/** Subgraphs precede their users. The list of graphs shows the last first. */
export const DEMO_GRAPHS: readonly DemoGraph[] = [
  { id: "5de50000-0000-4000-8000-000000000007", document: DELIVERY_GRAPH },
  { id: "5de50000-0000-4000-8000-000000000008", document: NOTICE_GRAPH },
  { id: "5de50000-0000-4000-8000-000000000002", document: FACT_CHECK_GRAPH },
  { id: "5de50000-0000-4000-8000-000000000005", document: REFUND_DESK_GRAPH },
  { id: "5de50000-0000-4000-8000-000000000006", document: PAGE_DIGEST_GRAPH },
  { id: "5de50000-0000-4000-8000-000000000003", document: RESEARCH_GRAPH },
  { id: "5de50000-0000-4000-8000-000000000004", document: ORDER_DESK_GRAPH },
  { id: DEMO_GRAPH_ID, document: SUPPORT_DESK_GRAPH },
];

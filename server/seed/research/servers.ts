import type { DemoServer } from "@/server/seed/demo-servers";

const PAGES = { effect: "read", idempotent: true, output: "public", outward: false, clearance: "internal" } as const;
const SITE = { effect: "irreversible", idempotent: true, output: "public", outward: true, clearance: "internal" } as const;

export const RESEARCH_SERVERS: readonly DemoServer[] = [
  {
    id: "library",
    name: "Library",
    program: "library",
    allowedAgents: ["node", "researcher"],
    labels: { search: PAGES, read_page: PAGES, publish: SITE, retract: SITE },
  },
];

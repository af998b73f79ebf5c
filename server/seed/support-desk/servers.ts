/** Unnamed tools keep the strictest label. */
import type { DemoServer } from "@/server/seed/demo-servers";

export const SUPPORT_DESK_SERVERS: readonly DemoServer[] = [
  {
    id: "filesystem",
    name: "Inbox",
    program: "filesystem",
    allowedAgents: ["node"],
    labels: { read_text_file: { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "internal" } },
  },
  {
    id: "customers",
    name: "Customers",
    program: "customers",
    allowedAgents: ["node", "planner"],
    labels: {
      find_customer: { effect: "read", idempotent: true, output: "pii", outward: false, clearance: "pii" },
      update_plan: { effect: "write", idempotent: true, output: "pii", outward: false, clearance: "pii" },
    },
  },
];

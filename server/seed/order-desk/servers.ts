/** All tools know customers; only the charge leaves the house. */
import type { DemoServer } from "@/server/seed/demo-servers";

const IN_HOUSE = { idempotent: true, output: "pii", outward: false, clearance: "pii" } as const;

export const ORDER_DESK_SERVERS: readonly DemoServer[] = [
  {
    id: "shop",
    name: "Shop",
    program: "shop",
    allowedAgents: ["node"],
    labels: {
      find_order: { effect: "read", ...IN_HOUSE },
      check_stock: { effect: "read", ...IN_HOUSE },
      reserve_stock: { effect: "write", ...IN_HOUSE },
      release_stock: { effect: "write", ...IN_HOUSE },
      charge_card: { effect: "irreversible", ...IN_HOUSE, outward: true },
      refund: { effect: "write", ...IN_HOUSE, outward: true },
      refund_order: { effect: "irreversible", ...IN_HOUSE, outward: true },
    },
  },
];

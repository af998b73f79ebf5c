import type { Role } from "@/lib/roles";

export const ROLE_TEXTS = {
  admin: "Manages MCP servers, models and people. Can't approve.",
  builder: "Builds and publishes graphs and starts runs.",
  reviewer: "Decides approval requests.",
  viewer: "Can see everything, but changes nothing.",
} as const satisfies Record<Role, string>;

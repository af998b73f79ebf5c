import type { Role } from "@/lib/roles";

/** What each role is for, in half a sentence. */
export const ROLE_TEXTS = {
  admin: "Registers MCP servers and people. Approves nothing.",
  builder: "Draws graphs, publishes them and starts runs.",
  reviewer: "Decides what waits for a person.",
  viewer: "Sees everything, changes nothing.",
} as const satisfies Record<Role, string>;

import type { Agent, PinnedTool } from "@/lib/graph/document";

/** Returns whether an agent's writes with this tool need no receipt as its choice. */
export const isTrustedFor = ({ tools }: Pick<Agent, "tools">, { server, tool }: Pick<PinnedTool, "server" | "tool">): boolean =>
  tools.some((one) => one.server === server && one.tool === tool && one.trusted === true);

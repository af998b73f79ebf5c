/** Drift: any difference between the tools that were reviewed and the tools that a server has now. A rename is one of each. */
import type { HexDigest } from "@/lib/hash";

export type ToolDrift = { readonly tool: string; readonly kind: "added" | "removed" | "changed" };

/** @param pinned reviewed digests by tool name. @param live digests by tool name as the server says now. */
export const driftOf = (pinned: ReadonlyMap<string, HexDigest>, live: ReadonlyMap<string, HexDigest>): readonly ToolDrift[] => {
  const names = [...new Set([...pinned.keys(), ...live.keys()])].toSorted();

  return names.flatMap((tool): ToolDrift[] => {
    const [before, after] = [pinned.get(tool), live.get(tool)];
    if (before === after) return [];
    if (before === undefined) return [{ tool, kind: "added" }];

    return [{ tool, kind: after === undefined ? "removed" : "changed" }];
  });
};

/** Drift of tools; a rename is a removal plus an addition. */
import type { HexDigest } from "@/lib/hash";
import type { IdentityField } from "./identity";

export type ToolDrift = { readonly tool: string; readonly kind: "added" | "removed" | "changed" };

export type ServerDrift = { readonly tools: readonly ToolDrift[]; readonly identity: readonly IdentityField[] };

export const NO_DRIFT: ServerDrift = { tools: [], identity: [] };

export const hasDrift = ({ tools, identity }: ServerDrift): boolean => tools.length + identity.length > 0;

/** Compares reviewed and current digests by tool name. */
export const findDrift = (pinned: ReadonlyMap<string, HexDigest>, live: ReadonlyMap<string, HexDigest>): readonly ToolDrift[] => {
  const names = [...new Set([...pinned.keys(), ...live.keys()])].toSorted();

  return names.flatMap((tool): ToolDrift[] => {
    const [before, after] = [pinned.get(tool), live.get(tool)];
    if (before === after) return [];
    if (before === undefined) return [{ tool, kind: "added" }];

    return [{ tool, kind: after === undefined ? "removed" : "changed" }];
  });
};

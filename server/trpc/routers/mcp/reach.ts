import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { ServerPlace } from "@/lib/graph/facts/facts";
import { idSchema } from "@/lib/ids";
import { toCanonicalJson } from "@/lib/json";
import { listUsableVersions, type UsableVersion } from "@/server/store/graphs/versions";
import { listServerPlaces } from "@/server/store/mcp/registry-context";
import { createProcedure } from "@/server/trpc/init";
import { computeServerReach, usesServer, type VersionReach } from "./server-reach";

const MOST_GRAPHS = 50;
const MOST_KEPT = 500;

/** Hashes name content: entries never go stale. */
const kept = new Map<string, VersionReach>();

const reachOf = ({ version, published }: UsableVersion, server: string, places: readonly ServerPlace[]): VersionReach => {
  const key = `${version} ${server} ${toCanonicalJson(places.map((place) => ({ ...place })))}`;
  const known = kept.get(key);
  if (known) return known;
  const reach = computeServerReach(published, server, places);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, reach);

  return reach;
};

/** Each graph's newest version, at most 50, worst first. */
export const mcpReach = createProcedure("mcp.read")
  .input(z.strictObject({ id: idSchema }))
  .query(async ({ ctx, input }) => {
    const places = await listServerPlaces(ctx.workspaceId);
    const own = places.find(({ id }) => id === input.id);
    if (!own) throw new AppError("not_found");
    const using = (await listUsableVersions(ctx.workspaceId)).filter(({ published }) => usesServer(published, input.id));
    const graphs = using.slice(0, MOST_GRAPHS).map((found) => ({
      graphId: found.graphId,
      graphName: found.published.graph.name,
      version: found.version,
      versionNumber: found.number,
      ...reachOf(found, input.id, places),
    }));

    return { credential: own.credential, graphs: graphs.toSorted((a, b) => b.weight - a.weight), more: using.length - graphs.length };
  });

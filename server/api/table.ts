import type { Operation } from "@/lib/api/routes";
import { ROUTES } from "@/lib/api/routes";
import type { Handlers } from "./endpoint";
import { APPROVALS } from "./endpoints/approvals";
import { GRAPHS } from "./endpoints/graphs";
import { RUNS } from "./endpoints/runs";
import { WORKSPACE } from "./endpoints/workspace";

export const HANDLERS: Handlers = { ...GRAPHS, ...RUNS, ...APPROVALS, ...WORKSPACE };

type Route = { readonly operation: Operation; readonly method: string; readonly segments: readonly string[] };

const TABLE: readonly Route[] = (Object.entries(ROUTES) as readonly [Operation, string][]).map(([operation, route]) => {
  const [method = "", path = ""] = route.split(" ");

  return { operation, method, segments: path.slice(1).split("/") };
});

export type Match = { readonly operation: Operation; readonly params: Readonly<Record<string, string>> };

const match = ({ operation, segments }: Route, path: readonly string[]): Match | null => {
  if (segments.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const given = path[index] ?? "";
    if (segment.startsWith("{")) params[segment.slice(1, -1)] = given;
    else if (segment !== given) return null;
  }

  return { operation, params };
};

export const findOperations = (path: readonly string[]): ReadonlyMap<string, Match> =>
  new Map(
    TABLE.flatMap((route) => {
      const found = match(route, path);

      return found ? [[route.method, found] as const] : [];
    }),
  );

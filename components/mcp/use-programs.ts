"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import type { OfferedProgram } from "@/lib/mcp/program";
import { isAllowed, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";

/** Reason of a disabled control meanwhile: it would start without them. */
export const LOADING_PROGRAMS = "Loading the operator's programs";

/** Offered program of a server. Null: HTTP, or no longer offered; undefined: unknown, while loading or to other roles. */
export const useProgramOf = ({ transport }: Pick<ServerView, "transport">, role: Role): OfferedProgram | null | undefined => {
  const { data } = useQuery({
    ...useTRPC().mcp.programs.queryOptions(),
    enabled: transport?.type === "stdio" && isAllowed(role, "mcp.manage"),
  });

  if (transport?.type !== "stdio") return null;

  return data && (data.find(({ id }) => id === transport.manifest.program) ?? null);
};

"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import type { OfferedProgram } from "@/lib/mcp/program";
import { isAllowed, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";

/** The program that a server runs, as currently offered; null for HTTP servers, other roles, and programs no longer offered. */
export const useProgramOf = ({ transport }: Pick<ServerView, "transport">, role: Role): OfferedProgram | null => {
  const { data } = useQuery({
    ...useTRPC().mcp.programs.queryOptions(),
    enabled: transport?.type === "stdio" && isAllowed(role, "mcp.manage"),
  });

  return transport?.type === "stdio" ? (data?.find(({ id }) => id === transport.manifest.program) ?? null) : null;
};

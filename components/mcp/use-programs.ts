"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import type { OfferedProgram } from "@/lib/mcp/program";
import { isAllowed, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";

/** Offered program of a server; null for HTTP, other roles or programs no longer offered. */
export const useProgramOf = ({ transport }: Pick<ServerView, "transport">, role: Role): OfferedProgram | null => {
  const { data } = useQuery({
    ...useTRPC().mcp.programs.queryOptions(),
    enabled: transport?.type === "stdio" && isAllowed(role, "mcp.manage"),
  });

  return transport?.type === "stdio" ? (data?.find(({ id }) => id === transport.manifest.program) ?? null) : null;
};

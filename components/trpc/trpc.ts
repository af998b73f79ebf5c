"use client";

import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/trpc/root";

const context = createTRPCContext<AppRouter>();

export const TRPCProvider = context.TRPCProvider;

/** `useQuery(useTRPC().runs.list.queryOptions(input))` */
export const useTRPC = context.useTRPC;

/** Client for event handlers. */
export const useTRPCClient = context.useTRPCClient;

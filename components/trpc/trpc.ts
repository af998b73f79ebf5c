"use client";

import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/trpc/root";

const context = createTRPCContext<AppRouter>();

export const TRPCProvider = context.TRPCProvider;

/** `useQuery(useTRPC().runs.list.queryOptions(input))` */
export const useTRPC = context.useTRPC;

/** For calls outside of a query, such as in an event handler. */
export const useTRPCClient = context.useTRPCClient;

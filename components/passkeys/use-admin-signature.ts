"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { changeToSign, type AdminChange } from "@/lib/admin-change";
import type { AdminSignature } from "@/lib/engine/ledger/countersignable";
import { useCountersign } from "./use-countersign";

/** Whether an admin's changes must be signed: the policy demands passkeys, and the person has or had one. */
export const useIsSigned = (): boolean => {
  const trpc = useTRPC();
  const policy = useQuery(trpc.policy.get.queryOptions());
  const own = useQuery(trpc.passkeys.list.queryOptions());

  return policy.data?.approvals === "write" && (own.data?.passkeys.length ?? 0) > 0;
};

/** The sender's signature on a command; empty when none is demanded. */
export type Signature = { readonly signed?: AdminSignature };

/** Returns a function that signs a change with the person's passkey where the policy demands it. @throws NotSigned */
export const useAdminSignature = () => {
  const client = useTRPCClient();
  const countersign = useCountersign();

  return async (change: AdminChange): Promise<Signature> => {
    const { approvals } = await client.policy.get.query();
    if (approvals !== "write") return {};
    const request = crypto.randomUUID();
    const assertion = await countersign(changeToSign(change, request));

    return assertion ? { signed: { request, assertion } } : {};
  };
};

"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { changeToSign, type AdminChange } from "@/lib/admin-change";
import type { AdminSignature } from "@/lib/engine/ledger/countersignable";
import { useCountersign } from "./use-countersign";

/** Returns whether policy requires admin signatures; they apply after a person's first passkey. */
export const useIsSigned = (): boolean => {
  const trpc = useTRPC();
  const policy = useQuery(trpc.policy.get.queryOptions());
  const own = useQuery(trpc.passkeys.list.queryOptions());

  return policy.data?.signsChanges === true && (own.data?.passkeys.length ?? 0) > 0;
};

/** Empty when not required. */
export type Signature = { readonly signed?: AdminSignature };

/** Returns a function that signs changes where required. @throws NotSigned */
export const useAdminSignature = () => {
  const client = useTRPCClient();
  const countersign = useCountersign();

  return async (change: AdminChange): Promise<Signature> => {
    const { signsChanges } = await client.policy.get.query();
    if (!signsChanges) return {};
    const request = crypto.randomUUID();
    const assertion = await countersign(changeToSign(change, request));

    return assertion ? { signed: { request, assertion } } : {};
  };
};

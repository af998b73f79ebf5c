"use client";

import { useTRPCClient } from "@/components/trpc/trpc";
import { countersignatureChallenge, type Countersignable } from "@/lib/engine/ledger/countersignable";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import { askPasskey } from "./ask-passkey";
import { NotSigned } from "./not-signed";

/** Returns a signing function; undefined for people who never had a passkey. @throws NotSigned */
export const useCountersign = () => {
  const client = useTRPCClient();

  return async (asked: Countersignable): Promise<Assertion | undefined> => {
    const { workspace, user, passkeys } = await client.passkeys.list.query();
    if (passkeys.length === 0) return undefined;
    const signed = await askPasskey(countersignatureChallenge(workspace, user, asked), passkeys);
    if (!signed.ok) throw new NotSigned(signed.why);

    return signed.assertion;
  };
};

/**
 * The executor of effects that change the world. It checks the chain, the receipt, the graph and policy digests itself
 * right before the call: that some edge or some caller led here proves nothing.
 */
import { authorityFault, type AuthorityFault, type EffectClaim, type Evidence } from "@/lib/engine/authority";
import type { PublicKeys } from "@/lib/engine/signature";
import type { AnsweredInput } from "@/lib/engine/asked-input";
import type { Clock } from "@/server/clock";
import type { Mcp, McpAnswer } from "@/server/mcp/contract";

export type PrivilegedAnswer = McpAnswer | { readonly status: "unauthorized"; readonly fault: AuthorityFault };

/** `input`: what a person said when this call asked for something, by a gate whose receipt the claim has. */
type Claim = EffectClaim & { readonly input: AnsweredInput | null };

export type PrivilegedCall = (claim: Claim, evidence: Evidence, caller: string, signal: AbortSignal) => Promise<PrivilegedAnswer>;

/** @param keys read on each call, so that a rotated key is known at once */
export const privilegedCall =
  (mcp: Mcp, keys: () => Promise<PublicKeys>, clock: Clock): PrivilegedCall =>
  async (claim, evidence, caller, signal) => {
    const fault = await authorityFault(evidence, claim, clock.now(), await keys());
    if (fault) return { status: "unauthorized", fault };

    return mcp.call(
      {
        workspace: evidence.workspace,
        server: claim.server,
        tool: claim.tool,
        arguments: claim.arguments,
        caller,
        definitionDigest: claim.definition_digest,
        effectId: claim.effect_id,
        idempotencyKey: claim.idempotency_key,
        receipt: claim.receipt,
        input: claim.input,
      },
      signal,
    );
  };

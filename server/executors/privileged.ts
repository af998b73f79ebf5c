/** Privileged effects: verified and spent right before the call, since being routed here proves nothing. */
import { findAuthorityFault, type AuthorityFault, type EffectClaim, type Evidence } from "@/lib/engine/authority";
import type { CallProof } from "@/lib/engine/outside/call-proof";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { AnsweredInput } from "@/lib/engine/approvals/pending-question";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import { getRunEnvironment } from "@/lib/environments/environment";
import type { Clock } from "@/server/clock";
import type { Mcp, McpAnswer } from "@/server/mcp/contract";
import type { Journal } from "@/server/security/journal/journal";

export type PrivilegedAnswer = McpAnswer | { readonly status: "unauthorized"; readonly fault: AuthorityFault };

type Claim = EffectClaim & { readonly input: AnsweredInput | null; readonly proof?: CallProof };

export type PrivilegedCall = (claim: Claim, evidence: Evidence, caller: string, signal: AbortSignal) => Promise<PrivilegedAnswer>;

/** Persists position and receipt before anything leaves. @throws JournalFailed */
const spend = async (journal: Spending, run: string, claim: Claim): Promise<AuthorityFault | null> => {
  if (!claim.receipt) {
    await journal.settle();

    return null;
  }
  const { nonce, transition_digest, expires_at } = claim.receipt.payload;
  const isSpent = await journal.spend({
    nonce,
    run,
    effect: claim.effect_id,
    transition_digest,
    arguments_digest: computeArgumentsDigest(claim.arguments),
    idempotency_key: claim.idempotency_key,
    expires_at,
  });

  return isSpent ? null : "receipt_spent";
};

const findEnvironment = ({ records }: Evidence): string =>
  getRunEnvironment(records.flatMap(({ record }) => record.control).find((event) => event.type === "run_started"));

type Spending = Pick<Journal, "spend" | "settle">;

/** Creates the privileged call. @param keys read on each call, so that rotations apply at once */
export const createPrivilegedCall =
  (mcp: Mcp, keys: () => Promise<PublicKeys>, clock: Clock, journal: Spending): PrivilegedCall =>
  async (claim, evidence, caller, signal) => {
    const fault = (await findAuthorityFault(evidence, claim, clock.now(), await keys())) ?? (await spend(journal, evidence.run, claim));
    if (fault) return { status: "unauthorized", fault };

    return mcp.call(
      {
        workspace: evidence.workspace,
        run: evidence.run,
        environment: findEnvironment(evidence),
        server: claim.server,
        tool: claim.tool,
        arguments: claim.arguments,
        caller,
        definitionDigest: claim.definition_digest,
        effectId: claim.effect_id,
        idempotencyKey: claim.idempotency_key,
        receipt: claim.receipt,
        ...(claim.proof ? { proof: claim.proof } : {}),
        input: claim.input,
      },
      signal,
    );
  };

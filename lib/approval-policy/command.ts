import { z } from "zod";
import { idSchema, uuidSchema } from "@/lib/ids";
import { getPasskeyHost } from "@/lib/passkey-host";
import { assertionSchema } from "@/lib/engine/approvals/assertion";

/** `write`: class write or higher needs a passkey. `graph`: the graph decides. */
export const approvalsSchema = z.enum(["write", "graph"]);
export type Approvals = z.infer<typeof approvalsSchema>;

export type PolicySettings = {
  readonly approvals: Approvals | null;
  /** Open request to lower it to `graph`. */
  readonly request: { readonly id: string; readonly by: string } | null;
};

/** An environment has a policy of its own only if it differs. @param general of all others; null: this is it */
export const toOwnApprovals = (approvals: Approvals, general: Approvals | null): Approvals | null =>
  approvals === general ? null : approvals;

export const UNSET_POLICY: PolicySettings = { approvals: null, request: null };

export const getDefaultApprovals = (origin: string, isDemo: boolean): Approvals =>
  !isDemo && getPasskeyHost(origin).ok ? "write" : "graph";

/** Ids of environments have no space. */
export const getPolicySubject = (workspace: string, environment: string | null): string =>
  environment === null ? workspace : `in ${environment}`;

export const policyPlaceSchema = z.strictObject({ environment: idSchema.exactOptional() });
export const policyRequestSchema = policyPlaceSchema.extend({ request: uuidSchema });
/** `assertion`: only if the sender has a passkey. */
export const signedPolicyRequestSchema = policyRequestSchema.extend({ assertion: assertionSchema.exactOptional() });

export const policyCommandSchema = z.discriminatedUnion("kind", [
  policyPlaceSchema.extend({ kind: z.literal("policy_raise") }),
  /** Asks a second admin. */
  signedPolicyRequestSchema.extend({ kind: z.literal("policy_lower") }),
  signedPolicyRequestSchema.extend({ kind: z.literal("policy_confirm") }),
  policyRequestSchema.extend({ kind: z.literal("policy_decline") }),
]);
export type PolicyCommand = z.infer<typeof policyCommandSchema>;

import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
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

export const UNSET_POLICY: PolicySettings = { approvals: null, request: null };

export const getDefaultApprovals = (origin: string, isDemo: boolean): Approvals =>
  !isDemo && getPasskeyHost(origin).ok ? "write" : "graph";

export const policyCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("policy_raise") }),
  /** Asks a second admin. `assertion`: only if the sender has a passkey. */
  z.strictObject({ kind: z.literal("policy_lower"), request: uuidSchema, assertion: assertionSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("policy_confirm"), request: uuidSchema, assertion: assertionSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("policy_decline"), request: uuidSchema }),
]);
export type PolicyCommand = z.infer<typeof policyCommandSchema>;

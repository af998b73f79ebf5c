/** The approval policy of a workspace, and the commands that change it. They go to the workspace itself. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { passkeyHost } from "@/lib/passkey-host";
import { assertionSchema } from "@/lib/engine/approvals/assertion";

/** `write`: every approval of class write or higher takes a passkey. `graph`: those that the graph says. */
export const approvalsSchema = z.enum(["write", "graph"]);
export type Approvals = z.infer<typeof approvalsSchema>;

export type PolicySettings = {
  /** Null: nobody has set it, so the default holds. */
  readonly approvals: Approvals | null;
  /** The open request to lower it to `graph`. */
  readonly request: { readonly id: string; readonly by: string } | null;
};

export const UNSET_POLICY: PolicySettings = { approvals: null, request: null };

/** Returns what holds until somebody sets it. @param origin of the installation */
export const defaultApprovals = (origin: string, isDemo: boolean): Approvals => (!isDemo && passkeyHost(origin).ok ? "write" : "graph");

export const policyCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("policy_raise") }),
  /** Asks for a second admin. `assertion`: by a passkey of the sender, who needs one only when they have any. */
  z.strictObject({ kind: z.literal("policy_lower"), request: uuidSchema, assertion: assertionSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("policy_confirm"), request: uuidSchema, assertion: assertionSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("policy_decline"), request: uuidSchema }),
]);
export type PolicyCommand = z.infer<typeof policyCommandSchema>;

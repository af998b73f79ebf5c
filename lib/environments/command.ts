import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { environmentsSchema } from "@/lib/environments/environment";
import { variablesSchema } from "@/lib/environments/variables";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";

const signed = adminSignatureSchema.exactOptional();

/** `was`: as on screen, against undoing concurrent changes. */
export const environmentCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("environments_set"), was: environmentsSchema, environments: environmentsSchema, signed }),
  z.strictObject({
    kind: z.literal("environment_variables"),
    environment: idSchema,
    /** Null: none yet. */
    was: hexDigestSchema.nullable(),
    variables: variablesSchema,
    signed,
  }),
]);
export type EnvironmentCommand = z.infer<typeof environmentCommandSchema>;

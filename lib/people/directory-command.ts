import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { hexDigestSchema } from "@/lib/hash";
import { directorySchema } from "@/lib/people/directory";

export const directoryCommandSchema = z.discriminatedUnion("kind", [
  /** `was`: digest as on screen. */
  z.strictObject({
    kind: z.literal("directory_set"),
    was: hexDigestSchema.nullable(),
    directory: directorySchema.nullable(),
    signed: adminSignatureSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("directory_confirm"), asked: hexDigestSchema, signed: adminSignatureSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("directory_decline"), asked: hexDigestSchema }),
]);
export type DirectoryCommand = z.infer<typeof directoryCommandSchema>;

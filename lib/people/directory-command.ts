import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { directorySchema, type Directory } from "@/lib/people/directory";
import { isVisibleName, UNSEEN_IN_NAME } from "@/lib/visible-name";

/** People may choose these at some providers. */
const SELF_CHOSEN =
  /^(?:sub|email|name|(?:given|family|middle)_name|nickname|preferred_username|profile|picture|website|locale|zoneinfo)$/u;

export const findNameObjection = ({ claim, rules }: Directory): string | null => {
  if (SELF_CHOSEN.test(claim)) return "Choose a claim that people can't set themselves";

  return [claim, ...rules.map(({ group }) => group)].every(isVisibleName) ? null : UNSEEN_IN_NAME;
};

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
  z.strictObject({
    kind: z.literal("directory_token_make"),
    token: uuidSchema,
    publicKey: z.string().regex(/^[\w-]{43}$/),
    lifetimeMs: z
      .number()
      .int()
      .min(1)
      .max(366 * 86_400_000),
    signed: adminSignatureSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("directory_token_confirm"), token: uuidSchema, signed: adminSignatureSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("directory_token_end"), token: uuidSchema }),
]);
export type DirectoryCommand = z.infer<typeof directoryCommandSchema>;

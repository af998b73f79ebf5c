import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { directoryUserSchema } from "@/lib/people/directory-user";
import { visibleNameSchema } from "@/lib/visible-name";

export const MOST_GROUP_SIZE = 10_000;
export const MOST_CHANGED = 1_000;
export const MOST_DIRECTORY_GROUPS = 2_000;
export const MOST_OPERATIONS = 100;

const nameSchema = visibleNameSchema(256);
const externalIdSchema = z.string().min(1).max(256).nullable();

/** Number of the record that the sender saw last (If-Match). */
const match = z.number().int().min(0).exactOptional();

export const memberChangeSchema = z.strictObject({
  op: z.enum(["add", "remove", "replace"]),
  people: z.array(uuidSchema).max(MOST_GROUP_SIZE),
});
export type MemberChange = z.infer<typeof memberChangeSchema>;

export const provisionCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("provision_user_create"), user: uuidSchema, attributes: directoryUserSchema }),
  z.strictObject({ kind: z.literal("provision_user_change"), user: uuidSchema, match, changes: directoryUserSchema.partial() }),
  z.strictObject({ kind: z.literal("provision_user_delete"), user: uuidSchema, match }),
  z.strictObject({
    kind: z.literal("provision_group_create"),
    group: uuidSchema,
    name: nameSchema,
    externalId: externalIdSchema,
    people: memberChangeSchema.shape.people,
  }),
  z.strictObject({
    kind: z.literal("provision_group_change"),
    group: uuidSchema,
    match,
    name: nameSchema.exactOptional(),
    externalId: externalIdSchema.exactOptional(),
    members: z.array(memberChangeSchema).max(MOST_OPERATIONS),
  }),
  z.strictObject({ kind: z.literal("provision_group_delete"), group: uuidSchema, match }),
]);
export type ProvisionCommand = z.infer<typeof provisionCommandSchema>;

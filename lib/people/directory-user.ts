import { z } from "zod";
import { emailSchema } from "@/lib/people/command";
import { isVisibleName, stripUnseen } from "@/lib/visible-name";

const MOST_TEXT = 254;
const textSchema = z.string().min(1).max(MOST_TEXT).refine(isVisibleName).nullable();

export const directoryUserSchema = z.strictObject({
  userName: z.string().min(1).max(MOST_TEXT).refine(isVisibleName),
  externalId: textSchema,
  email: emailSchema.nullable(),
  displayName: textSchema,
  formattedName: textSchema,
  givenName: textSchema,
  familyName: textSchema,
  active: z.boolean(),
});
export type DirectoryUser = z.infer<typeof directoryUserSchema>;

export const getAddress = ({ email, userName }: Pick<DirectoryUser, "email" | "userName">): string | null =>
  email ?? emailSchema.safeParse(userName).data ?? null;

const MOST_NAME = 100;

export const getShownName = (user: DirectoryUser): string => {
  const parts = [user.givenName, user.familyName].filter((part) => part !== null).join(" ");
  const name = stripUnseen(user.displayName ?? user.formattedName ?? "") || parts || user.userName.split("@")[0] || user.userName;

  return Array.from(name).slice(0, MOST_NAME).join("").trim();
};

import { z } from "zod";
import { visibleNameSchema } from "@/lib/visible-name";

export const MIN_PASSWORD_LENGTH = 12;

export const newPasswordSchema = z.string().min(MIN_PASSWORD_LENGTH, `At least ${MIN_PASSWORD_LENGTH} characters.`).max(200);

export const newAccountSchema = z.strictObject({
  name: visibleNameSchema(100, "Enter your name."),
  password: newPasswordSchema,
});

export const firstAdminSchema = z.strictObject({
  ...newAccountSchema.shape,
  email: z.email("Enter an e-mail address.").max(254),
  workspaceName: visibleNameSchema(100, "Enter a workspace name."),
});

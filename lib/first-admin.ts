/** The form of the first start, checked alike in the browser and on the server. */
import { z } from "zod";

export const MIN_PASSWORD_LENGTH = 12;

export const firstAdminSchema = z.strictObject({
  name: z.string().trim().min(1, "Enter your name.").max(100),
  email: z.email("Enter an e-mail address.").max(254),
  password: z.string().min(MIN_PASSWORD_LENGTH, `At least ${MIN_PASSWORD_LENGTH} characters.`).max(200),
  workspaceName: z.string().trim().min(1, "Name the workspace.").max(100),
});

export type FirstAdminForm = z.infer<typeof firstAdminSchema>;

import { z } from "zod";
import { roleSchema } from "@/lib/roles";

/** argon2id, hashed by the web process. */
const passwordHashSchema = z.string().min(20).max(500);

export const newPersonSchema = z.strictObject({
  id: z.uuid(),
  name: z.string().trim().min(1).max(100),
  email: z.string().min(3).max(254),
  role: roleSchema,
  auditor: z.boolean().exactOptional(),
  password_hash: passwordHashSchema.nullable(),
});
export type NewPerson = z.infer<typeof newPersonSchema>;

/** With a set-up link: one admin; without: demo accounts. */
export const foundCommandSchema = z.strictObject({
  kind: z.literal("workspace_found"),
  setup: z.string().min(1).max(200).nullable(),
  name: z.string().trim().min(1).max(100),
  people: z.array(newPersonSchema).min(1).max(20),
});
export type FoundCommand = z.infer<typeof foundCommandSchema>;

export const joinCommandSchema = z.strictObject({
  kind: z.literal("member_join"),
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(100),
  password_hash: passwordHashSchema,
});
export type JoinCommand = z.infer<typeof joinCommandSchema>;

export const passwordCommandSchema = z.strictObject({ kind: z.literal("password_set"), password_hash: passwordHashSchema });
export type PasswordCommand = z.infer<typeof passwordCommandSchema>;

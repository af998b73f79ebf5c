/** How people come in: who founds a workspace, accepts an invite, or sets a password. Commands to the workspace itself. */
import { z } from "zod";
import { roleSchema } from "@/lib/roles";

/** argon2id, as the web process made it. */
const passwordHashSchema = z.string().min(20).max(500);

export const newPersonSchema = z.strictObject({
  id: z.uuid(),
  name: z.string().trim().min(1).max(100),
  email: z.string().min(3).max(254),
  role: roleSchema,
  password_hash: passwordHashSchema.nullable(),
});
export type NewPerson = z.infer<typeof newPersonSchema>;

/** Sent by the first of the people; with a set-up link they are one admin, without one they are accounts of the demo. */
export const foundCommandSchema = z.strictObject({
  kind: z.literal("workspace_found"),
  /** The token of the set-up link. */
  setup: z.string().min(1).max(200).nullable(),
  name: z.string().trim().min(1).max(100),
  people: z.array(newPersonSchema).min(1).max(20),
});
export type FoundCommand = z.infer<typeof foundCommandSchema>;

/** Sent in the name of the account that the invite makes. */
export const joinCommandSchema = z.strictObject({
  kind: z.literal("member_join"),
  /** The token of the invite's link. */
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(100),
  password_hash: passwordHashSchema,
});
export type JoinCommand = z.infer<typeof joinCommandSchema>;

/** Sets the password of the person who sends it. */
export const passwordCommandSchema = z.strictObject({ kind: z.literal("password_set"), password_hash: passwordHashSchema });
export type PasswordCommand = z.infer<typeof passwordCommandSchema>;

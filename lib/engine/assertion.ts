/** What an authenticator signed when somebody decided, as it travels with a decision and as the ledger keeps it. */
import { z } from "zod";

const base64url = (characters: number) =>
  z
    .string()
    .min(1)
    .max(characters)
    .regex(/^[A-Za-z0-9_-]+$/);

const signed = {
  credential_id: base64url(1_400),
  authenticator_data: base64url(2_800),
  client_data_json: base64url(5_600),
  signature: base64url(1_400),
};

/** As the browser sends it. Which key it is checked with is the server's to know. */
export const assertionSchema = z.strictObject(signed);
export type Assertion = z.infer<typeof assertionSchema>;

/** As it is recorded: with the key that it was checked with, so that it can be checked again without the server. */
export const recordedAssertionSchema = z.strictObject({
  ...signed,
  public_key: base64url(2_800),
  rp_id: z.string().min(1).max(253),
});
export type RecordedAssertion = z.infer<typeof recordedAssertionSchema>;

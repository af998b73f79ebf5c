import { Webhook } from "standardwebhooks";

type Signed = { readonly id: string; readonly at: number; readonly payload: string; readonly secrets: readonly string[] };

/** Builds Standard Webhooks' headers. @param secrets a receiver needs one */
export const buildSignatureHeaders = ({ id, at, payload, secrets }: Signed): Readonly<Record<string, string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at / 1_000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), payload)).join(" "),
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { generateWebhookSecret } from "./secret";
import { buildSignatureHeaders } from "./sign";

const file = path.join(import.meta.dirname, "vectors", "standard-webhooks-vectors.json");
const vectorSchema = z.object({
  secret: z.string(),
  msg_id: z.string(),
  timestamp: z.number(),
  payload: z.string(),
  signature: z.string(),
});
const { vectors } = z.object({ vectors: z.array(vectorSchema).min(1) }).parse(JSON.parse(readFileSync(file, "utf8")));

test.each(vectors)("$msg_id is signed like the standard's own implementation", (vector) => {
  const headers = buildSignatureHeaders({
    id: vector.msg_id,
    at: vector.timestamp * 1_000 + 999,
    payload: vector.payload,
    secrets: [vector.secret],
  });
  expect(headers).toEqual({
    "webhook-id": vector.msg_id,
    "webhook-timestamp": String(vector.timestamp),
    "webhook-signature": vector.signature,
  });
});

describe("a receiver", () => {
  const [before, after] = [generateWebhookSecret(), generateWebhookSecret()];
  const payload = `{"test": "✓"}`;
  const at = Date.now();
  const both = buildSignatureHeaders({ id: "1", at, payload, secrets: [after, before] });
  const accepts = (secret: string, headers: Readonly<Record<string, string>> = both, body = payload): boolean => {
    try {
      new Webhook(secret).verify(body, { ...headers });

      return true;
    } catch {
      return false;
    }
  };

  test("accepts a signature by either secret, and no other", () => {
    expect([accepts(before), accepts(after), accepts(generateWebhookSecret())]).toEqual([true, true, false]);
    expect(accepts(before.slice("whsec_".length))).toBe(true);
  });

  test("rejects another body, id or time, truncation, and times five minutes off", () => {
    const late = buildSignatureHeaders({ id: "1", at: Date.now() - 301_000, payload, secrets: [after] });
    const early = buildSignatureHeaders({ id: "1", at: Date.now() + 301_000, payload, secrets: [after] });
    const { "webhook-signature": signature = "" } = both;
    const refused = [
      accepts(after, both, `${payload} `),
      accepts(after, { ...both, "webhook-id": "2" }),
      accepts(after, { ...both, "webhook-timestamp": String(Math.floor(at / 1_000) + 1) }),
      accepts(after, { ...both, "webhook-timestamp": "hello" }),
      accepts(after, { ...both, "webhook-signature": signature.slice(0, 8) }),
      accepts(after, { ...both, "webhook-signature": "v1," }),
      accepts(after, late),
      accepts(after, early),
    ];
    expect(refused).toEqual(refused.map(() => false));
  });
});

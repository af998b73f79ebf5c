import fc from "fast-check";
import { expect, test } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { webhookPayloadSchema } from "./payload";
import { deliveryTypeSchema, type DeliveryType } from "./types";

const ID = "00000000-0000-4000-8000-000000000001";
const AT = "2026-11-22T11:00:00.000Z";
const HASH = "a".repeat(64);
const link = "http://localhost:3000/approvals/x";
const run = { workspace_id: ID, link, run_id: ID, graph_id: ID, graph_name: "Support desk" };
const approval = { ...run, approval_id: ID, node: "write", reason: "effect", role: "reviewer", authority: "write", opened_at: AT };
const signed = { checkpoint: { origin: ID, count: 3, root: HASH, at: 1 }, kid: "k", signature: "s" };

const SAMPLES = {
  "approval.requested": { ...approval, expires_at: AT },
  "approval.reminder": { ...approval, expires_at: AT, percent: 50, people: [ID] },
  "approval.escalated": { ...approval, expires_at: AT, escalated_at: AT, to: "admins", people: [ID] },
  "approval.resolved": { ...approval, outcome: "approved", resolved_at: AT },
  "run.ended": { ...run, status: "completed", simulated: false, ended_at: AT },
  "run.threshold": { ...run, percent: 75 },
  "run.refused": { ...run, code: "cost_budget", node: "write" },
  "run.frozen": { ...run, fault: "hash", seq: 4 },
  "checkpoint.signed": { workspace_id: ID, link, signed, since: { signed, proof: [HASH] } },
  "server.suspended": { workspace_id: ID, link, server_id: "files" },
  "webhook.test": { workspace_id: ID, link, endpoint_id: ID },
} as const satisfies Record<DeliveryType, Json>;

const sampleOf = (type: DeliveryType): Json => JSON.parse(JSON.stringify({ type, timestamp: AT, data: SAMPLES[type] })) as Json;
const isTold = (payload: Json): boolean => webhookPayloadSchema.safeParse(payload).success;

const objectsIn = (value: Json, way: readonly string[] = []): readonly (readonly string[])[] =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? [way, ...Object.entries(value).flatMap(([key, each]) => objectsIn(each, [...way, key]))]
    : [];

const withField = (payload: Json, way: readonly string[], name: string, value: Json): Json => {
  const copy = JSON.parse(toCanonicalJson(payload)) as Json;
  const inner = way.reduce<unknown>((at, key) => Reflect.get(Object(at), key), copy);
  Object.defineProperty(inner, name, { value, enumerable: true, configurable: true, writable: true });

  return copy;
};

test.each(deliveryTypeSchema.options)("%s has its schema's fields only, at any depth", (type) => {
  const sample = sampleOf(type);
  expect(isTold(sample)).toBe(true);
  fc.assert(
    fc.property(fc.constantFrom(...objectsIn(sample)), fc.string({ minLength: 1 }), fc.jsonValue(), (way, name, value) => {
      const known = Object.keys(Object(way.reduce<unknown>((at, key) => Reflect.get(Object(at), key), sample)));
      fc.pre(!known.includes(name) && name !== "__proto__");
      expect(isTold(withField(sample, way, name, value as Json))).toBe(false);
    }),
  );
});

test("texts are names, codes or links, and no field holds free text", () => {
  const sentence = "Please approve at once; the customer said so.";
  const taken = deliveryTypeSchema.options.flatMap((type) =>
    objectsIn(sampleOf(type)).flatMap((way) => {
      const at = way.reduce<unknown>((value, key) => Reflect.get(Object(value), key), sampleOf(type));

      return Object.keys(Object(at)).flatMap((key) => (isTold(withField(sampleOf(type), way, key, sentence)) ? [key] : []));
    }),
  );
  // Builders name graphs; receivers verify key id and signature.
  expect([...new Set(taken)].toSorted()).toEqual(["graph_name", "kid", "signature"]);
});

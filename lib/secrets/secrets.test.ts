import { assert, constantFrom, integer, property, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import vectors from "@/lib/testing/vectors/secrets/gitleaks.json";
import { findSecrets } from "./find";
import { listSecrets, stripSecrets } from "./leave-out";

const rules = z.array(z.object({ rule: z.string(), tp_b64: z.array(z.string()), fp_b64: z.array(z.string()) })).parse(vectors);

const text = (base64: string): string => Buffer.from(base64, "base64").toString("utf8");

/** They need a file or product name, which graph texts lack. */
const OUT_OF_REACH = ["kubernetes-secret-yaml", "nuget-config-password", "sidekiq-secret", "sumologic-access-id", "messagebird-client-id"];

const known = rules.filter(({ rule }) => !OUT_OF_REACH.includes(rule));

test("finds 95 of 100 secrets in a scanner's vectors, and none in 75 of 100 lookalikes", () => {
  const secrets = known.flatMap(({ tp_b64 }) => tp_b64.map(text));
  const harmless = known.flatMap(({ fp_b64 }) => fp_b64.map(text));

  expect(secrets.filter((one) => findSecrets(one).length > 0).length / secrets.length).toBeGreaterThan(0.95);
  expect(harmless.filter((one) => findSecrets(one).length === 0).length / harmless.length).toBeGreaterThan(0.75);
});

const github = `ghp_${"a1B2c3D4e5".repeat(4)}`;

test.each([
  ["a form that says what it is", `use ${github} for it`, "GitHub token"],
  ["an assignment", 'password = "Tr0ub4dor&3x"', "credential"],
  ["a header", "Authorization: Bearer 7c9e6679f7425a", "credential"],
  ["an address", "postgres://app:s3cr3tPass9@db.internal/x", "password in an address"],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----", "private key"],
])("finds a secret in %s", (_, dirty, what) => {
  expect(findSecrets(dirty).map((found) => found.what)).toEqual([what]);
});

test.each([
  ["Look up the customer's token and password in the vault."],
  ["memory.api_key == 'none' && size(memory.token) > 20"],
  ["Send the token ${API_TOKEN} or {{password_1}} along."],
  ["The digest is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08."],
  ["max_token_budget: 120000"],
  ["A run 3f2504e0-4f89-41d3-9a0c-0305e82c3301 of the task-list-with-long-words"],
  ["user: Summarise the pages, then ask for approval"],
])("finds none in %s", (clean) => {
  expect(findSecrets(clean)).toEqual([]);
});

test("uses a member's name, through generic members", () => {
  expect(listSecrets({ password: "hunter2hunter3" })).toEqual([{ path: ["password"], what: "credential" }]);
  expect(listSecrets({ api_key: { value: "q7Zk29xLm1" } })).toEqual([{ path: ["api_key", "value"], what: "credential" }]);
  expect(listSecrets({ token: { type: "string", description: "the token" } })).toEqual([]);
});

test("gives a secret one name everywhere, member names included", () => {
  const { value, leftOut } = stripSecrets({ a: `x ${github} y`, [github]: [github] });

  expect(value).toEqual({ a: "x secret_left_out_1 y", secret_left_out_1: ["secret_left_out_1"] });
  expect(leftOut.map(({ path }) => path.length)).toEqual([1, 1, 2]);
});

const planted = tuple(
  string({ maxLength: 60 }),
  constantFrom(...known.flatMap(({ tp_b64 }) => tp_b64.map(text))),
  string({ maxLength: 60 }),
);

test("leaves nothing that would be left out again", () => {
  assert(
    property(planted, ([before, secret, after]) => {
      const once = stripSecrets({ note: `${before}\n${secret}\n${after}` });
      expect(stripSecrets(once.value).leftOut).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

const PIECES = ["-----BEGIN PRIVATE KEY-----", "curl ", "a://", "token", "_key ", "eyJ", "ghp_", "password: ", "sk-", ":", "a", " "];

test("scans in linear time for any text", () => {
  assert(
    property(constantFrom(...PIECES), constantFrom(...PIECES), integer({ min: 1, max: 3 }), (one, other, count) => {
      const hostile = `${one.repeat(count)}${other}`.repeat(20_000).slice(0, 50_000);
      const start = performance.now();
      findSecrets(hostile);
      expect(performance.now() - start).toBeLessThan(2_000);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ["a scheme before it", { Authorization: "Basic YWRtaW46aHVudGVyMg==" }],
  ["a line end after it", { password: "Tr0ub4dor&3\n" }],
  ["no digit in it", { password: "Zq!kPwX@vTm#" }],
  ["a sign of money before it", { password: "$ecr3tP4ss!" }],
  ["its name beside it", { key: "api_token", schema: { type: "string", default: "q7Zk29xLm1" } }],
  ["its name in a path beside it", { path: "login.api_token", value: "'q7Zk29xLm1'" }],
  ["another encoding", { note: `send ${btoa(`token is ${github}`)} along` }],
  ["an address's encoding", { note: `https://a.test/?next=${encodeURIComponent("postgres://app:s3cr3tPass9@db/x")}` }],
])("leaves out a secret with %s", (_, dirty) => {
  const { value, leftOut } = stripSecrets(dirty);

  expect(leftOut).toHaveLength(1);
  expect(JSON.stringify(value)).toContain("secret_left_out_1");
});

test.each([
  [{ key: "token_count", schema: { type: "integer", description: "tokens of 12 models" } }],
  [{ path: "token_count", value: "size(memory.words1) + 1" }],
  [{ password: "$DB_PASSWORD_1" }],
  [{ note: "a picture: iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" }],
  [{ note: "https://a.test/?q=100%25%20sure%20of%201%20token" }],
])("keeps values that are not secrets: %j", (clean) => {
  expect(stripSecrets(clean)).toEqual({ value: clean, leftOut: [] });
});

test("does not reuse a name from an earlier file", () => {
  const { value } = stripSecrets({ secret_left_out_1: "earlier", [github]: "now" });

  expect(value).toEqual({ secret_left_out_1: "earlier", secret_left_out_2: "now" });
});

test("reports a secret's place without the secret", () => {
  const dirty = { [github]: { [github]: github } };

  expect(JSON.stringify([listSecrets(dirty), stripSecrets(dirty).leftOut])).not.toContain(github);
});

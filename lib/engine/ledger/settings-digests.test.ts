import { expect, test } from "vitest";
import { computeTokenDigest } from "./settings-digests";

const TOKEN = {
  hash: "a".repeat(64),
  publicKey: null,
  ownerId: "00000000-0000-4000-8000-000000000001",
  audience: "https://countersign.test/api/mcp",
  scopes: ["run.read"],
  graphs: null,
  integrity: "untrusted",
  strictErrors: false,
  singleBlock: false,
  limits: null,
  oauth: null,
  expiresAt: 1_800_000_000_000,
  isRevoked: false,
};

test("keeps the digest of tokens older than limits and keys, and covers both in newer ones", () => {
  expect(computeTokenDigest(TOKEN)).toBe("e7a3bb1782fb34fa6f949025fab3d59338045e8a09b17ab302e57344079d4efb");
  const limits = { runs: 1, sessions: 1, micro_usd: 10_000 };
  const digests = [
    computeTokenDigest(TOKEN),
    computeTokenDigest({ ...TOKEN, limits }),
    computeTokenDigest({ ...TOKEN, limits: { ...limits, runs: 2 } }),
  ];
  const [one, other] = ["A".repeat(43), "B".repeat(43)];
  const keyed = [computeTokenDigest({ ...TOKEN, publicKey: one }), computeTokenDigest({ ...TOKEN, publicKey: other })];
  expect(new Set([...digests, ...keyed]).size).toBe(5);
});

test("covers every member of an OAuth client's grant", () => {
  const grant = {
    client: "a".repeat(64),
    redirectUri: "https://client.test/callback",
    familyKey: "A".repeat(43),
    credential: "b".repeat(64),
    challenge: "C".repeat(43),
    endsAt: 1_800_000_000_000,
  };
  const changes = [
    { client: "b".repeat(64) },
    { redirectUri: "https://other.test/" },
    { familyKey: "B".repeat(43) },
    { credential: "a".repeat(64) },
    { challenge: null },
    { endsAt: 1 },
  ];
  const digests = [{}, ...changes].map((change) => computeTokenDigest({ ...TOKEN, oauth: { ...grant, ...change } }));
  expect(new Set([computeTokenDigest(TOKEN), ...digests]).size).toBe(changes.length + 2);
});

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

import { describe, expect, it } from "vitest";
import { computeCommitment, digestOf, encodeWithDomain, type HashDomain } from "@/lib/hash";

const DOMAINS: readonly HashDomain[] = [
  "record",
  "genesis",
  "proposal",
  "transition",
  "view",
  "graph",
  "policy",
  "arguments",
  "tool",
  "receipt",
  "request",
];

describe("a digest", () => {
  it("of one domain never equals another's, nor a commitment", () => {
    const salt = "00".repeat(32);
    const digests = [...DOMAINS.map((domain) => digestOf(domain, { a: 1 })), computeCommitment(salt, { a: 1 })];
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("covers the domain and the canonical text", () => {
    expect(Buffer.from(encodeWithDomain("view", { b: 1, a: 2 })).toString()).toBe('countersign/view/v1\0{"a":2,"b":1}');
    expect(digestOf("view", {})).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("a commitment", () => {
  const salt = "ab".repeat(32);

  it("opens only with its salt and value", () => {
    expect(computeCommitment(salt, "x")).toBe(computeCommitment(salt, "x"));
    expect(computeCommitment(salt, "x")).not.toBe(computeCommitment(salt, "y"));
    expect(computeCommitment(salt, "x")).not.toBe(computeCommitment("ac".repeat(32), "x"));
  });

  it("of an equal value with another salt reveals nothing", () => {
    const commitments = Array.from({ length: 20 }, (_none, index) => computeCommitment(index.toString(16).padStart(64, "0"), true));
    expect(new Set(commitments).size).toBe(20);
  });
});

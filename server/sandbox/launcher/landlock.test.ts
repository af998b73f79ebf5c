import { expect, it } from "vitest";
import { NO_NETWORK, ANY_NETWORK, type SandboxPolicy } from "@/server/sandbox/policy";
import { buildRuleset, FILE_ACCESS } from "./landlock.mjs";

const policy: SandboxPolicy = {
  read: ["/r"],
  execute: ["/x"],
  write: ["/w"],
  network: NO_NETWORK,
  processes: false,
  limits: null,
  capabilities: false,
};

const accessOf = (path: string, abi: number): number => buildRuleset(policy, abi).paths.find((rule) => rule.path === path)?.access ?? -1;

it("handles every file right of the ABI, so that anything without a rule is denied", () => {
  expect([1, 2, 3, 4, 5, 7].map((abi) => buildRuleset(policy, abi).fs)).toEqual([0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff, 0xffff]);
});

it("separates reading, executing and writing, and never allows devices", () => {
  expect(accessOf("/r", 7)).toBe(0b1100);
  expect(accessOf("/x", 7)).toBe(0b1101);
  expect(accessOf("/w", 7)).toBe(0xffff & ~1 & ~(1 << 6) & ~(1 << 11) & ~(1 << 15));
  expect(accessOf("/w", 1) & ~0x1fff).toBe(0);
});

it("requests no right unknown to an older kernel", () => {
  for (const abi of [1, 2, 3, 4, 5, 6, 7]) {
    const { fs, paths, net, scoped } = buildRuleset(policy, abi);
    expect(paths.every(({ access }) => (access & ~fs) === 0)).toBe(true);
    expect([net, scoped]).toEqual([abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0]);
  }
});

it("lists ports for restricted networks and none for open ones", () => {
  const network = { ...ANY_NETWORK, listen: [3000] };
  expect(buildRuleset({ ...policy, network }, 7)).toMatchObject({ net: 1, ports: [{ port: 3000, access: 1 }], scoped: 2 });
  expect(buildRuleset({ ...policy, network: { ...NO_NETWORK, connect: [5432] } }, 7)).toMatchObject({
    net: 3,
    ports: [{ port: 5432, access: 2 }],
  });
  expect(buildRuleset({ ...policy, network: ANY_NETWORK }, 7)).toMatchObject({ net: 0, ports: [] });
});

it("knows the rights valid for files", () => {
  expect(FILE_ACCESS).toBe(0b1100000000000111);
});

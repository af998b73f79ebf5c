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

it("handles every right of files that the kernel's version knows, so that what has no rule is denied", () => {
  expect([1, 2, 3, 4, 5, 7].map((abi) => buildRuleset(policy, abi).fs)).toEqual([0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff, 0xffff]);
});

it("reads without changing, runs without changing, and changes without running or making devices", () => {
  expect(accessOf("/r", 7)).toBe(0b1100);
  expect(accessOf("/x", 7)).toBe(0b1101);
  expect(accessOf("/w", 7)).toBe(0xffff & ~1 & ~(1 << 6) & ~(1 << 11) & ~(1 << 15));
  expect(accessOf("/w", 1) & ~0x1fff).toBe(0);
});

it("asks for no right that an older kernel does not know", () => {
  for (const abi of [1, 2, 3, 4, 5, 6, 7]) {
    const { fs, paths, net, scoped } = buildRuleset(policy, abi);
    expect(paths.every(({ access }) => (access & ~fs) === 0)).toBe(true);
    expect([net, scoped]).toEqual([abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0]);
  }
});

it("names ports for what is restricted and nothing for what is open", () => {
  const network = { ...ANY_NETWORK, listen: [3000] };
  expect(buildRuleset({ ...policy, network }, 7)).toMatchObject({ net: 1, ports: [{ port: 3000, access: 1 }], scoped: 2 });
  expect(buildRuleset({ ...policy, network: { ...NO_NETWORK, connect: [5432] } }, 7)).toMatchObject({
    net: 3,
    ports: [{ port: 5432, access: 2 }],
  });
  expect(buildRuleset({ ...policy, network: ANY_NETWORK }, 7)).toMatchObject({ net: 0, ports: [] });
});

it("knows which rights can be for a file", () => {
  expect(FILE_ACCESS).toBe(0b1100000000000111);
});

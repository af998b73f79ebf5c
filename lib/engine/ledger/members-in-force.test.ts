import { expect, test } from "vitest";
import { computeInviteDigest, computeMemberDigest, computePasswordDigest } from "@/lib/engine/ledger/settings-digests";
import { createAuthority, getSettingsKey } from "@/lib/engine/ledger/workspace-authority";
import { listMembersInForce } from "./members-in-force";

test("lists members with role, add-on and disabling, without invites or other areas", () => {
  const settings = new Map(
    [
      ["people", "ben", computeMemberDigest({ role: "builder", auditor: false }, false)],
      ["people", "ada", computeMemberDigest({ role: "admin", auditor: true }, true)],
      ["people", "invite", computeInviteDigest({ role: "builder", auditor: false, email: "a@b.test", hash: "a".repeat(64) })],
      ["passwords", "cleo", computePasswordDigest("argon2id")!],
      ["tokens", "dan", computeMemberDigest({ role: "builder", auditor: false }, false)],
    ].map(([area, subject, digest], seq) => [getSettingsKey(area as "people", subject!), { digest: digest!, seq }] as const),
  );
  expect([...listMembersInForce({ ...createAuthority("w"), settings })]).toEqual([
    ["ben", { role: "builder", auditor: false, disabled: false }],
    ["ada", { role: "admin", auditor: true, disabled: true }],
  ]);
});

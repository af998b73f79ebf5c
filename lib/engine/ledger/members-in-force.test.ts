import { expect, test } from "vitest";
import { inviteDigest, memberDigest, passwordDigest } from "@/lib/engine/ledger/settings-digests";
import { emptyAuthority, settingsKey } from "@/lib/engine/ledger/workspace-authority";
import { membersInForce } from "./members-in-force";

test("lists members with role, add-on and disabling, without invites or other areas", () => {
  const settings = new Map(
    [
      ["people", "ben", memberDigest({ role: "builder", auditor: false }, false)],
      ["people", "ada", memberDigest({ role: "admin", auditor: true }, true)],
      ["people", "invite", inviteDigest({ role: "builder", auditor: false, email: "a@b.test", hash: "a".repeat(64) })],
      ["passwords", "cleo", passwordDigest("argon2id")!],
      ["tokens", "dan", memberDigest({ role: "builder", auditor: false }, false)],
    ].map(([area, subject, digest], seq) => [settingsKey(area as "people", subject!), { digest: digest!, seq }] as const),
  );
  expect([...membersInForce({ ...emptyAuthority("w"), settings })]).toEqual([
    ["ben", { role: "builder", auditor: false, disabled: false }],
    ["ada", { role: "admin", auditor: true, disabled: true }],
  ]);
});

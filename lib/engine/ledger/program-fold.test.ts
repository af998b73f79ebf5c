import { expect, it } from "vitest";
import type { AdminChanged } from "@/lib/engine/events/workspace";
import type { RunEvent } from "@/lib/engine/event";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { Principal } from "@/lib/engine/principal";
import { isUnfoundedTakeOver, TAKE_OVER } from "./program-fold";

const ENGINE: Principal = { type: "engine", epoch: 1 };
const ADMIN: Principal = { type: "user", id: "00000000-0000-4000-8000-000000000001", role: "admin", auditor: false };
const digest = (letter: string) => letter.repeat(64);

const changed: AdminChanged = {
  type: "admin_changed",
  area: "mcp",
  subject: "shop",
  step: TAKE_OVER,
  before: digest("a"),
  after: digest("b"),
};
const takeOver = { type: TAKE_OVER, server: "shop", program: "shop", before: digest("c"), after: digest("d"), tools: digest("e") } as const;

const isUnfounded = (events: readonly RunEvent[], principal = ENGINE): boolean => {
  const asked = { id: ADMIN.id, workspace: ADMIN.id, at: 0, principal, body: { kind: "mcp_step" } };

  return isUnfoundedTakeOver(ownRecord(asked, events, null), changed);
};

it("a take-over counts when the engine names the bundled program of this server", () => {
  expect(isUnfounded([changed, takeOver])).toBe(false);
  expect(isUnfounded([changed, takeOver], ADMIN)).toBe(true);
});

it.each([
  ["nothing", []],
  ["another server", [{ ...takeOver, server: "desk" }]],
  ["a program that is not bundled", [{ ...takeOver, program: "tools" }]],
  ["no change", [{ ...takeOver, after: takeOver.before }]],
] as const)("and not with %s", (_name, events) => {
  expect(isUnfounded([changed, ...events])).toBe(true);
});

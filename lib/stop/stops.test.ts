import { describe, expect, it } from "vitest";
import { createAuthority, getSettingsKey } from "@/lib/engine/ledger/workspace-authority";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import { decideStop, isStopped, OPERATOR_SWITCH, readStops, STOPPED } from "./stops";

const WORKSPACE = uuid(1);
const withSwitches = (...subjects: readonly string[]) => ({
  ...createAuthority(WORKSPACE),
  settings: new Map(subjects.map((subject) => [getSettingsKey("stops", subject), { digest: STOPPED, seq: 0 }])),
});
const OFF = { byAdmin: false, byOperator: false };

describe("the stop switches", () => {
  it("are read from the signed records: one of the workspace and one of the operator", () => {
    expect(readStops(withSwitches())).toEqual(OFF);
    expect(readStops(withSwitches(WORKSPACE))).toEqual({ byAdmin: true, byOperator: false });
    expect(readStops(withSwitches(OPERATOR_SWITCH))).toEqual({ byAdmin: false, byOperator: true });
    expect(
      [withSwitches(), withSwitches(WORKSPACE), withSwitches(OPERATOR_SWITCH), withSwitches(uuid(2))].map((one) =>
        isStopped(readStops(one)),
      ),
    ).toEqual([false, true, true, false]);
  });

  it("are turned by admins only, each once", () => {
    const admin = user(uuid(3), "admin");
    expect(decideStop(admin, { kind: "work_stop" }, OFF)).toBe(true);
    expect(decideStop(admin, { kind: "work_resume" }, { ...OFF, byAdmin: true })).toBe(false);
    expect(decideStop(admin, { kind: "work_stop" }, { ...OFF, byAdmin: true })).toBe("step_refused");
    // The operator's switch is not an admin's to turn.
    expect(decideStop(admin, { kind: "work_resume" }, { ...OFF, byOperator: true })).toBe("step_refused");
    for (const by of [user(uuid(3), "builder"), user(uuid(3), "reviewer"), user(uuid(3), "viewer"), engine, null])
      expect(decideStop(by, { kind: "work_stop" }, OFF)).toBe("principal_not_allowed");
  });
});

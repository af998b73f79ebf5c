import { describe, expect, it } from "vitest";
import { createAuthority, getSettingsKey } from "@/lib/engine/ledger/workspace-authority";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import { decideRetraction, getFactSubject, listRetracted, RETRACTED } from "./retractions";

const PLACE = { run: uuid(7), seq: 3, index: 1 };
const NONE = createAuthority(uuid(1));
const DONE = {
  ...NONE,
  settings: new Map([
    [getSettingsKey("facts", getFactSubject(PLACE)), { digest: RETRACTED, seq: 0 }],
    [getSettingsKey("stops", uuid(1)), { digest: RETRACTED, seq: 1 }],
  ]),
};

describe("retracting a fact", () => {
  it("is read from the signed records of its area alone", () => {
    expect([listRetracted(NONE), listRetracted(DONE)]).toEqual([[], [getFactSubject(PLACE)]]);
  });

  it("names a run as the table does, however it was written", () => {
    const place = { ...PLACE, run: "ABCDEF00-0000-4000-8000-00000000000A" };

    expect(getFactSubject(place)).toBe("abcdef00-0000-4000-8000-00000000000a/3/1");
  });

  it("is done by builders and admins, once, and only to a fact", () => {
    for (const role of ["builder", "admin"] as const) {
      expect(decideRetraction(user(uuid(3), role), PLACE, true, NONE)).toBeNull();
      expect(decideRetraction(user(uuid(3), role), PLACE, false, NONE)).toBe("step_refused");
      expect(decideRetraction(user(uuid(3), role), PLACE, true, DONE)).toBe("step_refused");
    }
    for (const by of [user(uuid(3), "reviewer"), user(uuid(3), "viewer"), engine, null])
      expect(decideRetraction(by, PLACE, true, NONE)).toBe("principal_not_allowed");
  });
});

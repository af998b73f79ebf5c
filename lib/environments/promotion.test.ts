import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import { NO_SESSION, type Principal } from "@/lib/engine/principal";
import { engine, user, uuid } from "@/lib/engine/testing/run";
import { OPERATOR_ID } from "@/lib/operator";
import { foldEnvironments, hasVersion, NO_ENVIRONMENTS, type EnvironmentFold } from "./environment-fold";
import { listPlaces, listPromotions } from "./places";
import { decidePromotion, findPromotion, type PromotionCommand, type PromotionFacts } from "./promotion";

const [ADA, BEN, CY] = [user(uuid(21), "builder"), user(uuid(22), "builder"), user(uuid(23), "builder")];
const ADMIN = user(uuid(20), "admin");
const [V1, V2, REQUEST] = ["a".repeat(64), "b".repeat(64), uuid(40)];
const LIST = ["dev", "staging", "production"].map((id) => ({ id, title: id }));

const after = (fold: EnvironmentFold, by: Principal, event: RunEvent, seq = 5): EnvironmentFold =>
  foldEnvironments(fold, {
    ...ownRecord({ id: uuid(90), workspace: uuid(1), at: 7, principal: by, body: { kind: "test" } }, event, null),
    seq,
  });
const published = (hash: string): RunEvent => ({
  type: "admin_changed",
  area: "versions",
  subject: hash,
  step: "published",
  before: null,
  after: hash,
});
const LISTED = after(after(NO_ENVIRONMENTS, ADMIN, { type: "environments_changed", environments: LIST }, 1), ADA, published(V1), 2);
const promotion = (step: "asked" | "declined" | "promoted", environment = "staging", version = V1): RunEvent => ({
  type: "version_promotion",
  step,
  request: REQUEST,
  environment,
  version,
  base: null,
});
const ASKED = after(LISTED, ADA, promotion("asked"));

const FACTS: PromotionFacts = { live: null, widens: false, involved: [ADA.type === "user" ? ADA.id : ""], missing: [], granted: null };
const decide = (by: Principal, command: PromotionCommand, fold = LISTED, facts: Partial<PromotionFacts> = {}) =>
  decidePromotion(by, command, fold, findPromotion(command, fold), { ...FACTS, ...facts });
const promote = (environment = "staging", version = V1, base: string | null = null): PromotionCommand => ({
  kind: "promote",
  environment,
  version,
  base,
});
const APPROVE: PromotionCommand = { kind: "promotion_approve", request: REQUEST, version: V1 };

describe("promoting a version", () => {
  it("is for builders", () => {
    expect(decide(ADA, promote())).toBeNull();
    for (const by of [ADMIN, engine, user(uuid(24), "reviewer"), user(uuid(25), "viewer")])
      expect(decide(by, promote())).toBe("principal_not_allowed");
  });

  it("goes from one environment to the next, or back to a version that was there", () => {
    expect(decide(ADA, promote("production"))).toBe("promotion_order");
    expect(decide(ADA, promote("staging", V2))).toBe("promotion_order");
    expect(decide(ADA, promote("test"))).toBe("environment_unknown");
    const inStaging = after(LISTED, ADA, promotion("promoted"));
    expect(decide(ADA, promote("production"), inStaging)).toBeNull();
    expect(decide(ADA, promote("dev", V1, V2), inStaging, { live: V2 }), "rolls back").toBeNull();
  });

  it("is over the version that is live there now", () => {
    expect(decide(ADA, promote(), LISTED, { live: V2 })).toBe("version_moved");
    expect(decide(ADA, promote("staging", V1, V1), LISTED, { live: V1 })).toBe("version_moved");
  });

  it("needs the variables that the version names", () => {
    expect(decide(ADA, promote(), LISTED, { missing: ["REGION"] })).toBe("variable_missing");
  });

  it("needs a second person where the version may do more than the live one", () => {
    expect(decide(ADA, promote(), LISTED, { widens: true })).toBe("second_person_missing");
    expect(decide(ADA, { ...promote(), kind: "promotion_ask", request: REQUEST } as PromotionCommand, LISTED, { widens: true })).toBeNull();
    expect(decide(ADA, APPROVE, ASKED, { widens: true, involved: [] }), "the asker").toBe("own_version");
    expect(decide(CY, APPROVE, ASKED, { widens: true, involved: [uuid(23)] }), "a contributor").toBe("own_version");
    expect(decide(BEN, APPROVE, ASKED, { widens: true })).toBeNull();
  });

  it("approves an open request for exactly its version, while nothing moved", () => {
    expect(decide(BEN, APPROVE)).toBe("not_found");
    expect(decide(BEN, { ...APPROVE, version: V2 }, ASKED)).toBe("version_moved");
    expect(decide(BEN, APPROVE, ASKED, { live: V2 })).toBe("version_moved");
    expect(decide(BEN, APPROVE, after(ASKED, BEN, promotion("declined")))).toBe("not_found");
    expect(decide(ADA, { kind: "promotion_decline", request: REQUEST }, ASKED), "withdraws").toBeNull();
  });
});

describe("a service account", () => {
  const account = (token: string): Principal => ({
    type: "agent",
    token,
    session: NO_SESSION,
    owner: uuid(21),
    integrity: "untrusted",
    scopes: [],
  });
  const CI = account(uuid(60));
  const ask = (fold = LISTED, facts: Partial<PromotionFacts> = {}) =>
    decide(CI, { ...promote(), kind: "promotion_ask", request: uuid(49) } as PromotionCommand, fold, { granted: [], ...facts });

  it("asks where it may, and does nothing else", () => {
    expect(ask()).toBeNull();
    expect(ask(LISTED, { granted: ["staging"] })).toBeNull();
    expect(ask(LISTED, { granted: ["dev"] })).toBe("environment_not_granted");
    expect(ask(LISTED, { granted: null })).toBe("principal_not_allowed");
    for (const command of [promote(), APPROVE, { kind: "promotion_decline", request: REQUEST } as const])
      expect(decide(CI, command, ASKED, { granted: [] })).toBe("principal_not_allowed");
  });

  it("has at most ten open requests, and an answered one does not open again", () => {
    const many = Array.from({ length: 10 }, (_, index) => index).reduce(
      (fold, index) => after(fold, CI, { ...promotion("asked"), request: uuid(100 + index) } as RunEvent),
      LISTED,
    );
    expect(many.requests.size).toBe(10);
    expect(ask(many)).toBe("promotion_limit");
    expect(ask(after(many, BEN, { ...promotion("declined"), request: uuid(100) } as RunEvent))).toBeNull();
    const other = { ...promote(), kind: "promotion_ask", request: uuid(49) } as PromotionCommand;
    expect(decide(account(uuid(61)), other, many, { granted: [] })).toBeNull();
    expect(decide(ADA, other, many)).toBeNull();
    expect(
      ask(
        after(after(LISTED, CI, { ...promotion("asked"), request: uuid(49) } as RunEvent), BEN, {
          ...promotion("declined"),
          request: uuid(49),
        } as RunEvent),
      ),
    ).toBe("version_moved");
  });

  it("asks for its owner, who is no second person, and its records promote nothing", () => {
    const asked = after(LISTED, CI, promotion("asked"));
    expect(asked.requests.get(REQUEST)).toMatchObject({ by: uuid(21), token: uuid(60) });
    expect(decide(ADA, APPROVE, asked, { involved: [] })).toBe("own_version");
    expect(decide(BEN, APPROVE, asked)).toBeNull();
    for (const step of ["promoted", "declined"] as const) {
      expect(after(asked, CI, promotion(step))).toEqual(asked);
      expect(after(LISTED, CI, promotion(step))).toEqual(LISTED);
    }
    expect(hasVersion(after(asked, ADA, promotion("promoted")), "staging", V1)).toBe(false);
  });
});

describe("the requests of a graph", () => {
  const NUMBERS = [
    { hash: V2, number: 2 },
    { hash: V1, number: 1 },
  ];
  const statusesOf = (fold: EnvironmentFold) => listPromotions(fold, NUMBERS).map(({ status }) => status);

  it("say how they ended", () => {
    expect(statusesOf(ASKED)).toEqual(["open"]);
    expect(statusesOf(after(ASKED, BEN, promotion("promoted")))).toEqual(["approved"]);
    expect(statusesOf(after(ASKED, BEN, promotion("declined")))).toEqual(["declined"]);
    expect(statusesOf(after(ASKED, ADMIN, { type: "environments_changed", environments: LIST.slice(0, 1) }))).toEqual(["superseded"]);
    expect(statusesOf(after(ASKED, BEN, { ...promotion("promoted"), request: uuid(41) } as RunEvent)), "overtaken").toEqual(["superseded"]);
    expect(listPromotions(ASKED, []), "of another graph").toEqual([]);
  });

  it("stand beside what is live", () => {
    const live = (fold: EnvironmentFold) => listPlaces(fold, NUMBERS).map(({ version }) => version?.number ?? null);
    expect(live(ASKED)).toEqual([1, null, null]);
    expect(live(after(ASKED, BEN, promotion("promoted")))).toEqual([1, 1, null]);
    expect(live(NO_ENVIRONMENTS), "the newest").toEqual([2]);
  });
});

describe("signed promotions", () => {
  it("count as a second person's only from another person", () => {
    expect(hasVersion(after(ASKED, ADA, promotion("promoted")), "staging", V1)).toBe(false);
    const approved = after(ASKED, BEN, promotion("promoted"));
    expect(hasVersion(approved, "staging", V1)).toBe(true);
    expect(approved.requests.size).toBe(0);
  });

  it("count only by builders", () => {
    expect(hasVersion(after(LISTED, ADMIN, promotion("promoted")), "staging", V1)).toBe(false);
    expect(after(LISTED, ADMIN, promotion("asked")).requests.size).toBe(0);
  });

  it("by the operator need an open request for exactly it", () => {
    const promoted = (fold: EnvironmentFold, event: RunEvent) => after(fold, engine, event);
    expect(hasVersion(promoted(ASKED, promotion("promoted")), "staging", V1)).toBe(true);
    expect(promoted(ASKED, promotion("promoted")).requests.size).toBe(0);
    const own = after(LISTED, engine, promotion("asked"));
    expect(own.requests.get(REQUEST)).toMatchObject({ by: OPERATOR_ID });
    expect(promoted(own, promotion("promoted")), "its own request").toEqual(own);
    expect(hasVersion(after(own, BEN, promotion("promoted")), "staging", V1)).toBe(true);
    for (const event of [promotion("promoted", "staging", V2), promotion("promoted", "production"), promotion("declined")])
      expect(promoted(ASKED, event)).toEqual(ASKED);
    expect(promoted(LISTED, promotion("promoted"))).toEqual(LISTED);
  });

  it("promote no other version, and to no other environment, than was asked for", () => {
    expect(hasVersion(after(ASKED, BEN, promotion("promoted", "staging", V2)), "staging", V2)).toBe(false);
    expect(hasVersion(after(ASKED, BEN, promotion("promoted", "production")), "production", V1)).toBe(false);
  });
});
